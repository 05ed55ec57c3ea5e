/**
 * What a preview says of drafts of every kind: what breaks, what is unknown, and what is safe. The worst answer is that a client
 * keeps working when it does not.
 */
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import today from '../../src/generated/petstore.json' with { type: 'json' };
import type { Preview } from '../../src/report/preview.ts';
import type { Client } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test changes at will
type Draft = any;

const server = await startTestServer();

/** A client that keeps to today's specification and uses all of it. */
const client = await server.sandbox();
const asJson = { Accept: 'application/json', 'User-Agent': 'shop/1' };
await client.get('/v1/pets', asJson);
await client.get('/v1/pets?limit=20&status=available', asJson);
await client.post(
  '/v1/pets',
  { name: 'Rex', categoryId: 9_000_000, status: 'available' },
  { ...asJson, 'Idempotency-Key': 'k1' },
);
await client.get('/v1/pets/1', asJson);

/** One that only lists. */
const lister = await server.sandbox();
await lister.get('/v1/pets?limit=20', asJson);

async function previewOf(change: (draft: Draft) => void, by: Client = client, query = ''): Promise<Preview> {
  const draft = structuredClone(today) as Draft;
  change(draft);
  const body = stringify(draft, { aliasDuplicateObjects: false });
  const reply = await by.post(`/_sandbox/preview${query}`, body, { 'Content-Type': 'application/yaml' });
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
  return reply.json;
}

const list = (draft: Draft) => draft.paths['/pets'].get;
const create = (draft: Draft) => draft.paths['/pets'].post;
const one = (draft: Draft) => draft.paths['/pets/{petId}'].get;
const schemas = (draft: Draft) => draft.components.schemas;
const body = (draft: Draft) => create(draft).requestBody;
const newPet = (draft: Draft) => schemas(draft).NewPet;
const pet = (draft: Draft) => schemas(draft).Pet;
const schemes = (draft: Draft) => draft.components.securitySchemes;
const limit = (draft: Draft) => list(draft).parameters[0];
const status = (draft: Draft) => list(draft).parameters[1];
const isOld = (draft: Draft): void => {
  delete draft.jsonSchemaDialect;
  draft.openapi = '3.0.3';
};
const json = (schema: unknown) => ({ 'application/json': { schema } });

type Row = [draft: string, change: (draft: Draft) => void, says: string];

