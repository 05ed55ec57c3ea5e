/** docs/conform.md names every rule, in its words. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { RULES } from '../../src/conform/cases/case.ts';

it('names every rule of conform, in its words', async () => {
  const page = await readFile('docs/conform.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z0-9-]+)` \| (.+) \|$/gm)].map(([, rule, text]) => [rule, text]);
  expect(Object.fromEntries(rows)).toEqual(RULES);
});
