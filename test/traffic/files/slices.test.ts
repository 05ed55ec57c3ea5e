/** A large recording is read in slices: other work comes between them, and what is wrong is found all the same. */
import { expect, test } from 'vitest';
import { readRecording } from '../../../src/traffic/files/read.ts';
import { fileOf, partsOf } from '../../support/recording.ts';
import { sharedServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';

test.each([
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff]), /line 1: not valid UTF-8/],
  ['UTF-16', Buffer.from('\ufeff{"recording":2}', 'utf16le'), /not valid UTF-8; save the file as export --out does/],
  ['a long line', Buffer.from(`{"recording":2,"x":"${'x'.repeat(5_000_000)}"}`), /line 1: must have at most 4 MiB/],
  ['a line with many members', Buffer.from(`{"recording":2,"x":[${'1,'.repeat(200_000)}1]}`), /line 1: limited to/],
  ['many lines', Buffer.from('\n'.repeat(1_000_000)), /line 1: not valid JSON/],
])('%s is rejected', async (_, bytes, why) => {
  await expect(readRecording(bytes)).rejects.toThrow(why);
});

test('other requests are answered while a large recording is read', { timeout: limit(60_000) }, async () => {
  const server = await sharedServer();
  const client = await server.sandbox({ fixture: 'empty' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const parts = partsOf((await client.get('/_sandbox/export?format=recording')).text);
  for (let from = 2; from < 50_002; from += 10_000)
    parts.log.push({ pets: Array.from({ length: 10_000 }, (_, n) => ({ id: from + n, name: `${n}`, categoryId: 1 })) });
  let isDone = false;
  const importing = server.client().importRecording(fileOf(parts));
  void importing.finally(() => (isDone = true));
  let between = 0;
  while (!isDone) {
    await client.get('/v1/pets?limit=1');
    between++;
  }
  const opened = server.client((await importing).json.key);
  expect((await opened.get('/_sandbox')).json.pets.total).toBe(50_001);
  // One after each of the long lines.
  expect(between).toBeGreaterThanOrEqual(4);
  await opened.delete('/_sandbox');
});