/** Each with a text that the answer contains: of a break its rule, place and message. */
const BREAKS: readonly Row[] = [
  [
    'takes the key in a header',
    (d) => {
      schemes(d).apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
    },
    'authentication header/x-api-key',
  ],
  [
    'takes the key in the query',
    (d) => {
      schemes(d).apiKey = { type: 'apiKey', in: 'query', name: 'api_key' };
    },
    'authentication query/api_key',
  ],
  [
    'takes the key in a cookie',
    (d) => {
      schemes(d).apiKey = { type: 'apiKey', in: 'cookie', name: 'session' };
    },
    'authentication cookie/session',
  ],
  [
    'takes Basic',
    (d) => {
      schemes(d).apiKey = { type: 'http', scheme: 'Basic' };
    },
    'authentication header/authorization',
  ],
  [
    'takes Digest',
    (d) => {
      schemes(d).apiKey = { type: 'http', scheme: 'digest' };
    },
    'authentication header/authorization',
  ],
  [
    'needs a second scheme',
    (d) => {
      schemes(d).shop = { type: 'apiKey', in: 'header', name: 'X-Shop-Key' };
      d.security = [{ apiKey: [], shop: [] }];
    },
    'authentication header/x-shop-key',
  ],
  [
    'needs another scheme for one operation',
    (d) => {
      schemes(d).admin = { type: 'http', scheme: 'basic' };
      create(d).security = [{ admin: [] }];
    },
    'createPet authentication',
  ],
  [
    'has a scheme by reference',
    (d) => {
      schemes(d).real = { type: 'apiKey', in: 'header', name: 'X-Key' };
      schemes(d).apiKey = { $ref: '#/components/securitySchemes/real' };
    },
    'authentication header/x-key',
  ],
  [
    'has another base path',
    (d) => {
      d.servers = [{ url: '/v2' }];
    },
    'base-path path the base path is /v2',
  ],
  [
    'has a host with another base path',
    (d) => {
      d.servers = [{ url: 'https://api.example.com/v2/' }];
    },
    'base-path path the base path is /v2',
  ],
  [
    'has a base path by a variable',
    (d) => {
      d.servers = [
        {
          url: 'https://{host}/{version}',
          variables: { host: { default: 'x' }, version: { default: 'v2', enum: ['v2', 'v3'] } },
        },
      ];
    },
    'base-path path the base path is /v2 or /v3',
  ],
  [
    'has another server for one operation',
    (d) => {
      create(d).servers = [{ url: '/v2' }];
    },
    'createPet base-path',
  ],
  [
    'has another server for one path',
    (d) => {
      d.paths['/pets/{petId}'].servers = [{ url: '/v2' }];
    },
    'getPet base-path',
  ],
  [
    'has no base path',
    (d) => {
      d.servers = [{ url: '/' }];
    },
    'base-path path the base path is /,',
  ],
  [
    'removes an operation',
    (d) => {
      delete d.paths['/pets'].post;
    },
    'createPet removed',
  ],
  [
    'renames a path',
    (d) => {
      d.paths['/animals/{petId}'] = d.paths['/pets/{petId}'];
      delete d.paths['/pets/{petId}'];
    },
    'getPet removed',
  ],
  [
    'has another method',
    (d) => {
      d.paths['/pets'].put = create(d);
      delete d.paths['/pets'].post;
    },
    'createPet removed',
  ],
  [
    'renames a parameter',
    (d) => {
      limit(d).name = 'pageSize';
    },
    'gone query/limit the draft has no query parameter limit',
  ],
  [
    'writes a parameter in capitals',
    (d) => {
      limit(d).name = 'Limit';
    },
    'gone query/limit',
  ],
  [
    'drops a parameter',
    (d) => {
      list(d).parameters.pop();
    },
    'gone query/status',
  ],
  [
    'moves a parameter into a header',
    (d) => {
      limit(d).in = 'header';
    },
    'gone query/limit',
  ],
  [
    'needs a new parameter',
    (d) => {
      list(d).parameters.push({ name: 'shop', in: 'query', required: true, schema: { type: 'string' } });
    },
    'required query/shop',
  ],
  [
    'needs a new parameter of a path',
    (d) => {
      d.paths['/pets'].parameters = [{ name: 'shop', in: 'query', required: true, schema: { type: 'string' } }];
    },
    'createPet required query/shop',
  ],
  [
    'needs a parameter by reference',
    (d) => {
      d.components.parameters = { shop: { name: 'shop', in: 'query', required: true, schema: { type: 'string' } } };
      list(d).parameters.push({ $ref: '#/components/parameters/shop' });
    },
    'required query/shop',
  ],
  [
    'lowers a maximum',
    (d) => {
      limit(d).schema.maximum = 10;
    },
    'maximum query/limit',
  ],
  [
    'lowers a maximum exclusively, as 3.0 writes it',
    (d) => {
      isOld(d);
      Object.assign(limit(d).schema, { maximum: 20, exclusiveMaximum: true });
    },
    'exclusiveMaximum query/limit',
  ],
  [
    'makes a parameter a boolean',
    (d) => {
      status(d).schema = { type: 'boolean' };
    },
    'type query/status',
  ],
  [
    'takes ids that are UUIDs',
    (d) => {
      one(d).parameters[0].schema = { type: 'string', format: 'uuid' };
    },
    'format path/petId',
  ],
  [
    'takes another media type',
    (d) => {
      body(d).content = { 'application/xml': { schema: { type: 'object' } } };
    },
    'content-type header/content-type',
  ],
  [
    'takes a JSON of its own',
    (d) => {
      body(d).content = { 'application/vnd.pets+json': body(d).content['application/json'] };
    },
    'content-type header/content-type',
  ],
  [
    'takes a form',
    (d) => {
      body(d).content = { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } };
    },
    'content-type header/content-type',
  ],
  [
    'takes no body',
    (d) => {
      delete create(d).requestBody;
    },
    'gone body',
  ],
  [
    'renames a field',
    (d) => {
      const { name, ...rest } = newPet(d).properties;
      newPet(d).properties = { title: name, ...rest };
      newPet(d).required = ['title', 'categoryId'];
    },
    'gone body/name',
  ],
  [
    'drops an optional field',
    (d) => {
      delete newPet(d).properties.status;
    },
    'gone body/status',
  ],
  [
    'drops a field and forbids others',
    (d) => {
      delete newPet(d).properties.status;
      newPet(d).additionalProperties = false;
    },
    'gone body/status',
  ],
  [
    'makes a field read-only',
    (d) => {
      newPet(d).properties.status = { type: 'string', readOnly: true };
    },
    'gone body/status',
  ],
  [
    'requires a field',
    (d) => {
      newPet(d).properties.color = { type: 'string' };
      newPet(d).required.push('color');
    },
    'required body/color',
  ],
  [
    'requires a field by allOf',
    (d) => {
      schemas(d).Colored = { type: 'object', required: ['color'], properties: { color: { type: 'string' } } };
      body(d).content = json({
        allOf: [{ $ref: '#/components/schemas/NewPet' }, { $ref: '#/components/schemas/Colored' }],
      });
    },
    'required body/color',
  ],
  [
    'makes a field int32 of a small range',
    (d) => {
      newPet(d).properties.categoryId = { type: 'integer', format: 'int32', maximum: 100 };
    },
    'maximum body/categoryId',
  ],
  [
    'makes a field a text',
    (d) => {
      newPet(d).properties.categoryId = { type: 'string' };
    },
    'type body/categoryId',
  ],
  [
    'makes a field an object',
    (d) => {
      newPet(d).properties.categoryId = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    },
    'type body/categoryId',
  ],
  [
    'takes out an enum value',
    (d) => {
      schemas(d).PetStatus.enum = ['pending', 'sold'];
    },
    'enum query/status',
  ],
  [
    'has a constant',
    (d) => {
      newPet(d).properties.name = { const: 'Max' };
    },
    'const body/name',
  ],
  [
    'has a pattern',
    (d) => {
      newPet(d).properties.name.pattern = '^[a-z]+$';
    },
    'pattern body/name',
  ],
  [
    'wraps the body',
    (d) => {
      body(d).content = json({
        type: 'object',
        required: ['pet'],
        properties: { pet: { $ref: '#/components/schemas/NewPet' } },
      });
    },
    'required body/pet',
  ],
  [
    'takes a list of pets',
    (d) => {
      body(d).content = json({ type: 'array', items: { $ref: '#/components/schemas/NewPet' } });
    },
    'type body',
  ],
  [
    'chooses from two schemas, and neither fits',
    (d) => {
      newPet(d).properties.status = {
        oneOf: [
          { type: 'string', enum: ['a'] },
          { type: 'string', enum: ['b'] },
        ],
      };
    },
    'createPet oneOf body/status',
  ],
  [
    'needs a key against repeats of a form',
    (d) => {
      create(d).parameters = [
        { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string', format: 'uuid' } },
      ];
    },
    'format header/idempotency-key',
  ],
  [
    'needs a key against repeats of a list',
    (d) => {
      list(d).parameters.push({ name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } });
    },
    'required header/idempotency-key',
  ],
  [
    'removed an operation already',
    (d) => {
      one(d)['x-sunset'] = '2020-01-01';
    },
    'getPet removed operation getPet is removed on 2020-01-01 by the draft',
  ],
];

