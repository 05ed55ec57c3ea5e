/** The list of dependencies in ARCHITECTURE.md says why each is there: none is missing, and none is gone. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test('every dependency has its reason in ARCHITECTURE.md', async () => {
  const [text, manifest] = await Promise.all([readFile('ARCHITECTURE.md', 'utf8'), readFile('package.json', 'utf8')]);
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const rows = text.slice(text.indexOf('## Dependencies')).matchAll(/^\| ([@a-z][^|]*) \| [^|]+ \| [^|]+ \|$/gm);
  const named = [...rows].flatMap(([, cell]) => {
    const [first = '', ...others] = (cell as string).split(', ');
    const scope = first.startsWith('@') ? first.slice(0, first.indexOf('-')) : '';
    return [first, ...others.map((other) => (other.startsWith('-') ? scope + other : other))];
  });
  const ours = named.filter((name) => name !== 'package' && !name.startsWith('node-linux'));
  expect(ours.sort()).toEqual(Object.keys(dependencies).sort());
});
