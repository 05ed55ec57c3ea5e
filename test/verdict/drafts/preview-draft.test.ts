/** What stops working for a client with a draft of the specification: `POST /_sandbox/preview`. */
import { describe, expect, it } from 'vitest';
import type { Preview } from '../../../src/verdict/drafts/preview.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';
import { KINDS } from '../report/clients.ts';
import {
  type Change,
  DRAFTS,
  draftWith,
  limitOf,
  newPetOf,
  postDraft,
  previewOf,
  ref,
  sendAll,
} from './breaking-drafts.ts';

const server = await sharedServer();

/** What stops working with what to send instead, in the words of `DRAFTS`. */
const shown = ({ findings }: Preview): string[] =>
  findings
    .filter(({ kind }) => kind === 'stopsWorking')
    .map(({ operation, rule, location, count, sample }) =>
      [operation, rule.replace('request/', ''), location, `${count}: ${sample?.instead}`].join(' '),
    );

/** A draft in which the name of a new pet has this schema, which may need others. */
const named =
  (schema: object, others: object = {}): Change =>
  (draft) => {
    newPetOf(draft).properties.name = schema;
    Object.assign(draft.components.schemas, others);
  };
const NAME = '#/components/schemas/NewPet/properties/name';
const times = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));
const withPaths =
  (...paths: string[]): Change =>
  (draft) =>
    paths.map((path) => Object.assign(draft.paths, { [path]: { get: { responses: {} } } }));
const longPath = 'a path has at most 500 characters and 20 parameters';
/** A draft in which the schema of a name has a reference to the next schema, and so on. */
const chained = (length: number, withNext: (next: object) => object) =>
  named(ref('S0'), {
    ...Object.fromEntries(times(length, (n) => [`S${n}`, withNext(ref(`S${n + 1}`))])),
    [`S${length}`]: { type: 'string' },
  });
const EMPTY = 'openapi: 3.1.0\npaths: {}\n';
const unchanged: Change = () => undefined;

const recorded = await server.sandbox();
await sendAll(recorded);