const UNKNOWN: readonly Row[] = [
  [
    'takes an OAuth token',
    (d) => {
      schemes(d).apiKey = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://x/', scopes: {} } } };
    },
    'a token of apiKey (oauth2)',
  ],
  [
    'takes OpenID Connect',
    (d) => {
      schemes(d).apiKey = { type: 'openIdConnect', openIdConnectUrl: 'https://x/' };
    },
    'openIdConnect',
  ],
  [
    'takes a JWT',
    (d) => {
      schemes(d).apiKey.bearerFormat = 'JWT';
    },
    'format JWT',
  ],
  [
    'takes certificates',
    (d) => {
      schemes(d).apiKey = { type: 'mutualTLS' };
    },
    'mutualTLS',
  ],
  [
    'takes the key without a scheme',
    (d) => {
      schemes(d).apiKey = { type: 'apiKey', in: 'header', name: 'Authorization' };
    },
    'without a scheme',
  ],
  [
    'needs scopes',
    (d) => {
      d.security = [{ apiKey: ['pets:read'] }];
    },
    'scopes pets:read',
  ],
  [
    'names no server',
    (d) => {
      delete d.servers;
    },
    'the draft names no server',
  ],
  [
    'has a server of any version',
    (d) => {
      d.servers = [{ url: '/{version}', variables: { version: { default: 'v2' } } }];
    },
    'variable version',
  ],
  [
    'has a relative server',
    (d) => {
      d.servers = [{ url: '../v1' }];
    },
    'relative to the address',
  ],
  [
    'needs a header',
    (d) => {
      list(d).parameters.push({ name: 'X-Shop', in: 'header', required: true, schema: { type: 'string' } });
    },
    'needs the header X-Shop',
  ],
  [
    'needs a header by its path',
    (d) => {
      d.paths['/pets'].parameters = [{ name: 'X-Shop', in: 'header', required: true, schema: { type: 'string' } }];
    },
    'needs the header X-Shop',
  ],
  [
    'needs a cookie',
    (d) => {
      list(d).parameters.push({ name: 'shop', in: 'cookie', required: true, schema: { type: 'string' } });
    },
    'needs the cookie shop',
  ],
  [
    'writes a parameter deeply',
    (d) => {
      status(d).style = 'deepObject';
    },
    'style deepObject',
  ],
  [
    'writes a path in a matrix',
    (d) => {
      one(d).parameters[0].style = 'matrix';
    },
    'style matrix',
  ],
  [
    'describes a parameter by a media type',
    (d) => {
      delete limit(d).schema;
      limit(d).content = json({ type: 'integer' });
    },
    'by a media type',
  ],
  [
    'chooses a body by a discriminator',
    (d) => {
      newPet(d).discriminator = { propertyName: 'name' };
    },
    'discriminator',
  ],
  [
    'does not describe the body',
    (d) => {
      body(d).content = { 'application/json': {} };
    },
    'does not describe the body',
  ],
  [
    'adds an enum value',
    (d) => {
      schemas(d).PetStatus.enum.push('reserved');
    },
    'status may be reserved',
  ],
  [
    'makes a field nullable',
    (d) => {
      pet(d).properties.name.type = ['string', 'null'];
    },
    'name may be null',
  ],
  [
    'makes a field nullable, as 3.0 writes it',
    (d) => {
      isOld(d);
      pet(d).properties.name.nullable = true;
    },
    'name may be null',
  ],
  [
    'makes a field nullable by oneOf',
    (d) => {
      pet(d).properties.name = { oneOf: [{ type: 'string' }, { type: 'null' }] };
    },
    'name may be null',
  ],
  [
    'drops a field of responses',
    (d) => {
      delete pet(d).properties.categoryId;
      pet(d).required = ['id', 'name'];
    },
    'categoryId is gone',
  ],
  [
    'renames a field of responses',
    (d) => {
      pet(d).properties.petId = pet(d).properties.id;
      delete pet(d).properties.id;
      pet(d).required = ['petId', 'name'];
    },
    'id is gone',
  ],
  [
    'makes a field write-only',
    (d) => {
      pet(d).properties.name.writeOnly = true;
    },
    'name is gone',
  ],
  [
    'makes a field of responses optional',
    (d) => {
      pet(d).required = ['id', 'name'];
    },
    'categoryId may be missing',
  ],
  [
    'makes ids texts',
    (d) => {
      pet(d).properties.id = { type: 'string', format: 'uuid' };
    },
    'id may be a string, not an integer',
  ],
  [
    'makes ids numbers',
    (d) => {
      pet(d).properties.id = { type: 'number' };
    },
    'id may be a number',
  ],
  [
    'makes ids larger',
    (d) => {
      pet(d).properties.id = { type: 'integer' };
    },
    'id may be beyond int64',
  ],
  [
    'has statuses of any text',
    (d) => {
      pet(d).properties.status = { type: 'string' };
    },
    'status may be any text',
  ],
  [
    'wraps the list',
    (d) => {
      schemas(d).Pets = {
        type: 'object',
        required: ['items'],
        properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
      };
    },
    'body may be an object, not an array',
  ],
  [
    'answers with another media type',
    (d) => {
      list(d).responses['200'].content = { 'application/hal+json': { schema: { $ref: '#/components/schemas/Pets' } } };
    },
    'it comes as application/hal+json',
  ],
  [
    'answers 202',
    (d) => {
      create(d).responses['202'] = create(d).responses['201'];
      delete create(d).responses['201'];
    },
    '202 is new',
  ],
  [
    'may answer 204 as well',
    (d) => {
      list(d).responses['204'] = { description: 'None.' };
    },
    '204 is new',
  ],
  [
    'answers 204',
    (d) => {
      create(d).responses['204'] = { description: 'None.' };
      delete create(d).responses['201'];
    },
    '204 is new',
  ],
  [
    'redirects',
    (d) => {
      one(d).responses['308'] = { description: 'Moved.' };
    },
    '308 is new',
  ],
  [
    'has other errors',
    (d) => {
      d.components.responses.Error.content = { 'application/problem+json': { schema: { type: 'object' } } };
    },
    'it comes as application/problem+json',
  ],
  [
    'has errors without a code',
    (d) => {
      delete schemas(d).Error.properties.code;
    },
    'code is gone',
  ],
  [
    'describes no body of a response',
    (d) => {
      list(d).responses['200'] = { description: 'A list.' };
    },
    'it comes as no body',
  ],
  [
    'has a pet of two kinds',
    (d) => {
      schemas(d).Cat = { allOf: [{ $ref: '#/components/schemas/Pet' }] };
      schemas(d).Stray = { type: 'object', required: ['id'], properties: { id: { type: 'integer', format: 'int64' } } };
      schemas(d).Pets.items = { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Stray' }] };
    },
    'name is gone',
  ],
  [
    'has a date that is none',
    (d) => {
      one(d)['x-sunset'] = 'soon';
    },
    'which is no date',
  ],
];

const SAFE: readonly Row[] = [
  ['is that of today', () => undefined, 'getPet is deprecated and is to be removed on 2030-12-05'],
  ['is written in 3.0', isOld, ''],
  [
    'takes another scheme as well',
    (d) => {
      schemes(d).other = { type: 'http', scheme: 'basic' };
      d.security = [{ other: [] }, { apiKey: [] }];
    },
    '',
  ],
  [
    'needs no key',
    (d) => {
      d.security = [];
    },
    '',
  ],
  [
    'has optional keys',
    (d) => {
      d.security = [{}, { apiKey: [] }];
    },
    '',
  ],
  [
    'writes the scheme in capitals',
    (d) => {
      schemes(d).apiKey.scheme = 'Bearer';
    },
    '',
  ],
  [
    'has several servers',
    (d) => {
      d.servers = [{ url: 'https://api.example.com/v2' }, { url: 'https://api.example.com/v1' }];
    },
    '',
  ],
  [
    'has a base path by a variable',
    (d) => {
      d.servers = [
        {
          url: 'https://{host}/{version}',
          variables: { host: { default: 'x' }, version: { default: 'v1', enum: ['v1', 'v2'] } },
        },
      ];
    },
    '',
  ],
  [
    'has the version in its paths',
    (d) => {
      d.servers = [{ url: '/' }];
      d.paths = Object.fromEntries(Object.entries(d.paths).map(([path, item]) => [`/v1${path}`, item]));
    },
    '',
  ],
  [
    'renames a parameter of a path',
    (d) => {
      d.paths['/pets/{id}'] = d.paths['/pets/{petId}'];
      delete d.paths['/pets/{petId}'];
      one({ paths: { '/pets/{petId}': d.paths['/pets/{id}'] } }).parameters[0].name = 'id';
    },
    '',
  ],
  [
    'has a path by reference',
    (d) => {
      d['x-paths'] = { pets: d.paths['/pets'] };
      d.paths['/pets'] = { $ref: '#/x-paths/pets' };
    },
    '',
  ],
  [
    'has an optional parameter',
    (d) => {
      list(d).parameters.push({ name: 'sort', in: 'query', schema: { type: 'string' } });
    },
    'listPets query/sort',
  ],
  [
    'has an optional header',
    (d) => {
      list(d).parameters.push({ name: 'X-Shop', in: 'header', schema: { type: 'string' } });
    },
    '',
  ],
  [
    'describes headers that are no parameters',
    (d) => {
      list(d).parameters.push({ name: 'Accept', in: 'header', required: true, schema: { type: 'string' } });
    },
    '',
  ],
  [
    'has a list of statuses',
    (d) => {
      status(d).schema = { type: 'array', items: { $ref: '#/components/schemas/PetStatus' } };
      status(d).explode = false;
    },
    '',
  ],
  [
    'raises a maximum',
    (d) => {
      limit(d).schema.maximum = 1000;
    },
    '',
  ],
  [
    'lowers a maximum that is not reached',
    (d) => {
      limit(d).schema.maximum = 50;
    },
    'what these requests send still fits: listPets query/limit',
  ],
  [
    'deprecates a parameter',
    (d) => {
      Object.assign(limit(d), { deprecated: true, 'x-sunset': '2031-02-03' });
    },
    'listPets query/limit is deprecated and is to be removed on 2031-02-03',
  ],
  [
    'deprecates an operation',
    (d) => {
      Object.assign(create(d), { deprecated: true, 'x-sunset': '2031-02-03' });
    },
    'createPet is deprecated and is to be removed on 2031-02-03',
  ],
  [
    'brings a removal forward',
    (d) => {
      one(d)['x-sunset'] = '2029-01-01';
    },
    'removed on 2029-01-01',
  ],
  [
    'has an optional field',
    (d) => {
      newPet(d).properties.color = { type: 'string' };
    },
    'createPet body/color',
  ],
  [
    'takes another media type as well',
    (d) => {
      body(d).content['application/xml'] = { schema: { type: 'object' } };
    },
    '',
  ],
  [
    'takes any media type',
    (d) => {
      body(d).content = { 'application/*': body(d).content['application/json'] };
    },
    '',
  ],
  [
    'has a schema by allOf',
    (d) => {
      body(d).content = json({ allOf: [{ $ref: '#/components/schemas/NewPet' }] });
    },
    '',
  ],
  [
    'has a schema by oneOf that fits',
    (d) => {
      newPet(d).properties.categoryId = { oneOf: [{ type: 'integer' }, { type: 'string' }] };
    },
    '',
  ],
  [
    'ignores what stands next to a reference, as 3.0 does',
    (d) => {
      isOld(d);
      newPet(d).properties.status = { $ref: '#/components/schemas/PetStatus', enum: ['sold'], nullable: true };
    },
    '',
  ],
  [
    'has a tree of categories',
    (d) => {
      schemas(d).Category = {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Category' } },
          parent: { $ref: '#/components/schemas/Category' },
        },
      };
      newPet(d).properties.category = { $ref: '#/components/schemas/Category' };
      pet(d).properties.category = { $ref: '#/components/schemas/Category' };
    },
    'category is new',
  ],
  [
    'adds a field to responses',
    (d) => {
      pet(d).properties.color = { type: 'string', examples: ['brown'] };
    },
    '{"color":"brown"}',
  ],
  [
    'requires a field of responses',
    (d) => {
      pet(d).required.push('status');
    },
    '',
  ],
  [
    'narrows a response',
    (d) => {
      pet(d).properties.name.maxLength = 20;
    },
    '',
  ],
  [
    'has a response by allOf',
    (d) => {
      pet(d).properties.status = { allOf: [{ $ref: '#/components/schemas/PetStatus' }], description: 'x' };
    },
    '',
  ],
  [
    'adds an error',
    (d) => {
      list(d).responses['429'] = { $ref: '#/components/responses/Error' };
    },
    '429 is new',
  ],
  [
    'describes errors by class',
    (d) => {
      for (const each of [list(d), create(d), one(d)]) {
        for (const code of ['400', '401', '404']) delete each.responses[code];
        each.responses['4XX'] = { $ref: '#/components/responses/Error' };
      }
    },
    '',
  ],
  [
    'describes success by class',
    (d) => {
      list(d).responses['2XX'] = list(d).responses['200'];
      delete list(d).responses['200'];
    },
    '',
  ],
  [
    'has webhooks and callbacks',
    (d) => {
      d.webhooks = { added: { post: { responses: { 200: { description: 'OK' } } } } };
    },
    '',
  ],
  [
    'adds an operation',
    (d) => {
      d.paths['/owners'] = { get: { operationId: 'listOwners', responses: { 200: { description: 'Owners.' } } } };
    },
    'GET /owners is new',
  ],
];

