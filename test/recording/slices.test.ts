/** A large recording is read in slices: other work comes between them, and what is wrong is found all the same. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readRecording } from '../../src/recording/read.ts';
import { fileOf, partsOf } from '../support/recording.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

test.each([
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff]), /line 1: not valid UTF-8/],
  ['UTF-16', Buffer.from('\ufeff{"recording":1}', 'utf16le'), /in UTF-16.*save it in UTF-8/],
  ['gzip', gzipSync('{"recording":1}'), /compressed with gzip; unpack it first/],
  ['a long line', Buffer.from(`{"recording":1,"x":"${'x'.repeat(5_000_000)}"}`), /line 1: must have at most 4 MiB/],
  ['a line with many members', Buffer.from(`{"recording":1,"x":[${'1,'.repeat(200_000)}1]}`), /line 1: must hold/],
  ['many lines', Buffer.from('\n'.repeat(1_000_000)), /line 1: not valid JSON/],
])('%s is rejected', async (_, bytes, why) => {
  await expect(readRecording(bytes)).rejects.toThrow(why);
});

test('other requests are answered while a large recording is read', { timeout: limit(60_000) }, async () => {
  const server = await startTestServer();
  const client = await server.sandbox({ fixture: 'empty' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const { text } = await client.get('/_sandbox/export?format=recording');
  const parts = partsOf(text);
  const pet = (n: number) => ({ id: n, name: `${n}`, categoryId: 1 });
  for (let from = 2; from < 50_002; from += 10_000)
    parts.log.push({ pets: Array.from({ length: 10_000 }, (_, n) => pet(from + n)) });
  const large = fileOf(parts);
  let isDone = false;
  const importing = server
    .client()
    .importRecording(large)
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
