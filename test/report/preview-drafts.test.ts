/**
 * What a preview says of drafts of every kind: what breaks, what is unknown, and what is safe. The worst answer is that a client
 * keeps working when it does not.
 */
import { describe, expect, it } from 'vitest';
import type { Preview } from '../../src/report/preview.ts';
import type { Client } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { type Draft, draftWith } from './breaking-drafts.ts';

const server = await startTestServer();

/** A client that keeps to today's specification and uses all of it. */
const client = await server.sandbox();
const asJson = { Accept: 'application/json', 'User-Agent': 'shop/1' };
await client.get('/v1/pets', asJson);
await client.get('/v1/pets?limit=20&status=available', asJson);
const rex = { name: 'Rex', categoryId: 9_000_000, status: 'available' };
await client.post('/v1/pets', rex, { ...asJson, 'Idempotency-Key': 'k1' });
await client.get('/v1/pets/1', asJson);

/** One that only lists. */
const lister = await server.sandbox();
await lister.get('/v1/pets?limit=20', asJson);

async function previewOf(change: (draft: Draft) => unknown, by: Client = client, query = ''): Promise<Preview> {
  const reply = await by.post(`/_sandbox/preview${query}`, draftWith(change), { 'Content-Type': 'application/yaml' });
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
  return reply.json;
}

const draft = (d: Draft) => d;
const paths = (d: Draft) => d.paths;
const pets = (d: Draft) => d.paths['/pets'];
const list = (d: Draft) => pets(d).get;
const create = (d: Draft) => pets(d).post;
const one = (d: Draft) => d.paths['/pets/{petId}'].get;
const limit = (d: Draft) => list(d).parameters[0];
const status = (d: Draft) => list(d).parameters[1];
const petId = (d: Draft) => one(d).parameters[0];
const body = (d: Draft) => create(d).requestBody;
const listed = (d: Draft) => list(d).responses;
const created = (d: Draft) => create(d).responses;
const schemas = (d: Draft) => d.components.schemas;
const newPet = (d: Draft) => schemas(d).NewPet;
const newFields = (d: Draft) => newPet(d).properties;
const pet = (d: Draft) => schemas(d).Pet;
const fields = (d: Draft) => pet(d).properties;
const schemes = (d: Draft) => d.components.securitySchemes;

/** Schemas, and parts around them. */
const string = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
const integer = { type: 'integer' };
const int32To = (maximum: number) => ({ type: 'integer', format: 'int32', maximum });
const empty = { type: 'object' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, ...required: string[]) => ({ type: 'object', required, properties });
const content = (type: string, schema: unknown = empty) => ({ content: { [type]: { schema } } });
const json = (schema: unknown) => content('application/json', schema);
const inHeader = (name: string) => ({ type: 'apiKey', in: 'header', name });
const keyIn = (place: string, name: string) => ({ apiKey: { type: 'apiKey', in: place, name } });
const http = (scheme: string) => ({ type: 'http', scheme });
const security = (...ways: object[]) => ({ security: ways });
const servers = (...urls: string[]) => ({ servers: urls.map((url) => ({ url })) });
const takes = (name: string, place: string) => (op: Draft) => op.parameters.push({ name, in: place, schema: string });
const needs = (name: string, place: string) => (op: Draft) => op.parameters.push(needed(name, place));
const needed = (name: string, place: string) => ({ name, in: place, required: true, schema: string });
const versions = (...names: string[]) => {
  const variables = { host: { default: 'x' }, version: { default: names[0], enum: names } };
  return { servers: [{ url: 'https://{host}/{version}', variables }] };
};
/** A part of a draft that has further schemes of authentication. */
const having =
  (schemesToo: object, part = draft) =>
  (d: Draft) =>
    Object.assign(schemes(d), schemesToo) && part(d);
const isOld = (d: Draft): void => {
  delete d.jsonSchemaDialect;
  d.openapi = '3.0.3';
};

/** What a draft does, a part of it, the fields that are set there (or a change of it), and a text that the answer contains. */
type Row = [does: string, part: (d: Draft) => Draft, change: object | ((part: Draft) => unknown), says?: string];

