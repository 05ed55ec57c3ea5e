/** A large recording is read in slices: other work comes between them, and what is wrong is found all the same. */
import { expect, test } from 'vitest';
import { inSlices } from '../../src/recording/in-slices.ts';
import { readRecording } from '../../src/recording/read.ts';
import { split } from '../../src/recording/split.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

test('lists are taken out of the text, whatever stands around them', async () => {
  const text =
    ' {"logs" : [ {"from":null,"changes":[ {"id":1} , {"id":[2,"]"]}]},{"changes":[]} ] , "x":{"pets":[1]},"requestLog":{"exchanges":[1]}} ';
  const { rest, lists } = await inSlices(split(text));
  expect(JSON.parse(rest)).toEqual({
    logs: [{ from: null, changes: [] }, { changes: [] }],
    x: { pets: [1] },
    requestLog: { exchanges: [] },
  });
  const shown = [...lists].map(([location, at]) => [
    location,
    at.length / 2,
    text.slice(at[0] ?? 0, at[1] ?? 0).trim(),
  ]);
  expect(shown).toEqual([
    ['logs[0]/changes', 2, '{"id":1}'],
    ['logs[1]/changes', 0, ''],
    ['requestLog/exchanges', 1, '1'],
  ]);
});

test.each([
  ['a list that does not end', '{"recording":1,"logs":[{"changes":[{}', /not valid JSON/],
  ['a missing comma', '{"recording":1,"logs":[{"changes":[{} {}]}]}', /logs\[0\]\/changes\[0\]: not valid JSON/],
  ['a comma too many', '{"recording":1,"logs":[{"changes":[{},]}]}', /not valid JSON/],
  ['brackets that do not match', '{"recording":1,"logs":[{"changes":[[}]]}]}', /not valid JSON/],
  ['a list twice', '{"recording":1,"logs":[],"logs":[]}', /logs is given twice/],
  ['a list twice, once in disguise', '{"recording":1,"logs":[{"changes":[]}],"l\\u006fgs":[]}', /given twice/],
  ['a large rest', `{"recording":1,"x":"${'x'.repeat(5_000_000)}"}`, /at most 4 MiB/],
  ['many objects', `{"recording":1,"logs":[${'{},'.repeat(10_000)}{}]}`, /over 10000 items/],
  [
    'a pet with many members',
    `{"recording":1,"logs":[{"changes":[[${'1,'.repeat(5_000)}1]]}]}`,
    /logs\[0\]\/changes\[0\]: must hold/,
  ],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff]), /not valid UTF-8/],
])('%s is rejected', async (_, text, why) => {
  await expect(readRecording(Buffer.from(text))).rejects.toThrow(why);
});

test('other requests are answered while a large recording is read', { timeout: limit(60_000) }, async () => {
  const server = await startTestServer();
  const client = await server.sandbox({ fixture: 'empty' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const { text } = await client.get('/_sandbox/export?format=recording');
  const pets = Array.from({ length: 50_000 }, (_, i) => `{"added":{"id":${i + 2},"name":"${i}","categoryId":1}}`);
  const large = text
    .replace('"categoryId":1}}]}],', `"categoryId":1}},${pets.join()}]}],`)
    .replace('"upTo":{"log":0,"changes":1}', '"upTo":{"log":0,"changes":50001}');
  let isDone = false;
  const importing = server
    .client()
    .post('/_sandbox/import', large)
    .finally(() => {
      isDone = true;
    });
  let between = 0;
  while (!isDone) {
    await client.get('/v1/pets?limit=1');
    between++;
  }
  const { key } = (await importing).json;
  expect((await server.client(key).get('/_sandbox')).json.pets.total).toBe(50_001);
  expect(between).toBeGreaterThan(10);
});
