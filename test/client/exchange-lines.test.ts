/** What the words for an exchange say must never contradict its response. */
import { describe, expect, it } from 'vitest';
import { exchangeLines } from '../../src/client/exchange-lines.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();
const client = await server.sandbox();

/** The last exchange in words. */
async function lastLines(): Promise<string> {
  const [{ id }] = (await client.get('/_sandbox/requests?limit=1')).json.requests;
  return exchangeLines((await client.get(`/_sandbox/requests/${id}`)).json).join('\n');
}

const PET = '{"name":"Rex","categoryId":1}';

describe('an exchange in words', () => {
  it.each([
    ['{"name":"Rex","categoryId":9223372036854775808}', 'it does not fit int64, which is the format that'],
    ['{"name":"Rex",}', 'not valid JSON: expected a field name in double quotes at position 14'],
    ['{"name":"Rex","name":"Tom","categoryId":1}', 'at body: the field "name" is given twice'],
  ])('says why a body was rejected: %s', async (body, words) => {
    expect((await client.post('/v1/pets', body)).status).toBe(400);
    const text = await lastLines();
    expect(text).toContain(words);
    expect(text).not.toContain('must be object');
  });

  it('says what to send instead', async () => {
    await client.post('/v1/pets', '{"name":"Rex","catgoryId":1}');
    expect(await lastLines()).toMatch(
      /\n {2}violation \(request\) at body\/categoryId: .*\n {4}- "catgoryId":1\n {4}\+ "categoryId":1\n/,
    );
  });

  it('says why a body was not read', async () => {
    const reply = await client.post('/v1/pets', `{"name":"${'x'.repeat(1_100_000)}","categoryId":1}`);
    expect(reply.status).toBe(413);
    expect(await lastLines()).toContain('at body: must be at most 1048576 bytes');
  });

  it('says that an operation is removed', async () => {
    await client.put('/_sandbox/clock', { now: '2030-12-06T00:00:00Z' });
    expect((await client.get('/v1/pets/1')).status).toBe(410);
    expect(await lastLines()).toContain('getPet was removed.');
    await client.delete('/_sandbox/clock');
  });

  it.each(['status=503; when=after', 'connection=reset; when=after', 'connection=truncate'])(
    'says that the pet exists although its response was lost: %s',
    async (fault) => {
      await client.post('/v1/pets', PET, { 'Sandbox-Fault': fault }).catch(() => undefined);
      expect(await lastLines()).toMatch(/The response was lost, but the pet exists: id \d+\./);
    },
  );

  it('says neither of what was created and of what was never tried', async () => {
    await client.post('/v1/pets', PET);
    expect(await lastLines()).not.toMatch(/lost|Rejected/);
    await client.post('/v1/pets', PET, { 'Sandbox-Fault': 'status=503' });
    expect(await lastLines()).not.toMatch(/lost|Rejected/);
  });
});