const allOf = (preview: Preview): string =>
  [
    ...preview.breaks.map(({ operation, rule, location, message }) => `${operation} ${rule} ${location} ${message}`),
    ...preview.incompleteReasons,
    ...preview.warnings.map(({ message, sample }) => `${message} ${sample}`),
    ...preview.unused,
    ...preview.notes,
  ].join('\n');

describe('the preview of a draft that', () => {
  it.each(BREAKS)('%s fails', async (_, change, says) => {
    const preview = await previewOf(change);
    expect([allOf(preview), preview.verdict]).toEqual([expect.stringContaining(says), 'fail']);
  });

  it.each(UNKNOWN)('%s is incomplete', async (_, change, says) => {
    const preview = await previewOf(change);
    expect([allOf(preview), preview.verdict]).toEqual([expect.stringContaining(says), 'incomplete']);
  });

  it.each(SAFE)('%s passes', async (_, change, says) => {
    const preview = await previewOf(change);
    expect([allOf(preview), preview.verdict]).toEqual([expect.stringContaining(says), 'pass']);
  });

  it('changes what no request uses passes, and says so in one line', async () => {
    const preview = await previewOf((d) => {
      delete d.paths['/pets/{petId}'];
      newPet(d).properties.name.maxLength = 2;
      pet(d).properties.id = { type: 'integer', format: 'int32' };
      status(d).name = 'state';
      create(d).responses['201'].content = {};
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
    const change = (d: Draft): void => {
      one(d)['x-sunset'] = '2031-06-01';
    };
    expect((await previewOf(change, client, '?at=2031-05-31')).verdict).toBe('pass');
    const preview = await previewOf(change, client, '?at=2031-06-01');
    expect(preview).toMatchObject({ verdict: 'fail', date: '2031-06-01', draft: 'Petstore service 1.0.0' });
    expect(preview.breaks).toMatchObject([
      { operation: 'getPet', rule: 'removed', instead: 'GET /v1/pets?status=available&limit=100' },
    ]);
  });

  it.each<[string, (draft: Draft) => void, string | null, string]>([
    [
      'an int32',
      (d) => {
        newPet(d).properties.categoryId = { type: 'integer', format: 'int32', maximum: 1000 };
      },
      'POST /v1/pets {"name":"Rex","categoryId":1000,"status":"available"}',
      '',
    ],
    [
      'a UUID',
      (d) => {
        newPet(d).properties.owner = { type: 'string', format: 'uuid' };
        newPet(d).required.push('owner');
      },
      'POST /v1/pets {"name":"Rex","categoryId":9000000,"status":"available","owner":"3fa85f64-5717-4562-b3fc-2c963f66afa6"}',
      '',
    ],
    [
      'a UUID in a path',
      (d) => {
        one(d).parameters[0].schema = { type: 'string', format: 'uuid' };
      },
      null,
      'Send path/petId as the draft describes it: string (uuid)',
    ],
    [
      'another name of a field, with its value',
      (d) => {
        const { name, ...rest } = newPet(d).properties;
        newPet(d).properties = { title: name, ...rest };
        newPet(d).required = ['title', 'categoryId'];
      },
      'POST /v1/pets {"categoryId":9000000,"status":"available","title":"Rex"}',
      '',
    ],
    [
      'a text in place of a number',
      (d) => {
        newPet(d).properties.categoryId = { type: 'string' };
      },
      'POST /v1/pets {"name":"Rex","categoryId":"9000000","status":"available"}',
      '',
    ],
    [
      'another operation',
      (d) => {
        delete d.paths['/pets'].post;
      },
      null,
      'Ask what replaces createPet, which the draft does not have',
    ],
    [
      'another authentication',
      (d) => {
        schemes(d).apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
      },
      null,
      'Send `X-API-Key: <API_KEY>`',
    ],
  ])('needs %s says how to fix it', async (_, change, instead, fix) => {
    const [found] = (await previewOf(change)).breaks;
    expect(found?.instead).toBe(instead);
    expect(found?.fix).toContain(fix);
  });
});
