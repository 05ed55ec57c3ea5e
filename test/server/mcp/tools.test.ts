/** The tools, by the official client: each way in serves the same. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import today from '../../../src/base/generated/petstore.json' with { type: 'json' };
import { harOf, SECRET } from '../../support/har.ts';
import { sharedServer } from '../../support/server.ts';
import { type Agent, compiled, inProcess, overHttp } from './connect.ts';

const server = await sharedServer();

const NAMES = [
  'sandbox_create',
  'sandbox_change',
  'requests',
  'verdict',
  'verify',
  'drill',
  'preview',
  'ready',
  'report_har',
];

const BASE = 'https://api.example.com/petstore/v1';
const HAR = harOf(`${BASE}/pets`);

const WAYS: Readonly<Record<string, () => Promise<Agent>>> = {
  'over HTTP': () => overHttp(server.url),
  'over HTTP, by the protocol of 2025': () => overHttp(server.url, undefined, 'legacy'),
  'in process': () => inProcess(server.url),
};

describe.each(Object.entries(WAYS))('%s', (_, connect) => {
  it('lists the tools in their order, with schemas of objects that need no other document', async () => {
    const { tools } = await (await connect()).client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    for (const { inputSchema, outputSchema, description } of tools) {
      for (const schema of [inputSchema, outputSchema]) expect(compiled(schema ?? {})).not.toThrow();
      expect([inputSchema.type, outputSchema?.['type']]).toEqual(['object', 'object']);
      expect(description).toMatch(/^[A-Z].*\.$/s);
      expect(JSON.stringify(inputSchema)).not.toContain('$ref');
      expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('"format":"int64"');
    }
  });

  it('creates a sandbox, changes it in each way, and lists, verifies and previews its requests', async () => {
    const agent = await connect();
    const { handle: sandbox, key } = await agent.sandbox();
    const api = server.client(key);
    expect((await agent.call('sandbox_change', { sandbox, snapshot: { name: 'before' } })).data.name).toBe('before');
    const { requestId } = await api.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const changes = [
      [{ setClock: { now: '2030-12-04T00:00:00Z', frozen: true } }, { now: '2030-12-04T00:00:00.000Z' }],
      [{ advanceClock: { duration: 'P1D' } }, { now: '2030-12-05T00:00:00.000Z', frozen: true }],
      [{ resetClock: true }, { frozen: false }],
      [{ addFault: { operation: 'listPets', status: 503, times: 1 } }, { status: 503, triggered: 0 }],
      [{ clearFaults: true }, { faults: [] }],
      [{ restore: { snapshot: 'before' } }, { sandbox: { pets: { added: 0 } } }],
      [{ reset: { fixture: 'empty' } }, { sandbox: { pets: { total: 0 } } }],
    ] as const;
    for (const [change, now] of changes) {
      const { data, isError } = await agent.call('sandbox_change', { sandbox, ...change });
      expect([change, isError, data]).toMatchObject([change, false, now]);
    }
    await api.get('/v1/pets/1', { 'X-Request-Id': 'request-of-the-client' });
    for (const contains of ['request-of-the-client', 'X-REQUEST-ID: request-of'])
      expect((await agent.call('requests', { sandbox, contains })).data).toMatchObject({
        total: 1,
        requests: [{ operation: 'getPet' }],
      });
    const listed = await agent.call('requests', { sandbox, operation: 'createPet' });
    expect(listed.data).toMatchObject({ total: 1, requests: [{ id: requestId, status: 201 }] });
    const whole = await agent.call('requests', { sandbox, id: requestId });
    expect(whole.data).toMatchObject({
      id: requestId,
      petName: 'Rex',
      request: { body: expect.stringContaining('Rex') },
    });
    const verify = (more: object) => agent.call('verify', { sandbox, operation: 'createPet', ...more });
    expect((await verify({ body: { name: 'Rex' } })).data.matched).toBe(1);
    expect(await verify({ exactly: 2 })).toMatchObject({ isError: false, data: { code: 'verification_failed' } });
    const preview = await agent.call('preview', { sandbox, at: '2030-12-05' });
    expect(preview.data).toMatchObject({ verdict: 'fail', findings: [{ operation: 'getPet' }] });
    expect(preview.text).toMatch(/^Next: correct the client: getPet: /);
  });
});

describe('a tool', () => {
  const connect = () => overHttp(server.url);

  it('previews a draft of the specification, and names what it breaks', async () => {
    const agent = await connect();
    const { handle: sandbox, key } = await agent.sandbox();
    await server.client(key).post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const preview = (draft: object) => agent.call('preview', { sandbox, draft: JSON.stringify(draft) });
    expect((await preview(today)).data).toMatchObject({ verdict: 'pass', reasons: [] });
    const draft = structuredClone(today);
    draft.components.schemas.NewPet.required.push('status');
    const { data, text, isError } = await preview(draft);
    expect([isError, data]).toMatchObject([false, { verdict: 'fail', findings: [{ operation: 'createPet' }] }]);
    expect(text).toMatch(/^Next: correct the client: createPet/);
    const moved = { ...structuredClone(today), paths: { '/animals': today.paths['/pets'] } };
    expect((await preview(moved)).text).toMatch(
      /^Next: write this down for the day of the change.* POST \/v1\/animals/,
    );
    const larger = structuredClone(today);
    larger.components.schemas.PetStatus.enum.push('reserved');
    expect((await preview(larger)).text).toMatch(/^Next: have a person look at these changes/);
  });

  it('reports on a HAR as on a sandbox, which it does not change, without the credential in the HAR', async () => {
    const agent = await connect();
    const { handle: sandbox, id } = await agent.sandbox();
    const report = (har: string, more = {}) => agent.call('report_har', { sandbox, har, ...more });
    const wrong = harOf(`${BASE}/pets?limit=500&token=${SECRET}`, `${BASE}/pets`, `https://${SECRET}.example/app.js`);
    const failed = await report(wrong);
    expect([failed.isError, failed.data]).toMatchObject([false, { verdict: 'fail', sandbox: id, label: BASE }]);
    expect(failed.data.counts).toMatchObject({ exchanges: 2, violation: 1 });
    expect(failed.text).toMatch(/^Next: correct the client: .*instead of limit=500.*Then record a HAR again/);
    expect(failed.whole).not.toContain(SECRET);
    const { data } = await report(gzipSync(wrong).toString('base64'));
    expect(data.counts).toMatchObject({ exchanges: 2, violation: 1 });
    const two = harOf(`${BASE}/pets`, 'https://other.example/v1/pets?limit=500');
    expect((await report(two, { base: BASE })).data.verdict).toBe('pass');
    const none = await report(harOf('https://other.example/app.js'));
    expect(none.data.verdict).toBe('incomplete');
    expect(none.text).toMatch(/^Next: call this again with the base address of the API as base/);
    expect((await agent.call('requests', { sandbox })).data.total).toBe(0);
  });

  it('says what to do about each wrong call, as a result that the agent can read', async () => {
    const agent = await connect();
    const { handle: sandbox } = await agent.sandbox();
    const wrong: readonly [string, object, string | RegExp][] = [
      ['sandbox_create', { fixture: 'none-of-it' }, /fixture/],
      ['sandbox_create', { labell: 'x' }, 'did you mean label?'],
      ['sandbox_create', { ttlSeconds: 'soon' }, 'arguments/ttlSeconds is an integer from 1 to 31536000'],
      ['sandbox_change', { sandbox }, 'give exactly one of reset, snapshot,'],
      ['sandbox_change', { sandbox, resetClock: true, clearFaults: true }, 'give exactly one of'],
      ['requests', { sandbox, limit: 2 ** 60 }, /beyond 2\^53/],
      ['requests', {}, 'no key was sent'],
      ['requests', { sandbox, id: 'req_1' }, 'holds no request req_1'],
      ['verdict', { sandbox: `${sandbox.slice(0, -1)}${sandbox.endsWith('0') ? 1 : 0}` }, 'mistyped'],
      ['drill', { sandbox }, 'no drill is under way'],
      ['drill', { sandbox, start: 'lost-creat' }, 'did you mean lost-create?'],
      ['drill', { sandbox, start: 'flaky', outcome: { success: true } }, 'give start or outcome'],
      ['drill', { sandbox, start: 'revoked-key' }, 'npx petstore-sandbox drill --start --only revoked-key'],
      ['preview', { sandbox, draft: './openapi.yaml' }, 'body: '],
      ['report_har', { har: HAR }, 'no key was sent'],
      ['report_har', { sandbox, har: './traffic.har' }, 'arguments/har: this is no HAR'],
      ['report_har', { sandbox, har: HAR, base: 'https://[/v1' }, 'arguments/base is an address'],
    ];
    for (const [tool, args, message] of wrong) {
      const { isError, text, data } = await agent.call(tool, args);
      expect([tool, args, isError, text]).toEqual([tool, args, true, expect.stringMatching(message)]);
      expect(data.message).toMatch(message);
    }
  });
});

it('an int64 is a string in arguments and results, and keeps its digits', async () => {
  const agent = await overHttp(server.url);
  const pets = [{ id: '9007199254740993', name: 'Rex', categoryId: '-9223372036854775808' }];
  const { data } = await agent.call('sandbox_create', { fixture: { pets, nextId: '9223372036854775807' } });
  const api = server.client(data.key);
  expect((await api.get('/v1/pets')).text).toBe(
    '[{"id":9007199254740993,"name":"Rex","categoryId":-9223372036854775808}]',
  );
  const { data: reset } = await agent.call('sandbox_change', { sandbox: data.handle, reset: {} });
  expect(reset.sandbox.nextId).toBe('9223372036854775807');
  await api.post('/v1/pets', '{"name":"Max","categoryId":9007199254740993}');
  const matched = async (categoryId: string) =>
    (await agent.call('verify', { sandbox: data.handle, body: `{"categoryId":${categoryId}}` })).data.matched;
  expect([await matched('9007199254740993'), await matched('9007199254740992')]).toEqual([1, 0]);
});

describe('an agent fixes a client', () => {
  it('by a verdict that names its mistakes, and passes the corrected one', async () => {
    const agent = await overHttp(server.url);
    const { handle: sandbox, key } = await agent.sandbox();
    const api = server.client(key);
    const before = await agent.call('verdict', { sandbox });
    expect([before.data.verdict, before.text]).toEqual(['incomplete', expect.stringContaining('proves nothing yet')]);
    await api.get('/v1/pets?limit=500');
    await api.post('/v1/pets', { name: 'Rex', categoryId: '1' });
    const failed = await agent.call('verdict', { sandbox });
    expect([failed.data.verdict, failed.isError]).toEqual(['fail', false]);
    expect(failed.text).toMatch(/^Next: correct the client: .*Send limit=100 instead of limit=500/);
    expect(failed.text).toMatch(/createPet +body\/categoryId/);
    await agent.call('sandbox_change', { sandbox, reset: { requestLog: true } });
    await api.get('/v1/pets?limit=100');
    await api.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const passed = await agent.call('verdict', { sandbox });
    expect([passed.data.verdict, passed.text]).toEqual(['pass', expect.stringMatching(/^Next: nothing is left/)]);
  });

  it('by a drill that fails the client which creates twice, and passes the one that looks first', async () => {
    const agent = await overHttp(server.url);
    const { handle: sandbox, key } = await agent.sandbox();
    const api = server.client(key);
    const run = async (looksFirst: boolean) => {
      const { petName } = (await agent.call('drill', { sandbox, start: 'lost-create' })).data;
      const create = async () => (await api.post('/v1/pets', { name: petName, categoryId: 1 })).json;
      const pet = await create().catch(async () => {
        const pets: { name: string }[] = looksFirst ? (await api.get('/v1/pets?limit=100')).json : [];
        return pets.find(({ name }) => name === petName) ?? (await create());
      });
      return await agent.call('drill', { sandbox, outcome: { success: true, results: [pet] } });
    };
    const failed = await run(false);
    expect([failed.data.verdict, failed.isError]).toEqual(['fail', false]);
    expect(failed.text).toMatch(/^Next: correct the client: .*Then start the drill again/);
    const passed = await run(true);
    expect([passed.data.verdict, passed.text]).toEqual(['pass', expect.stringMatching(/^Next: start the next drill/)]);
  });
});
