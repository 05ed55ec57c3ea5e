import { describe, expect, it } from 'vitest';
import { Budget } from '../../src/requests/allowance.ts';
import { Tallies } from '../../src/requests/tallies.ts';
import type { Client } from '../support/client.ts';
import { listPets, warningOf } from '../support/exchanges.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

async function talliesOf(client: Client): Promise<Tallies> {
  const { id } = (await client.get('/_sandbox')).json;
  await server.validator.settled(id);
  return server.requestLogs.of(server.sandboxes.get(id) as never).tallies;
}

const NONE = { served: 0, declared: 0, injectedFaults: 0 };

const responsesOf = (tallies: Tallies): unknown =>
  Object.fromEntries([...tallies.operations].map(([name, { responses }]) => [name, Object.fromEntries(responses)]));

describe('tallies', () => {
  it('count answers by operation and status, and what matches no operation or is not validated apart', async () => {
    const client = await server.sandbox();
    for (const path of ['/v1/pets', '/v1/pets', '/v1/pets?limit=0', '/v1/pets/1', '/v1/pets/99', '/v1/x']) {
      await client.get(path);
    }
    await client.send({ method: 'PUT', path: '/v1/pets' });
    await client.send({ method: 'HEAD', path: '/v1/pets' });
    const tallies = await talliesOf(client);
    expect(responsesOf(tallies)).toEqual({
      listPets: { 200: { ...NONE, served: 2 }, 400: { ...NONE, served: 1 } },
      getPet: { 200: { ...NONE, served: 1 }, 404: { ...NONE, served: 1 } },
    });
    expect([...tallies.noOperationStatuses]).toEqual([
      [404, 1],
      [405, 1],
    ]);
    expect(tallies.operations.get('listPets')?.skipped).toBe(1);
    expect(tallies.incompleteReasons).toEqual([]);
  });

  it('group violations and warnings that say the same, with the first and the last requests', async () => {
    const client = await server.sandbox();
    const ids: string[] = [];
    for (let i = 0; i < 13; i++) {
      ids.push((await client.get('/v1/pets?limit=500')).requestId);
      // A verdict that is remembered may overtake one that is still to come.
      await server.validator.settled();
    }
    const other = await client.get('/v1/pets?limit=0');
    for (let i = 0; i < 3; i++) await client.get('/v1/pets/1');
    const tallies = await talliesOf(client);
    const list = tallies.operations.get('listPets');
    expect(list?.violations.all()).toMatchObject([
      {
        finding: {
          location: 'query/limit',
          pointer: '#/paths/~1pets/get/parameters/0/schema/maximum',
          rule: 'maximum',
        },
        count: 13,
        requests: ids.slice(0, 10).map((id) => ({ id })),
        lines: [{ id: ids[0] }, { id: ids[12] }],
      },
      { finding: { rule: 'minimum' }, count: 1, requests: [{ id: other.requestId }] },
    ]);
    expect(tallies.operations.get('getPet')?.warnings.all()).toMatchObject([
      { finding: { rule: 'deprecated', location: 'operation' }, count: 3 },
    ]);
  });

  it('say so where findings are of too many kinds, and are bounded over all sandboxes', async () => {
    const [client, other] = [await server.sandbox(), await server.sandbox()];
    await client.getMany(600, (n) => `/v1/pets?${n}-${'x'.repeat(90)}=1`);
    const tallies = await talliesOf(client);
    const { warnings } = tallies.operations.get('listPets') as never as {
      warnings: { all(): unknown[]; uncounted: number };
    };
    expect(warnings.all().length).toBeGreaterThan(200);
    expect(warnings.all().length + warnings.uncounted).toBe(600);
    expect(tallies.incompleteReasons).toEqual([
      `there was no room to count ${warnings.uncounted} findings of further kinds`,
    ]);
    await other.get('/v1/pets?limti=1');
    expect((await talliesOf(other)).incompleteReasons).toEqual([]);

    const little = new Budget(4_000);
    const [first, second] = [new Tallies(0, little), new Tallies(0, little)];
    for (const [index, each] of [first, first, second].entries())
      each.count(listPets('', { verdict: warningOf(`number ${index}`) }));
    expect([first.incompleteReasons.length, second.incompleteReasons.length]).toEqual([0, 1]);
    first.release();
    second.count(listPets('', { verdict: warningOf('after') }));
    expect(second.operations.get('listPets')?.warnings.all()).toHaveLength(1);
  });
});

/** A list with a pet of this id. */
async function handOut(client: Client, id: string): Promise<void> {
  await client.post('/_sandbox/reset', `{"fixture":{"pets":[{"id":${id},"name":"Rex","categoryId":1}]}}`);
  await client.get('/v1/pets');
}

describe('an int64 that came back rounded', () => {
  const possible = (tallies: Tallies, operation: string) =>
    tallies.operations
      .get(operation)
      ?.warnings.all()
      .filter(({ finding }) => finding.rule === 'int64-possibly-rounded')
      .map(({ finding, lines }) => [finding.location, lines[1].id]);
  const rounded = (tallies: Tallies, operation: string) =>
    tallies.operations
      .get(operation)
      ?.rounded.all()
      .map(({ finding, count, lines }) => ({ ...finding, count, last: lines[1].id })) ?? [];

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
      { location: 'path/petId', sent, handedOut, isCertain: true, count: 1, last: reply.requestId },
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
    for (const id of ['9007199254740992', '9007199254740993', '9007199254740994', '9007199254740991']) {
      await client.post('/v1/pets', `{"name":"\\"id\\":9007199254740997","categoryId":${id}}`);
    }
    for (const id of [
      '9007199254740994',
      '9007199254740992',
      '9007199254740993',
      '9007199254740991',
      '9007199254740996',
      '1',
    ]) {
      await client.get(`/v1/pets/${id}`);
    }
    await other.get('/v1/pets/9007199254740992');
    expect(rounded(await talliesOf(client), 'getPet')).toEqual([]);
    expect(rounded(await talliesOf(other), 'getPet')).toEqual([]);
  });
});