describe('the preview of a draft', () => {
  it.each(DRAFTS)('that %s names exactly the requests that stop working', async (_, change, breaks) => {
    const preview = await previewOf(recorded, change);
    expect(shown(preview)).toEqual(breaks);
    expect(preview.verdict).toBe(breaks.length > 0 ? 'fail' : 'pass');
    expect(preview.requests).toMatchObject({ total: 11, failingAlready: 2, notExamined: 0 });
  });

  it('raises no false alarm on any kind of client, and none for what the standards allow', async () => {
    const client = await server.sandbox();
    for (const kind of ['sees every documented response', 'gets warnings', 'breaks the specification'])
      await KINDS[kind]?.(client);
    await KINDS['rounds integers']?.(client);
    await client.get('/v1/pets', { Authorization: `bearer ${client.key}` });
    await client.get('/v1/pets?LIMIT=500');
    const preview = await previewOf(client, unchanged);
    expect(new Set(preview.findings.map(({ kind }) => kind))).toEqual(
      new Set(['incomplete', 'harmlessChange', 'note']),
    );
    // A request that came with a revoked key: its body was not read.
    expect(preview.requests.notExamined).toBe(1);
  });

  it('finds a parameter behind a question mark in the value of another', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets?note=why?&limit=5');
    const { findings } = await previewOf(client, ({ paths }) => paths['/pets'].get.parameters.shift());
    expect(findings).toMatchObject([{ kind: 'stopsWorking', location: 'query/limit' }]);
  });

  it('proposes no request that has fewer values than the one that was sent', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets?tag=NEW&tag=old');
    await client.get('/v1/pets?tag=NEW');
    const tag = { name: 'tag', in: 'query', schema: { type: 'string', enum: ['new'] } };
    const preview = await previewOf(client, ({ paths }) => paths['/pets'].get.parameters.push(tag));
    expect(preview.failing.map(({ instead }) => instead)).toEqual([null, 'GET /v1/pets?tag=new']);
  });

  it('counts requests that it cannot examine, and is then incomplete', async () => {
    const client = await server.sandbox();
    await client.post('/v1/pets', { name: 'x'.repeat(20_000), categoryId: 1 });
    await client.send({ method: 'HEAD', path: '/v1/pets' });
    await client.get('/v1/pets');
    expect(await previewOf(client, unchanged)).toMatchObject({
      verdict: 'incomplete',
      requests: { total: 3, failing: 0, notExamined: 2 },
    });
    const header = { name: 'Accept-Language', in: 'header', required: true, schema: {} };
    const { requests } = await previewOf(client, ({ paths }) => paths['/pets'].get.parameters.push(header));
    expect(requests.notExamined).toBe(3);
  });

  it.each<[string, string | Change, string]>([
    ['no YAML', '{ "a": [', 'neither YAML nor JSON'],
    ['another document', 'swagger: "2.0"', '#/openapi: must be 3.0.x or 3.1.x'],
    [
      'a reference to a file',
      ({ paths }) => Object.assign(paths, { '/pets': { $ref: '/etc/passwd' } }),
      '#/paths/~1pets/$ref: must name a part of this specification',
    ],
    ['a reference to an address', named({ $ref: 'http://127.0.0.1:1/x' }), `${NAME}/$ref: must name a part of this`],
    ['a reference to nothing', named(ref('None')), 'got "#/components/schemas/None"'],
    [
      'an unknown keyword',
      named({ type: 'string', maxLenght: 20 }),
      `${NAME}/maxLenght: Property \`maxLenght\` is not expected here. Did you mean \`maxLength\`?`,
    ],
    ['a pattern that is illegal', named({ pattern: '\\-' }), `${NAME}/pattern: Invalid regular expression`],
    ['a keyword of a wrong type', named({ minLength: 'two' }), `${NAME}/minLength: Expected type \`integer\` but got`],
    ['a schema that is itself', named(ref('Loop'), { Loop: ref('Loop') }), 'is a reference to itself'],
    ['deep nesting', `${EMPTY}x-a: ${'['.repeat(70)}${']'.repeat(70)}`, 'nesting is limited to 64 levels'],
    [
      'many aliases of aliases',
      `${EMPTY}x0: &x0 [1]\n${times(20, (n) => `x${n + 1}: &x${n + 1} [*x${n}, *x${n}, *x${n}]\n`).join('')}`,
      'neither YAML nor JSON: Excessive alias count',
    ],
    ['1 MiB of ones in YAML', `[${'1,'.repeat(500_000)}1]`, 'at most 20,000 fields and list items'],
    ['1 MiB of ones in JSON', `{"x":[${'1,'.repeat(500_000)}1]}`, 'at most 20,000 fields and list items'],
    ['1 MiB of fields in lines', 'a: 1\n'.repeat(200_000), 'at most 20,000 fields and list items'],
    ['1 MiB of lines of a text', `a: |\n${' x\n'.repeat(349_000)}`, 'at most 20,000 fields and list items'],
    ['1 MiB of anchors', '- &a 1\n'.repeat(149_000), 'at most 20,000 fields and list items'],
    ['1 MiB of brackets', '['.repeat(1_048_576), 'nesting is limited to 64 levels'],
    ['1 MiB of closed brackets', ']'.repeat(1_048_576), 'neither YAML nor JSON'],
    ['1 MiB of objects in JSON', '{"a":'.repeat(209_000), 'nesting is limited to 64 levels'],
    ['1 MiB of hyphens', '- '.repeat(524_000), 'nesting is limited to 64 levels'],
    ['1 MiB of directives', '%A\n'.repeat(349_000), 'neither YAML nor JSON: it has too many directives'],
    ['an object that contains itself', 'openapi: 3.1.0\npaths: &a {a: *a}', 'nesting is limited to 64 levels'],
    ['a field given twice', `${EMPTY}paths: {}`, 'the field "paths" is given twice'],
    ['a field twice in JSON', '{"openapi":"3.1.0","paths":{},"paths":{"a":1}}', 'the field "paths" is given twice'],
    ['two documents', '--- {}\n--- {}', 'must be one document of YAML'],
    [
      'an alias that repeats too much',
      `${EMPTY}x: &x [${'{},'.repeat(400)}]\ny: [${'*x,'.repeat(90)}]`,
      'at most 20000 objects and lists',
    ],
    ['a path with 20,000 parameters', withPaths(`/${'{a}/'.repeat(20_000)}`), longPath],
    ['a path with 21 parameters', withPaths('/{a}'.repeat(21)), longPath],
    ['many paths', withPaths(...times(501, (n) => `/${n}`)), '#/paths: a specification has at most 500 paths'],
    [
      'references that multiply each other',
      chained(20, (next) => ({ allOf: Array(10).fill(next) })),
      'with all references followed, a specification has at most 100,000 objects and lists',
    ],
    [
      'a long chain of references',
      chained(2_000, (next) => ({ items: next })),
      'with all references followed, it has more than 300 levels',
    ],
  ])('rejects %s, and names the place', async (_, draft, message) => {
    const { status, json } = await postDraft(recorded, typeof draft === 'string' ? draft : draftWith(draft));
    expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
    expect(json.message.length).toBeLessThan(500);
  });

  it('reads a large draft: 200 paths, and 50 schemas with 20 fields each', async () => {
    const preview = await previewOf(recorded, (draft) => {
      limitOf(draft).maximum = 50;
      for (let n = 0; n < 198; n += 1)
        draft.paths[`/owners${n}`] = { get: { responses: { 200: { description: 'A text.' } } } };
      const properties = Object.fromEntries(times(20, (n) => [`p${n}`, { type: 'string' }]));
      for (let n = 0; n < 50; n += 1) draft.components.schemas[`S${n}`] = { type: 'object', properties };
    });
    expect(shown(preview)).toHaveLength(1);
  });

  it('ends a draft that takes too long, and serves others meanwhile', async () => {
    const impatient = await startTestServer({ threadMs: { verdict: limit(10_000), draft: 500, har: 500 } });
    const client = await impatient.sandbox();
    await client.post('/v1/pets', { name: `${'a'.repeat(40)}!`, categoryId: 1 });
    const slow = postDraft(client, draftWith(named({ pattern: '^(a+)+$' })));
    expect((await client.get('/v1/pets')).status).toBe(200);
    const { status, json } = await slow;
    expect([status, json.message]).toEqual([400, expect.stringContaining('it took longer than 0.5 seconds')]);
  });

  it('rejects another media type, and more than 1 MiB', async () => {
    const client = await server.sandbox();
    expect((await client.post('/_sandbox/preview', {})).status).toBe(415);
    expect((await postDraft(client, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  });
});
