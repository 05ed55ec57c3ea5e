/** What the words for an exchange say must never contradict its response. */
import { expect, it } from 'vitest';
import { exchangeLines } from '../../src/client/exchange-lines.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();
const client = await server.sandbox();

/** The last exchange in words. */
async function lastLines(): Promise<string> {
  const [{ id }] = (await client.get('/_sandbox/requests?limit=1')).json.requests;
  return exchangeLines((await client.get(`/_sandbox/requests/${id}`)).json).join('\n');
}

it('says what to send instead', async () => {
  await client.post('/v1/pets', '{"name":"Rex","catgoryId":1}');
  expect(await lastLines()).toMatch(
    /\n {2}violation \(request\) at body\/categoryId: .*\n {4}- "catgoryId":1\n {4}\+ "categoryId":1\n/,
  );
});

it('says why a body was not read', async () => {
  await client.post('/v1/pets', `{"name":"${'x'.repeat(1_100_000)}","categoryId":1}`);
  expect(await lastLines()).toMatch(/not read[\s\S]*at body: has at most 102400 bytes/);
});

it('says that an operation is removed, and that a pet exists although its response was lost', async () => {
  await client.put('/_sandbox/clock', { now: '2030-12-06T00:00:00Z' });
  await client.get('/v1/pets/1');
  expect(await lastLines()).toContain('getPet was removed.');
  const lost = { 'Sandbox-Fault': 'connection=reset; when=after' };
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 }, lost).catch(() => undefined);
  expect(await lastLines()).toMatch(/no response went out\n[\s\S]*Pet \d+ exists all the same\./);
});
