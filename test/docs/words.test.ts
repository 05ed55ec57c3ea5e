/** Phrases that read as translated stay out of pages, messages and specifications. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const PHRASES =
  /the way of a request|\bwhoever\b|\bfor want of\b|\bshall\b|begin anew|make some up|rules that stand|nothing of the change remains/i;

const files = execFileSync('git', ['ls-files', 'docs', 'src', 'spec', 'recipes', 'skills', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => /\.(?:md|txt|tsx?|yaml|ya?ml)$/.test(name) && !name.startsWith('src/generated/'));

it('no page, message or specification has one of the phrases', async () => {
  expect(files.length).toBeGreaterThan(300);
  const found = await Promise.all(
    files.map(async (name) => {
      const lines = (await readFile(name, 'utf8')).split('\n');
      return lines.flatMap((line, at) => (PHRASES.test(line) ? [`${name}:${at + 1}: ${line.trim()}`] : []));
    }),
  );
  expect(found.flat()).toEqual([]);
});
