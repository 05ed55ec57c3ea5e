/** No client makes a report grow without end. */
import { describe, expect, it } from 'vitest';
import { formatNames } from '../../src/report/formats/formats.ts';
import { sharedServer } from '../support/server.ts';
import { factsOf, fetchReport } from './clients.ts';

const server = await sharedServer();

describe('every form', () => {
  it('is bounded, however much a client gets wrong', async () => {
    const client = await server.sandbox();
    for (let i = 0; i < 4; i++) {
      await client.post('/v1/pets', '{}', { 'Content-Type': `text/<${i}${'"'.repeat(12_000)}>` });
    }
    await client.getMany(700, (n) => `/v1/pets?${encodeURIComponent(`${n}-${'"<\u0001\u202e'.repeat(30)}`)}=1`);
    const { verdict, incompleteReasons } = await factsOf(client);
    expect([verdict, incompleteReasons]).toEqual([
      'fail',
      [expect.stringMatching(/^there was no room to count \d+ findings/)],
    ]);
    for (const form of formatNames)
      expect([form, (await fetchReport(client, form)).text.length < 2_000_000]).toEqual([form, true]);
  });
});
