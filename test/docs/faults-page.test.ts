/** docs/guides/faults.md: its table explains every field of a fault rule. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import controlApi from '../../src/generated/control-api.json' with { type: 'json' };

const wordsIn = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);

test('the table has every field, and its first column no others', async () => {
  const page = await readFile('docs/guides/faults.md', 'utf8');
  const [, rows = ''] = /^\| field \| effect \|$([\s\S]*?)^$/m.exec(page) ?? [];
  const firstColumn = [...rows.matchAll(/^\|([^|]+)\|/gm)].map(([, cell = '']) => cell).join();
  const fields = Object.keys(controlApi.components.schemas.NewFault.properties);
  expect(wordsIn(rows)).toEqual(expect.arrayContaining(fields));
  expect(fields).toEqual(expect.arrayContaining(wordsIn(firstColumn)));
});
