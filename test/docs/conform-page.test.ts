/** docs/conform.md lists every rule, with who says so and in its words. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { BASIS_WORDS, RULES } from '../../src/conform/rules.ts';

it('lists every rule of conform, with its basis and in its words', async () => {
  const page = await readFile('docs/conform.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z0-9-]+)` \| (.+?) \| (.+) \|$/gm)];
  const written = rows.map(([, rule, basis, says]) => [rule, { basis, says }]);
  const built = Object.entries(RULES).map(([rule, { basis, says }]) => [rule, { basis: BASIS_WORDS[basis], says }]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(built));
});