/** Each says of a break its rule, place and message. */
const BREAKS: readonly Row[] = [
  ['takes the key in a header', schemes, keyIn('header', 'X-API-Key'), 'authentication header/x-api-key'],
  ['takes the key in the query', schemes, keyIn('query', 'api_key'), 'authentication query/api_key'],
  ['takes the key in a cookie', schemes, keyIn('cookie', 'session'), 'authentication cookie/session'],
  ['takes Basic', schemes, { apiKey: http('Basic') }, 'authentication header/authorization'],
  ['takes Digest', schemes, { apiKey: http('digest') }, 'authentication header/authorization'],
  [
    'needs a second scheme',
    having({ shop: inHeader('X-Shop') }),
    security({ apiKey: [], shop: [] }),
    'authentication header/x-shop',
  ],
  [
    'needs another scheme for one operation',
    having({ admin: http('basic') }, create),
    security({ admin: [] }),
    'createPet authentication',
  ],
  [
    'has a scheme by reference',
    schemes,
    { real: inHeader('X-Key'), apiKey: { $ref: '#/components/securitySchemes/real' } },
    'authentication header/x-key',
  ],
  ['has another base path', draft, servers('/v2'), 'base-path path the base path is /v2'],
  ['has a host with another base path', draft, servers('https://api.example.com/v2/'), 'path the base path is /v2'],
  ['has a base path by a variable', draft, versions('v2', 'v3'), 'base-path path the base path is /v2 or /v3'],
  ['has another server for one operation', create, servers('/v2'), 'createPet base-path'],
  ['has another server for one path', (d) => paths(d)['/pets/{petId}'], servers('/v2'), 'getPet base-path'],
  ['has no base path', draft, servers('/'), 'base-path path the base path is /,'],
  ['removes an operation', pets, { post: undefined }, 'createPet removed'],
  ['renames a path', paths, renamed('/pets/{petId}', '/animals/{petId}'), 'getPet removed'],
  ['has another method', pets, renamed('post', 'put'), 'createPet removed'],
  ['renames a parameter', limit, { name: 'pageSize' }, 'gone query/limit the draft has no query parameter limit'],
  ['writes a parameter in capitals', limit, { name: 'Limit' }, 'gone query/limit'],
  ['drops a parameter', list, (op) => op.parameters.pop(), 'gone query/status'],
  ['moves a parameter into a header', limit, { in: 'header' }, 'gone query/limit'],
  ['needs a new parameter', list, needs('shop', 'query'), 'required query/shop'],
  ['needs a new parameter of a path', pets, { parameters: [needed('shop', 'query')] }, 'createPet required query/shop'],
  [
    'needs a parameter by reference',
    (d) => Object.assign(d.components, { parameters: { shop: needed('shop', 'query') } }) && list(d),
    (op) => op.parameters.push({ $ref: '#/components/parameters/shop' }),
    'required query/shop',
  ],
  ['lowers a maximum', limit, ({ schema }) => Object.assign(schema, { maximum: 10 }), 'maximum query/limit'],
  [
    'lowers a maximum exclusively, as 3.0 writes it',
    draft,
    (d) => [isOld(d), Object.assign(limit(d).schema, { maximum: 20, exclusiveMaximum: true })],
    'exclusiveMaximum query/limit',
  ],
  ['makes a parameter a boolean', status, { schema: { type: 'boolean' } }, 'type query/status'],
  ['takes ids that are UUIDs', petId, { schema: uuid }, 'format path/petId'],
  ['takes another media type', body, content('application/xml'), 'content-type header/content-type'],
  ['takes a JSON of its own', body, renamedType('application/vnd.pets+json'), 'content-type header/content-type'],
  ['takes a form', body, content('application/x-www-form-urlencoded'), 'content-type header/content-type'],
  ['takes no body', create, { requestBody: undefined }, 'gone body'],
  ['renames a field', newPet, titled, 'gone body/name'],
  ['drops an optional field', newFields, { status: undefined }, 'gone body/status'],
  [
    'drops a field and forbids others',
    newPet,
    (schema) => delete Object.assign(schema, { additionalProperties: false }).properties.status,
    'gone body/status',
  ],
  ['makes a field read-only', newFields, { status: { type: 'string', readOnly: true } }, 'gone body/status'],
  ['requires a field', newPet, requires('color', string), 'required body/color'],
  [
    'requires a field by allOf',
    (d) => Object.assign(schemas(d), { Colored: object({ color: string }, 'color') }) && body(d),
    json({ allOf: [ref('NewPet'), ref('Colored')] }),
    'required body/color',
  ],
  ['makes a field int32 of a small range', newFields, { categoryId: int32To(100) }, 'maximum body/categoryId'],
  ['makes a field a text', newFields, { categoryId: string }, 'type body/categoryId'],
  ['makes a field an object', newFields, { categoryId: object({ id: integer }, 'id') }, 'type body/categoryId'],
  ['takes out an enum value', schemas, ({ PetStatus }) => PetStatus.enum.shift(), 'enum query/status'],
  ['has a constant', newFields, { name: { const: 'Max' } }, 'const body/name'],
  ['has a pattern', newFields, ({ name }) => Object.assign(name, { pattern: '^[a-z]+$' }), 'pattern body/name'],
  ['wraps the body', body, json(object({ pet: ref('NewPet') }, 'pet')), 'required body/pet'],
  ['takes a list of pets', body, json({ type: 'array', items: ref('NewPet') }), 'type body'],
  [
    'chooses from two schemas, and neither fits',
    newFields,
    { status: { oneOf: ['a', 'b'].map((word) => ({ type: 'string', enum: [word] })) } },
    'createPet oneOf body/status',
  ],
  [
    'needs a key against repeats of a form',
    create,
    { parameters: [{ ...needed('Idempotency-Key', 'header'), schema: uuid }] },
    'format header/idempotency-key',
  ],
  [
    'needs a key against repeats of a list',
    list,
    needs('Idempotency-Key', 'header'),
    'required header/idempotency-key',
  ],
  ['removed an operation already', one, { 'x-sunset': '2020-01-01' }, 'getPet is removed on 2020-01-01 by the draft'],
];

