/** No form shows a key, and no client makes one grow without end. */
import { describe, expect, it } from 'vitest';
import { formatNames } from '../../src/report/formats/formats.ts';
import { type Client, send } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { factsOf, fetchReport } from './clients.ts';

const FIXED_KEY = 'fixed/key+of~this-server=';

const server = await startTestServer({ settings: { keys: [FIXED_KEY] } });

/** Sends a secret wherever a report may quote a client. */
async function betray({ url, key }: Client, secret: string): Promise<void> {
  const Authorization = `Bearer ${key}`;
  const inAddress = encodeURIComponent(secret);
  const post = (body: string, type: string) =>
    send(url, { method: 'POST', path: '/v1/pets', body, headers: { Authorization, 'Content-Type': type } });
  await send(url, { path: `/v1/pets?${inAddress}=1&status=${inAddress}`, headers: { Authorization } });
  await send(url, { path: `/v1/pets/${inAddress}`, headers: { Authorization } });
  // What is long is cut off, and the secret with it.
  const names = [secret, ...[60, 70, 80, 90].map((length) => 'x'.repeat(length) + secret)];
  await post(JSON.stringify(Object.fromEntries(names.map((name) => [name, secret]))), 'application/json');
  await post('{}', `text/<${secret}>`);
}

describe('every form', () => {
  it.each(formatNames)(
    '%s shows no key, no preconfigured key and no admin token that the client sent',
    async (form) => {
      const client = await server.sandbox();
      const secrets = [client.key as string, FIXED_KEY, server.adminToken];
      for (const secret of secrets) await betray(client, secret);
      const { text } = await fetchReport(client, form);
      expect(text).toContain('[key');
      for (const secret of secrets) {
        expect(text).not.toContain(secret);
        // Where a name is cut off, so may a secret be: not half of it is shown.
        expect(text).not.toContain(secret.slice(0, 10));
        expect(text).not.toContain(encodeURIComponent(secret).slice(0, 12));
      }
    },
  );

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
