import { describe, expect, it } from 'vitest';
import { inSlices } from '../../src/base/lane.ts';
import { type Tally, tallyOf } from '../../src/traffic/tally.ts';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

async function talliesOf(client: Client): Promise<Tally> {
  const { id } = (await client.get('/_sandbox')).json;
  await server.validator.whenValidated(id);
  return inSlices(tallyOf(server.requestLogs.of(server.sandboxes.get(id) as never).settled()));
}

/** A list with a pet of this id. */
async function handOut(client: Client, id: string): Promise<void> {
  await client.post('/_sandbox/reset', `{"fixture":{"pets":[{"id":${id},"name":"Rex","categoryId":1}]}}`);
  await client.get('/v1/pets');
}

describe('an int64 that came back rounded', () => {
  const found = (tallies: Tally, of: string, rule: string) =>
    tallies.findings.all().filter((each) => each.operation === of && each.rule === rule);
  const possible = (tallies: Tally, operation: string) =>
    found(tallies, operation, 'int64-possibly-rounded').map(({ location, last }) => [location, last]);
  const rounded = (tallies: Tally, operation: string) =>
    found(tallies, operation, 'int64-rounded').map(({ location, message, count, last }) => {
      const [, handedOut, sent] = /given (-?\d+) and came back with (-?\d+)/.exec(message) ?? [];
      return { location, sent, handedOut, count, last };
    });

  it.each([
    ['9007199254740993', '9007199254740992', 'as JavaScript makes it'],
    ['9223372036854775807', '9223372036854776000', 'as JavaScript writes it'],
    ['9223372036854775807', '9223372036854775808', 'as others write it'],
    ['-9007199254740995', '-9007199254740996', 'below zero'],
  ])('is found in a path: %s became %s, %s', async (handedOut, sent) => {
    const client = await server.sandbox({ fixture: 'empty' });
    await handOut(client, handedOut);
    const reply = await client.get(`/v1/pets/${sent}`);
    expect(rounded(await talliesOf(client), 'getPet')).toEqual([
      { location: 'path/petId', sent, handedOut, count: 1, last: reply.requestId },
    ]);
  });

  it.each(['9007199254740992', '9007199254740992.0', '9.007199254740992e15', '9.007199254740992E+15'])(
    'is possible in a body that says %s',
    async (sent) => {
      const client = await server.sandbox({ fixture: 'empty' });
      await client.post('/v1/pets', '{"name":"Rex","categoryId":9007199254740993}');
      const reply = await client.post('/v1/pets', `{"categoryId": ${sent},"name":"Tom"}`);
      expect(possible(await talliesOf(client), 'createPet')).toEqual([['body/categoryId', reply.requestId]]);
    },
  );

  it('is found wherever in a response the number stood', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const sent: string[] = [];
    const pets: string[] = [];
    for (let i = 0; i < 40; i++) {
      const handedOut = 9_007_199_254_740_993n + BigInt(4 * i);
      pets.push(`{"id":${handedOut},"name":"${'x'.repeat(i)}","categoryId":1}`);
      sent.push(String(Number(handedOut)));
    }
    await client.post('/_sandbox/reset', `{"fixture":{"pets":[${pets.join()}]}}`);
    await client.get('/v1/pets?limit=100');
    for (const id of sent) await client.get(`/v1/pets/${id}`);
    expect(rounded(await talliesOf(client), 'getPet').map((each) => each.sent)).toEqual(sent);
  });

  it('is only possible where the client made the number itself: its own category, or the id after one that it can send', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    await client.post('/v1/pets', '{"name":"Rex","categoryId":9007199254740995}');
    const own = await client.post('/v1/pets', '{"name":"Rex","categoryId":9007199254740996}');
    await handOut(client, '9007199254741001');
    await client.get('/v1/pets/9007199254741001');
    const next = await client.get('/v1/pets/9007199254741000');
    const tallies = await talliesOf(client);
    expect(possible(tallies, 'createPet')).toEqual([['body/categoryId', own.requestId]]);
    expect(possible(tallies, 'getPet')).toEqual([['path/petId', next.requestId]]);
    expect([...rounded(tallies, 'createPet'), ...rounded(tallies, 'getPet')]).toEqual([]);
  });

  it('is nothing that was handed out itself, is small, was never handed out, or belongs to another sandbox', async () => {
    const [client, other] = [await server.sandbox({ fixture: 'empty' }), await server.sandbox({ fixture: 'empty' })];
    for (const end of [2, 3, 4, 1])
      await client.post('/v1/pets', `{"name":"\\"id\\":9007199254740997","categoryId":900719925474099${end}}`);
    for (const end of [4, 2, 3, 1, 6]) await client.get(`/v1/pets/900719925474099${end}`);
    await client.get('/v1/pets/1');
    await other.get('/v1/pets/9007199254740992');
    expect(rounded(await talliesOf(client), 'getPet')).toEqual([]);
    expect(rounded(await talliesOf(other), 'getPet')).toEqual([]);
  });
});