const [HAL, PROBLEM] = ['application/hal+json', 'application/problem+json'] as const;
const UNKNOWN: readonly Row[] = [
  [
    'takes an OAuth token',
    schemes,
    { apiKey: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://x/', scopes: {} } } } },
    'a token of apiKey (oauth2)',
  ],
  [
    'takes OpenID Connect',
    schemes,
    { apiKey: { type: 'openIdConnect', openIdConnectUrl: 'https://x/' } },
    'openIdConnect',
  ],
  ['takes a JWT', schemes, ({ apiKey }) => Object.assign(apiKey, { bearerFormat: 'JWT' }), 'format JWT'],
  ['takes certificates', schemes, { apiKey: { type: 'mutualTLS' } }, 'mutualTLS'],
  ['takes the key without a scheme', schemes, keyIn('header', 'Authorization'), 'without a scheme'],
  ['needs scopes', draft, security({ apiKey: ['pets:read'] }), 'scopes pets:read'],
  ['names no server', draft, { servers: undefined }, 'the draft names no server'],
  [
    'has a server of any version',
    draft,
    { servers: [{ url: '/{version}', variables: { version: { default: 'v2' } } }] },
    'variable version',
  ],
  ['has a relative server', draft, servers('../v1'), 'relative to the address'],
  ['needs a header', list, needs('X-Shop', 'header'), 'needs the header X-Shop'],
  ['needs a header by its path', pets, { parameters: [needed('X-Shop', 'header')] }, 'needs the header X-Shop'],
  ['needs a cookie', list, needs('shop', 'cookie'), 'needs the cookie shop'],
  ['writes a parameter deeply', status, { style: 'deepObject' }, 'style deepObject'],
  ['writes a path in a matrix', petId, { style: 'matrix' }, 'style matrix'],
  ['describes a parameter by a media type', limit, { schema: undefined, ...json(integer) }, 'by a media type'],
  ['chooses a body by a discriminator', newPet, { discriminator: { propertyName: 'name' } }, 'discriminator'],
  ['does not describe the body', body, { content: { 'application/json': {} } }, 'does not describe the body'],
  ['adds an enum value', schemas, ({ PetStatus }) => PetStatus.enum.push('reserved'), 'status may be reserved'],
  ['makes a field nullable', (d) => fields(d).name, { type: ['string', 'null'] }, 'name may be null'],
  [
    'makes a field nullable, as 3.0 writes it',
    draft,
    (d) => [isOld(d), Object.assign(fields(d).name, { nullable: true })],
    'name may be null',
  ],
  ['makes a field nullable by oneOf', fields, { name: { oneOf: [string, { type: 'null' }] } }, 'name may be null'],
  [
    'drops a field of responses',
    pet,
    (schema) => delete Object.assign(schema, { required: ['id', 'name'] }).properties.categoryId,
    'categoryId is gone',
  ],
  [
    'renames a field of responses',
    pet,
    (schema) => renamed('id', 'petId')(Object.assign(schema, { required: ['petId', 'name'] }).properties),
    'id is gone',
  ],
  ['makes a field write-only', fields, ({ name }) => Object.assign(name, { writeOnly: true }), 'name is gone'],
  ['makes a field of responses optional', pet, { required: ['id', 'name'] }, 'categoryId may be missing'],
  ['makes ids texts', fields, { id: uuid }, 'id may be a string, not an integer'],
  ['makes ids numbers', fields, { id: { type: 'number' } }, 'id may be a number'],
  ['makes ids larger', fields, { id: integer }, 'id may be beyond int64'],
  ['has statuses of any text', fields, { status: string }, 'status may be any text'],
  [
    'wraps the list',
    schemas,
    { Pets: object({ items: { type: 'array', items: ref('Pet') } }, 'items') },
    'body may be an object, not an array',
  ],
  ['answers with another media type', (d) => listed(d)['200'], content(HAL, ref('Pets')), `it comes as ${HAL}`],
  ['answers 202', created, renamed('201', '202'), '202 is new'],
  ['may answer 204 as well', listed, { 204: { description: 'None.' } }, '204 is new'],
  ['answers 204', created, { 204: { description: 'None.' }, 201: undefined }, '204 is new'],
  ['redirects', (d) => one(d).responses, { 308: { description: 'Moved.' } }, '308 is new'],
  ['has other errors', (d) => d.components.responses.Error, content(PROBLEM), `it comes as ${PROBLEM}`],
  ['has errors without a code', (d) => schemas(d).Error.properties, { code: undefined }, 'code is gone'],
  ['describes no body of a response', listed, { 200: { description: 'A list.' } }, 'it comes as no body'],
  [
    'has a pet of two kinds',
    (d) =>
      Object.assign(schemas(d), {
        Cat: { allOf: [ref('Pet')] },
        Stray: object({ id: { type: 'integer', format: 'int64' } }, 'id'),
      }).Pets,
    { items: { oneOf: [ref('Cat'), ref('Stray')] } },
    'name is gone',
  ],
  ['has a date that is none', one, { 'x-sunset': 'soon' }, 'which is no date'],
];

const ENDS = { deprecated: true, 'x-sunset': '2031-02-03' };
const SAFE: readonly Row[] = [
  ['is that of today', draft, {}, 'getPet is deprecated and is to be removed on 2030-12-05'],
  ['is written in 3.0', draft, isOld],
  ['takes another scheme as well', having({ other: http('basic') }), security({ other: [] }, { apiKey: [] })],
  ['needs no key', draft, security()],
  ['has optional keys', draft, security({}, { apiKey: [] })],
  ['writes the scheme in capitals', schemes, ({ apiKey }) => Object.assign(apiKey, { scheme: 'Bearer' })],
  ['has several servers', draft, servers('https://api.example.com/v2', 'https://api.example.com/v1')],
  ['has a base path by a variable', draft, versions('v1', 'v2')],
  [
    'has the version in its paths',
    draft,
    (d) => {
      d.servers = [{ url: '/' }];
      d.paths = Object.fromEntries(Object.entries(d.paths).map(([path, item]) => [`/v1${path}`, item]));
    },
  ],
  [
    'renames a parameter of a path',
    (d) => Object.assign(petId(d), { name: 'id' }) && d.paths,
    renamed('/pets/{petId}', '/pets/{id}'),
  ],
  ['has a path by reference', (d) => Object.assign(d, { x: pets(d) }).paths, { '/pets': { $ref: '#/x' } }],
  ['has an optional parameter', list, takes('sort', 'query'), 'listPets query/sort'],
  ['has an optional header', list, takes('X-Shop', 'header')],
  ['describes headers that are no parameters', list, needs('Accept', 'header')],
  ['has a list of statuses', status, { schema: { type: 'array', items: ref('PetStatus') }, explode: false }],
  ['raises a maximum', limit, ({ schema }) => Object.assign(schema, { maximum: 1000 })],
  [
    'lowers a maximum that is not reached',
    (d) => limit(d).schema,
    { maximum: 50 },
    'send still fits: listPets query/limit',
  ],
  ['deprecates a parameter', limit, ENDS, 'listPets query/limit is deprecated and is to be removed on 2031-02-03'],
  ['deprecates an operation', create, ENDS, 'createPet is deprecated and is to be removed on 2031-02-03'],
  ['brings a removal forward', one, { 'x-sunset': '2029-01-01' }, 'removed on 2029-01-01'],
  ['has an optional field', newFields, { color: string }, 'createPet body/color'],
  ['takes another media type as well', (d) => body(d).content, content('application/xml').content],
  ['takes any media type', body, renamedType('application/*')],
  ['has a schema by allOf', body, json({ allOf: [ref('NewPet')] })],
  ['has a schema by oneOf that fits', newFields, { categoryId: { oneOf: [integer, string] } }],
  [
    'ignores what stands next to a reference, as 3.0 does',
    draft,
    (d) => [isOld(d), Object.assign(newFields(d), { status: { ...ref('PetStatus'), enum: ['sold'], nullable: true } })],
  ],
  [
    'has a tree of categories',
    schemas,
    (all) => {
      const properties = { id: integer, children: { type: 'array', items: ref('Category') }, parent: ref('Category') };
      all.Category = { type: 'object', properties };
      all.NewPet.properties.category = ref('Category');
      all.Pet.properties.category = ref('Category');
    },
    'category is new',
  ],
  ['adds a field to responses', fields, { color: { type: 'string', examples: ['brown'] } }, '{"color":"brown"}'],
  ['requires a field of responses', pet, ({ required }) => required.push('status')],
  ['narrows a response', fields, ({ name }) => Object.assign(name, { maxLength: 20 })],
  ['has a response by allOf', fields, { status: { allOf: [ref('PetStatus')], description: 'x' } }],
  ['adds an error', listed, { 429: { $ref: '#/components/responses/Error' } }, '429 is new'],
  [
    'describes errors by class',
    draft,
    (d) => {
      for (const each of [list(d), create(d), one(d)]) {
        for (const code of ['400', '401', '404']) delete each.responses[code];
        each.responses['4XX'] = { $ref: '#/components/responses/Error' };
      }
    },
  ],
  ['describes success by class', listed, renamed('200', '2XX')],
  ['has webhooks', draft, { webhooks: { added: { post: { responses: { 200: { description: 'OK' } } } } } }],
  [
    'adds an operation',
    paths,
    { '/owners': { get: { operationId: 'listOwners', responses: { 200: { description: 'Owners.' } } } } },
    'GET /owners is new',
  ],
];

function renamed(from: string, to: string) {
  return (part: Draft): void => {
    part[to] = part[from];
    delete part[from];
  };
}

function renamedType(type: string) {
  return ({ content }: Draft): void => renamed('application/json', type)(content);
}

function requires(name: string, schema: object) {
  return ({ properties, required }: Draft): void => {
    properties[name] = schema;
    required.push(name);
  };
}

function titled(schema: Draft): void {
  const { name, ...rest } = schema.properties;
  schema.properties = { title: name, ...rest };
  schema.required = ['title', 'categoryId'];
}

const changed =
  (part: Row[1], change: Row[2]) =>
  (d: Draft): unknown =>
    typeof change === 'function' ? change(part(d)) : Object.assign(part(d), structuredClone(change));

const allOf = (preview: Preview): string =>
  [
    ...preview.breaks.map(({ operation, rule, location, message }) => `${operation} ${rule} ${location} ${message}`),
    ...preview.incompleteReasons,
    ...preview.warnings.map(({ message, sample }) => `${message} ${sample}`),
    ...preview.unused,
    ...preview.notes,
  ].join('\n');

describe('the preview of a draft that', () => {
  for (const [outcome, verdict, rows] of [
    ['fails', 'fail', BREAKS],
    ['is incomplete', 'incomplete', UNKNOWN],
    ['passes', 'pass', SAFE],
  ] as const)
    it.each(rows)(`%s ${outcome}`, async (_, part, change, says = '') => {
      const preview = await previewOf(changed(part, change));
      expect([allOf(preview), preview.verdict]).toEqual([expect.stringContaining(says), verdict]);
    });

  it('changes what no request uses passes, and says so in one line', async () => {
    const preview = await previewOf((d) => {
      delete d.paths['/pets/{petId}'];
      newFields(d).name.maxLength = 2;
      fields(d).id = { type: 'integer', format: 'int32' };
      status(d).name = 'state';
      created(d)['201'].content = {};
    }, lister);
    expect([preview.verdict, preview.incompleteReasons, preview.breaks]).toEqual(['pass', [], []]);
    expect(preview.unused).toEqual([
      'listPets query/status',
      'listPets query/state',
      'createPet body/name',
      'getPet is removed',
      expect.stringContaining('createPet response 201: it comes as no body'),
    ]);
  });

  it('removes an operation on a date fails from that date on', async () => {
    const change = changed(one, { 'x-sunset': '2031-06-01' });
    expect((await previewOf(change, client, '?at=2031-05-31')).verdict).toBe('pass');
    const preview = await previewOf(change, client, '?at=2031-06-01');
    expect(preview).toMatchObject({ verdict: 'fail', date: '2031-06-01', draft: 'Petstore service 1.0.0' });
    expect(preview.breaks).toMatchObject([
      { operation: 'getPet', rule: 'removed', instead: 'GET /v1/pets?status=available&limit=100' },
    ]);
  });

  it.each<[needs: string, part: Row[1], change: Row[2], instead: string | null, fix: string]>([
    [
      'an int32',
      newFields,
      { categoryId: int32To(1000) },
      'POST /v1/pets {"name":"Rex","categoryId":1000,"status":"available"}',
      '',
    ],
    [
      'a UUID',
      newPet,
      requires('owner', uuid),
      'POST /v1/pets {"name":"Rex","categoryId":9000000,"status":"available","owner":"3fa85f64-5717-4562-b3fc-2c963f66afa6"}',
      '',
    ],
    ['a UUID in a path', petId, { schema: uuid }, null, 'Send path/petId as the draft describes it: string (uuid)'],
    [
      'another name of a field, with its value',
      newPet,
      titled,
      'POST /v1/pets {"categoryId":9000000,"status":"available","title":"Rex"}',
      '',
    ],
    [
      'a text in place of a number',
      newFields,
      { categoryId: string },
      'POST /v1/pets {"name":"Rex","categoryId":"9000000","status":"available"}',
      '',
    ],
    [
      'another operation',
      pets,
      { post: undefined },
      null,
      'Ask what replaces createPet, which the draft does not have',
    ],
    ['another authentication', schemes, keyIn('header', 'X-API-Key'), null, 'Send `X-API-Key: <API_KEY>`'],
  ])('needs %s says how to fix it', async (_, part, change, instead, fix) => {
    const [found] = (await previewOf(changed(part, change))).breaks;
    expect(found?.instead).toBe(instead);
    expect(found?.fix).toContain(fix);
  });
});
