/**
 * What a preview says of drafts of every kind: what breaks, what is unknown, and what is safe. The worst answer is that a client
 * keeps working when it does not.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Preview } from '../../../src/verdict/drafts/preview.ts';
import { sharedServer } from '../../support/server.ts';
import { type Change, type Draft, draftWith, postDraft, previewOf, ref } from './breaking-drafts.ts';

const server = await sharedServer();

/** A client that keeps to today's specification and uses all of it. */
const client = await server.sandbox();
const asJson = { Accept: 'application/json', 'User-Agent': 'shop/1' };
await client.get('/v1/pets', asJson);
await client.get('/v1/pets?limit=20&status=available', asJson);
const rex = { name: 'Rex', categoryId: 9_000_000, status: 'available' };
await client.post('/v1/pets', rex, { ...asJson, 'Idempotency-Key': 'k1' });
await client.get('/v1/pets/1', asJson);

const draft = (d: Draft) => d;
const paths = (d: Draft) => d.paths;
const pets = (d: Draft) => d.paths['/pets'];
const list = (d: Draft) => pets(d).get;
const create = (d: Draft) => pets(d).post;
const byId = (d: Draft) => d.paths['/pets/{petId}'];
const one = (d: Draft) => byId(d).get;
const limit = (d: Draft) => list(d).parameters[0];
const limitSchema = (d: Draft) => limit(d).schema;
const status = (d: Draft) => list(d).parameters[1];
const petId = (d: Draft) => one(d).parameters[0];
const body = (d: Draft) => create(d).requestBody;
const listed = (d: Draft) => list(d).responses;
const created = (d: Draft) => create(d).responses;
const schemas = (d: Draft) => d.components.schemas;
const newPet = (d: Draft) => schemas(d).NewPet;
const newFields = (d: Draft) => newPet(d).properties;
const newName = (d: Draft) => newFields(d).name;
const pet = (d: Draft) => schemas(d).Pet;
const fields = (d: Draft) => pet(d).properties;
const petName = (d: Draft) => fields(d).name;
const error = (d: Draft) => d.components.responses.Error;
const schemes = (d: Draft) => d.components.securitySchemes;
const key = (d: Draft) => schemes(d).apiKey;

/** Schemas, and parts around them. */
const string = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
const integer = { type: 'integer' };
const int64 = { ...integer, format: 'int64' };
const int32To = (maximum: number) => ({ type: 'integer', format: 'int32', maximum });
const empty = { type: 'object' };
const object = (properties: object, ...required: string[]) => ({ type: 'object', required, properties });
const array = (items: object) => ({ type: 'array', items });
const enums = (...words: string[]) => words.map((word) => ({ type: 'string', enum: [word] }));
const content = (type: string, schema: unknown = empty) => ({ content: { [type]: { schema } } });
const json = (schema: unknown) => content('application/json', schema);
const keyIn = (place: string, name: string) => ({ apiKey: { type: 'apiKey', in: place, name } });
const http = (scheme: string) => ({ type: 'http', scheme });
const oauth = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://x/', scopes: {} } } };
const security = (...ways: object[]) => ({ security: ways });
const servers = (...urls: string[]) => ({ servers: urls.map((url) => ({ url })) });
const needed = (name: string, place: string, schema = string) => ({ name, in: place, required: true, schema });
const takes = (name: string, place: string) => (op: Draft) => op.parameters.push({ name, in: place, schema: string });
const takesDefault = (name: string, place: string) => (op: Draft) =>
  op.parameters.push({ name, in: place, schema: { ...string, default: 'x' } });
const needs = (name: string, place: string) => (op: Draft) => op.parameters.push(needed(name, place));
const takesHeader = (name: string, schema: object) => (op: Draft) => op.parameters.push({ name, in: 'header', schema });
const withParameter = (name: string, place: string) => ({ parameters: [needed(name, place)] });
const versions = (...names: string[]) => {
  const version = { default: names[0], ...(names.length > 1 && { enum: names }) };
  return { servers: [{ url: 'https://{host}/{version}', variables: { host: { default: 'x' }, version } }] };
};
const none = { 204: { description: 'None.' } };
const gone = (...names: string[]) => Object.fromEntries(names.map((name) => [name, undefined]));

/** A part of a draft that has further components. */
const having =
  (components: object, part = draft) =>
  (d: Draft) => {
    for (const [name, more] of Object.entries(components))
      d.components[name] = { ...d.components[name], ...structuredClone(more) };
    return part(d);
  };
const havingScheme = (name: string, scheme: object, part = draft) =>
  having({ securitySchemes: { [name]: scheme } }, part);
const renamed = (from: string, to: string) => (part: Draft) => {
  part[to] = part[from];
  delete part[from];
};
const renamedType = (type: string) => (part: Draft) => renamed('application/json', type)(part.content);
const requires = (name: string, schema: object) => (part: Draft) => {
  part.properties[name] = schema;
  part.required.push(name);
};
const requiresOnly =
  (...required: string[]) =>
  (part: Draft) =>
    Object.assign(part, { required });
const titled = (part: Draft) => {
  const { name, ...rest } = part.properties;
  Object.assign(part, { properties: { title: name, ...rest }, required: ['title', 'categoryId'] });
};
/** As OpenAPI 3.0 writes it. */
const in30 =
  (change: Change = () => undefined) =>
  (d: Draft) => {
    delete d.jsonSchemaDialect;
    d.openapi = '3.0.3';
    change(d);
  };

/** What a draft does, a part of it, the fields that are set there (or a change of it), and a text that the answer contains. */
type Row = [does: string, part: (d: Draft) => Draft, change: object | Change, says?: string];

/** By the rule that they break, with its location, and more where a slash is not enough. */
const BREAKS: Readonly<Record<string, readonly Row[]>> = {
  authentication: [
    ['takes the key in a header', schemes, keyIn('header', 'X-API-Key'), 'header/x-api-key'],
    ['takes the key in the query', schemes, keyIn('query', 'api_key'), 'query/api_key'],
    ['takes the key in a cookie', schemes, keyIn('cookie', 'session'), 'cookie/session'],
    ['takes Basic', schemes, { apiKey: http('Basic') }, 'header/authorization'],
    [
      'needs a second scheme',
      havingScheme('shop', keyIn('header', 'X-Shop').apiKey),
      security({ apiKey: [], shop: [] }),
      'header/x-shop',
    ],
    [
      'needs another scheme for a list',
      havingScheme('b', keyIn('header', 'X-B').apiKey, list),
      security({ b: [] }),
      'header/x-b',
    ],
    [
      'has a scheme by reference',
      havingScheme('real', keyIn('header', 'X-Key').apiKey, schemes),
      { apiKey: { $ref: '#/components/securitySchemes/real' } },
      'header/x-key',
    ],
  ],
  removed: [
    ['has another base path', draft, servers('/v2'), 'operation listPets moved to GET /v2/pets'],
    ['has a server that begins alike', draft, servers('/v10'), 'operation listPets'],
    ['has another server for one operation', create, servers('/v2'), 'operation createPet'],
    ['has no base path', draft, servers('/'), 'operation listPets moved to GET /pets'],
    ['moves an operation to a method', pets, renamed('post', 'put'), 'operation createPet moved to PUT /v1/pets'],
    ['has no operation of today', draft, { paths: {} }, 'operation listPets'],
    ['renames a path', paths, renamed('/pets/{petId}', '/animals/{petId}'), 'operation getPet'],
    [
      'removed an operation already',
      one,
      { 'x-sunset': '2020-01-01' },
      'operation getPet is removed on 2020-01-01 by the draft',
    ],
  ],
  gone: [
    ['renames a parameter', limit, { name: 'pageSize' }, 'query/limit listPets the draft has no query parameter limit'],
    ['drops a parameter', list, (op: Draft) => op.parameters.pop(), 'query/status'],
    ['moves a parameter into a header', limit, { in: 'header' }, 'query/limit'],
    ['takes no body', create, gone('requestBody'), 'body'],
    ['renames a field', newPet, titled, 'body/name'],
    ['drops an optional field', newFields, gone('status'), 'body/status'],
    [
      'drops a field and forbids others',
      newPet,
      (schema) => delete Object.assign(schema, { additionalProperties: false }).properties.status,
      'body/status',
    ],
    ['makes a field impossible', newFields, { status: false }, 'body/status'],
    ['makes a field read-only', newFields, { status: { ...string, readOnly: true } }, 'body/status'],
  ],
  required: [
    ['needs a new parameter', list, needs('shop', 'query'), 'query/shop'],
    ['needs a new parameter of a path', pets, withParameter('shop', 'query'), 'query/shop createPet'],
    [
      'needs a parameter by reference',
      having({ parameters: { shop: needed('shop', 'query') } }, list),
      (op) => op.parameters.push({ $ref: '#/components/parameters/shop' }),
      'query/shop',
    ],
    ['requires a field', newPet, requires('color', string), 'body/color'],
    [
      'requires a field by allOf',
      having({ schemas: { Colored: object({ color: string }, 'color') } }, body),
      json({ allOf: [ref('NewPet'), ref('Colored')] }),
      'body/color',
    ],
    ['needs a field called description', newPet, requires('description', string), 'body/description'],
    ['needs a field if another is sent', newPet, { dependentSchemas: { status: { required: ['x'] } } }, 'body/x'],
    ['wraps the body', body, json(object({ pet: ref('NewPet') }, 'pet')), 'body/pet'],
    ['needs a header', list, needs('X-Shop', 'header'), 'header/x-shop listPets'],
    ['needs a cookie', list, needs('shop', 'cookie'), 'cookie/shop listPets'],
  ],
  format: [
    ['takes ids that are UUIDs', petId, { schema: uuid }, 'path/petId'],
    [
      'needs a key against repeats of a form',
      create,
      { parameters: [needed('Idempotency-Key', 'header', uuid)] },
      'header/idempotency-key',
    ],
  ],
  type: [
    ['makes a parameter a boolean', status, { schema: { type: 'boolean' } }, 'query/status'],
    ['makes a field a text', newFields, { categoryId: string }, 'body/categoryId'],
  ],
  'content-type': [
    ['takes another media type', body, content('application/xml'), 'header/content-type'],
    ['takes a JSON of its own', body, renamedType('application/vnd.pets+json'), 'header/content-type'],
  ],
  maximum: [['makes a field int32 of a small range', newFields, { categoryId: int32To(100) }, 'body/categoryId']],
  exclusiveMaximum: [
    [
      'lowers a maximum exclusively, as 3.0 writes it',
      draft,
      in30((d) => Object.assign(limitSchema(d), { maximum: 20, exclusiveMaximum: true })),
      'query/limit',
    ],
  ],
  minimum: [['limits ids in a path', petId, { schema: { ...integer, minimum: 2 } }, 'path/petId']],
  dependentRequired: [['has a field that needs another', newPet, { dependentRequired: { status: ['x'] } }, 'body']],
  not: [['forbids a field by not', newPet, { not: { required: ['status'] } }, 'body']],
  enum: [
    [
      'obeys what stands next to a reference',
      newFields,
      { status: { ...ref('PetStatus'), enum: ['sold'] } },
      'body/status',
    ],
    ['narrows a header', list, takesHeader('User-Agent', { enum: ['x'] }), 'header/user-agent'],
  ],
  pattern: [['has a pattern', newName, { pattern: '^[a-z]+$' }, 'body/name']],
  oneOf: [['has two schemas that do not fit', newFields, { status: { oneOf: enums('a', 'b') } }, 'body/status']],
};

const [HAL, PROBLEM] = ['application/hal+json', 'application/problem+json'] as const;
const UNKNOWN: readonly Row[] = [
  ['takes an OAuth token', schemes, { apiKey: oauth }, 'takes oauth2 (apiKey)'],
  ['takes a JWT', key, { bearerFormat: 'JWT' }, 'takes http JWT'],
  ['takes certificates', schemes, { apiKey: { type: 'mutualTLS' } }, 'mutualTLS'],
  ['takes the key without a scheme', schemes, keyIn('header', 'Authorization'), 'without a scheme'],
  ['needs scopes', draft, security({ apiKey: ['pets:read'] }), 'takes http pets:read'],
  ['names no server', draft, gone('servers'), 'listPets: path: no server'],
  ['has a server of any version', draft, versions('v2'), 'listPets: path'],
  ['has a relative server', draft, servers('../v1'), 'listPets: path: ../v1'],
  ['has another base path on another host', draft, servers('https://a.example/v2', 'https://b.example/v1'), 'path'],
  ["has one host and another without today's base", draft, servers('/v1', 'https://b.example/v2'), 'path'],
  ['hides read-only in allOf', newFields, { status: { allOf: [ref('PetStatus'), { readOnly: true }] } }, 'body'],
  [
    'has a field of responses that no value fits',
    fields,
    { status: { ...ref('PetStatus'), const: 'lost' } },
    '/status',
  ],
  ['has a text of responses that is a number', petName, { const: 20 }, '/name/const'],
  [
    'has a bound of more than 53 bits',
    newFields,
    { categoryId: { ...integer, minimum: 9007199254740994 } },
    'createPet: body/categoryId',
  ],
  ['describes an id as an object', petId, { schema: object({ a: integer }) }, 'getPet: path/petId'],
  ['needs a header that is not recorded', list, needs('Accept-Language', 'header'), 'header/accept-language: needed'],
  ['writes a parameter deeply', status, { style: 'deepObject' }, 'listPets: query/status'],
  [
    'spreads a parameter over several names',
    list,
    (op) => op.parameters.push({ name: 'f', in: 'query', schema: object({ limit: { maximum: 3 } }) }),
    'listPets: query/f',
  ],
  ['writes a path in a matrix', petId, { style: 'matrix' }, 'getPet: path/petId'],
  ['describes a parameter by a media type', limit, { schema: undefined, ...json(integer) }, 'listPets: query/limit'],
  ['chooses a body by a discriminator', newPet, { discriminator: { propertyName: 'name' } }, 'discriminator'],
  ['describes no field of the body', body, json(empty), 'createPet: body'],
  ['does not describe the body', body, { content: { 'application/json': {} } }, 'createPet: body'],
  ['adds an enum value', schemas, ({ PetStatus }) => PetStatus.enum.push('reserved'), 'status/enum changed'],
  ['makes a field nullable in 3.0', draft, in30((d) => (petName(d).nullable = true)), 'name/type'],
  [
    'drops a field of responses',
    pet,
    (schema) => delete requiresOnly('id', 'name')(schema).properties.categoryId,
    'categoryId gone',
  ],
  [
    'renames a field of responses',
    pet,
    (schema) => renamed('id', 'petId')(requiresOnly('petId', 'name')(schema).properties),
    '/id gone',
  ],
  ['makes a field write-only', petName, { writeOnly: true }, '/name/writeOnly'],
  ['makes a field of responses optional', pet, requiresOnly('id', 'name'), 'required changed'],
  ['makes ids texts', fields, { id: uuid }, 'id/type changed'],
  ['has statuses of any text', fields, { status: string }, 'status/enum gone'],
  ['answers with another media type', listed, { 200: content(HAL, ref('Pets')) }, 'content/application/json gone'],
  ['answers 202', created, renamed('201', '202'), 'responses/202 new'],
  ['may answer 204 as well', listed, none, 'responses/204 new'],
  ['has other errors', error, content(PROBLEM), 'responses/default/content/application/json gone'],
  ['describes no body of a response', listed, { 200: { description: 'A list.' } }, 'responses/200/content gone'],
  [
    'has a pet of two kinds',
    having({ schemas: { Cat: { allOf: [ref('Pet')] }, Stray: object({ id: { ...integer, format: 'int64' } }, 'id') } }),
    (d) => Object.assign(schemas(d).Pets, { items: { oneOf: [ref('Cat'), ref('Stray')] } }),
    'schema/items/oneOf new',
  ],
  [
    'raises the default by reference',
    having({ schemas: { L: { ...integer, default: 50 } } }, limit),
    { schema: ref('L') },
    'listPets: query/limit',
  ],
  ['drops the default', limitSchema, gone('default'), 'listPets: query/limit'],
  ['hides a default in allOf', limit, { schema: { allOf: [integer, { default: 10 }] } }, 'listPets: query/limit'],
  ['gives a filter a default', status, { schema: { ...string, default: 'sold' } }, 'listPets: query/status'],
  ['has a new parameter with a default', list, takesDefault('sort', 'query'), 'listPets: query/sort'],
  [
    'has a new field with a default',
    newFields,
    { color: { ...string, default: 'red' } },
    'createPet: body: new: color/default',
  ],
  ['writes a list with bars', status, { style: 'pipeDelimited', schema: array(string) }, 'query/status'],
  ['encodes a field', newName, { contentEncoding: 'base64' }, 'createPet: body: new: name/contentEncoding'],
  ['has an unknown format', newName, { format: 'dog' }, 'createPet: body: new: name/format'],
  [
    'loses what is required in parts',
    schemas,
    { Pet: { allOf: [ref('NewPet'), object({ id: int64 })] } },
    'required changed',
  ],
  ['encodes a field of responses', petName, { contentEncoding: 'base64' }, 'contentEncoding new: base64'],
  [
    'has a nullable field by allOf in 3.0',
    draft,
    in30((d) => (fields(d).status = { allOf: [ref('PetStatus')], nullable: true })),
    'status/anyOf',
  ],
  ['leaves nullable in 3.1', petName, { nullable: true }, 'nullable new: true'],
  ['chooses a pet by a discriminator', pet, { discriminator: { propertyName: 'name' } }, 'discriminator'],
  ['has pets in a tuple', schemas, { Pets: { ...array(ref('Error')), prefixItems: [ref('Pet')] } }, 'prefixItems new'],
  ['answers with any media type', (d) => listed(d)[200], renamedType('*/*'), 'content/*/* new'],
  ['has another form of a new error', listed, { 429: { description: 'x', ...content(PROBLEM) } }, 'responses/429'],
  ['calls the client', create, { callbacks: { done: { '{$url}': { post: { responses: none } } } } }, 'callbacks/done'],
  ['has a special pet', paths, { '/pets/1': { get: { responses: none } } }, 'responses/200 gone'],
  [
    'swaps an operation',
    paths,
    ((d) =>
      (Object.assign(d, { '/cats': { get: d['/pets'].get } })['/pets'].get = {
        ...d['/pets'].get,
        operationId: 'search',
      })) as Change,
    '/cats',
  ],
  ['removes a parameter on a date', limit, { 'x-sunset': '2031-02-03' }, 'listPets: query/limit'],
  [
    'removes a field on a date',
    newFields,
    (fields) => Object.assign(fields.categoryId, { 'x-sunset': '2020-01-01' }),
    'createPet: body: new: categoryId/x-sunset',
  ],
];

const ENDS = { deprecated: true, 'x-sunset': '2031-02-03' };
const MANY = ['https://api.example.com/v2', 'https://api.example.com/v1'];
const SAFE: readonly Row[] = [
  ['is that of today', draft, {}, 'getPet operation is deprecated and is to be removed on 2030-12-05'],
  ['is written in 3.0', draft, in30()],
  ['takes another scheme as well', havingScheme('other', http('basic')), security({ other: [] }, { apiKey: [] })],
  ['needs no key', draft, security()],
  ['has optional keys', draft, security({}, { apiKey: [] })],
  ['writes the scheme in capitals', key, { scheme: 'Bearer' }],
  ['has several servers', draft, servers(...MANY)],
  [
    'has the version in its paths',
    draft,
    (d) =>
      Object.assign(d, servers('/'), {
        paths: Object.fromEntries(Object.entries(d.paths).map(([path, item]) => [`/v1${path}`, item])),
      }),
  ],
  [
    'renames a parameter of a path',
    (d) => Object.assign(petId(d), { name: 'id' }) && d.paths,
    renamed('/pets/{petId}', '/pets/{id}'),
  ],
  ['has an optional parameter', list, takes('sort', 'query')],
  ['describes headers that are no parameters', list, needs('Accept', 'header')],
  ['has a list of statuses', status, { schema: array(ref('PetStatus')), explode: false }],
  ['lowers a maximum that is not reached', limitSchema, { maximum: 50 }],
  ['deprecates a parameter', limit, { deprecated: true }],
  ['deprecates an operation', create, ENDS, 'createPet operation is deprecated and is to be removed on 2031-02-03'],
  ['brings a removal forward', one, { 'x-sunset': '2029-01-01' }, 'removed on 2029-01-01'],
  ['has an optional field', newFields, { color: string }],
  ['takes another media type as well', (d) => body(d).content, content('application/xml').content],
  ['takes any media type', body, renamedType('application/*')],
  ['has a schema by allOf', body, json({ allOf: [ref('NewPet')] })],
  ['has a schema by oneOf that fits', newFields, { categoryId: { oneOf: [integer, string] } }],
  [
    'ignores what stands next to a reference, as 3.0 does',
    draft,
    in30((d) => Object.assign(newFields(d), { status: { ...ref('PetStatus'), enum: ['sold'], nullable: true } })),
  ],
  [
    'has a tree of categories',
    having({ schemas: { Category: object({ children: array(ref('Category')), parent: ref('Category') }) } }),
    (d) => [newFields(d), fields(d)].map((each) => Object.assign(each, { category: ref('Category') })),
  ],
  ['adds a field to responses', fields, { color: { ...string, examples: ['brown'] } }],
  ['requires a field of responses', pet, ({ required }) => required.push('status')],
  ['narrows a response', petName, { maxLength: 20 }],
  ['has a response by allOf', fields, { status: { allOf: [ref('PetStatus')], description: 'x' } }],
  ['adds an error', listed, { 429: { $ref: '#/components/responses/Error' } }],
  [
    'describes errors by class',
    (d) => [list(d), create(d), one(d)].map(({ responses }) => responses),
    (all) => {
      const error = { $ref: '#/components/responses/Error' };
      for (const each of all) Object.assign(each, gone('400', '401', '404'), { '4XX': error });
    },
  ],
  ['describes success by class', listed, renamed('200', '2XX')],
  [
    'moves security into each operation',
    (d) => [list(d), create(d), one(d)],
    (all) => all.map((op: Draft) => Object.assign(op, security({ apiKey: [] }))),
  ],
  ['renames its scheme', havingScheme('token', http('bearer')), security({ token: [] })],
  [
    'moves servers into each path',
    (d) => Object.values(paths(d)),
    (all) => all.map((item: Draft) => Object.assign(item, servers('/v1'))),
  ],
  [
    'moves parameters to the path',
    (d) => Object.assign(byId(d), { parameters: one(d).parameters }).get,
    gone('parameters'),
  ],
  [
    'has parameters by reference',
    having({ parameters: { p: { name: 'status', in: 'query', schema: ref('PetStatus') } } }, list),
    (op) => (op.parameters[1] = { $ref: '#/components/parameters/p' }),
  ],
  [
    'has a body by reference',
    (d) => Object.assign(d.components, { requestBodies: { b: body(d) } }) && create(d),
    { requestBody: { $ref: '#/components/requestBodies/b' } },
  ],
  ['gives a sent field a default', newFields, { status: { allOf: [ref('PetStatus')], default: 'sold' } }],
  ['makes a pet of parts', schemas, { Pet: { allOf: [ref('NewPet'), object({ id: int64 }, 'id')] } }],
  ['has a pet that contains pets', fields, { parent: ref('Pet') }],
  ['has a field called properties', newFields, { properties: object({ default: string }) }],
  ['has a field called description', fields, { description: string }],
  ['has a type in a list', petName, { type: ['string'] }],
  ['adds a response header', (d) => listed(d)[200], { headers: { 'X-Next': { schema: string } } }],
  ['has webhooks', draft, { webhooks: { added: { post: { responses: { 200: { description: 'OK' } } } } } }],
];

/** Drafts that are not understood, with the place or the word that is wrong. */
const REJECTED: readonly Row[] = [
  ['misspells requestBody', create, renamed('requestBody', 'requestbody'), 'Did you mean `requestBody`'],
  ['misspells security', list, { securty: [] }, 'securty'],
  ['misspells a field of the API', draft, { Security: [] }, '#/Security'],
  ['misspells a field that no request uses', paths, { '/owners': { get: { respones: {} } } }, 'respones'],
  ['has a date that is none', one, { 'x-sunset': 'soon' }, 'x-sunset: must be a date'],
  ['misspells a keyword', limitSchema, { defualt: 5 }, 'defualt'],
  ['misspells a status', listed, renamed('200', '20O'), '20O'],
  ['has a maximum that is a text', limitSchema, { maximum: '10' }, 'schema/maximum'],
  ['has parameters that are null', list, { parameters: null }, 'get/parameters'],
  ['has security that is null', list, { security: null }, 'get/security'],
  ['has a schema that is null', limit, { schema: null }, 'parameters/0/schema'],
  ['has an unknown scheme', draft, security({ apikey: [] }), 'no security scheme apikey'],
  [
    'has the same parameter twice',
    list,
    (op) => op.parameters.push({ ...op.parameters[0], required: true }),
    'parameters',
  ],
  ['has two operations of one id', create, { operationId: 'listPets' }, 'operationId'],
  ['names a schema by $id', newPet, { $id: 'https://x/y' }, 'NewPet/$id'],
  ['names a schema by $anchor', pet, { $anchor: 'pet' }, 'Pet/$anchor'],
  ['has a schema of another dialect', newPet, { $schema: 'http://json-schema.org/draft-07/schema#' }, 'NewPet/$schema'],
];

/** A line of today's text, what is written instead, and what comes of it. */
const TEXTS: readonly (readonly [line: string, instead: string, outcome: string])[] = [
  ['default: 20', '<<: { default: 10 }', 'default: 20 → default: 10'],
  ['default: 20', '<<: [{ default: 10 }, { default: 20 }]', 'default: 20 → default: 10'],
  ['default: 20', 'default: 20\n            <<: { default: 10 }', 'pass'],
  ['default: 20', 'default: 0x14', 'pass'],
  ['default: 20', '<<: *later', 'neither YAML nor JSON: Merge sources must be'],
  ['default: 20', '"<<": { default: 20 }', 'Property `<<` is not expected here'],
  ['default: 20', 'default: !ten 20', 'Unresolved tag: !ten'],
  ['maximum: 100', 'maximum: .nan', 'schema/maximum: must be a finite number'],
  ['maximum: 100', 'maximum: !!str 100', 'Expected type `number` but got `string`'],
  ["'200':", '200:', 'pass'],
  ['default: 20', '? [default]\n            : 20', 'all keys must be strings'],
  ['openapi: 3.1.0', '\ufeffopenapi: 3.1.0', 'pass'],
  ['default: 20', 'default: 20\r', 'pass'],
  ['default: 20', 'default: 2_0', 'default: 20 → default: "2_0"'],
  ['default: 20', 'default: "20"', 'default: 20 → default: "20"'],
  ['default: 20', 'Default: 20', 'Property `Default` is not expected'],
  ['required: false', 'required: no', 'Expected type `boolean` but got `string`'],
];

const changed =
  (part: Row[1], change: Row[2]): Change =>
  (d) =>
    typeof change === 'function' ? (change as Change)(part(d)) : Object.assign(part(d), structuredClone(change));

const stopsWorking = ({ findings }: Preview) => findings.filter(({ kind }) => kind === 'stopsWorking');

const allOf = (preview: Preview): string =>
  [
    ...stopsWorking(preview).map(
      ({ operation, rule, location, message }) => `${rule.replace('request/', '')} ${location} ${operation} ${message}`,
    ),
    ...preview.findings.map(({ operation, location, message }) => `${operation} ${location} ${message}`),
    ...preview.reasons,
  ].join('\n');

describe('the preview of a draft that', () => {
  const broken = Object.entries(BREAKS).flatMap(([rule, rows]) =>
    rows.map(([does, part, change, says]): Row => [does, part, change, `${rule} ${says}`]),
  );
  for (const [outcome, verdict, rows] of [
    ['fails', 'fail', broken],
    ['is incomplete', 'incomplete', UNKNOWN],
    ['passes', 'pass', SAFE],
  ] as const)
    it.each(rows)(`%s ${outcome}`, async (_, part, change, says = '') => {
      const preview = await previewOf(client, changed(part, change));
      expect([allOf(preview), preview.verdict]).toEqual([expect.stringContaining(says), verdict]);
    });

  it.each(REJECTED)('%s is rejected', async (_, part, change, says) => {
    const { status: code, json: answer } = await postDraft(client, draftWith(changed(part, change)));
    expect([code, answer.message]).toEqual([400, expect.stringContaining(says ?? '')]);
  });

  it.each(TEXTS)('writes `%s` as `%s` gives `%s`', async (line, instead, outcome) => {
    const today = readFileSync('spec/openapi.yaml', 'utf8');
    expect(today).toContain(`${line}\n`);
    const { json: answer } = await postDraft(
      client,
      today.replace(line, () => instead),
    );
    expect([answer.verdict, answer.message, ...(answer.reasons ?? [])].join('\n')).toContain(outcome);
  });

  it.each<[about: string, schema: object, verdict: string]>([
    ['the form', { ...string, pattern: '^[a-z]+$' }, 'incomplete'],
    ['the length', { ...string, maxLength: 5 }, 'incomplete'],
    ['the type', integer, 'incomplete'],
    ['nothing', string, 'pass'],
  ])('says %s of a token judges no value that was not recorded', async (_, schema, verdict) => {
    const other = await server.sandbox();
    await other.get('/v1/pets?token=a-secret', asJson);
    const preview = await previewOf(other, (d) => list(d).parameters.push({ name: 'token', in: 'query', schema }));
    const why = expect.stringMatching(/query\/token: .*not compared exactly/);
    expect(preview).toMatchObject({ verdict, reasons: verdict === 'pass' ? [] : [why] });
  });

  it('changes what no request uses passes, and says so in one line', async () => {
    const lister = await server.sandbox();
    await lister.get('/v1/pets?limit=20', asJson);
    const preview = await previewOf(lister, (d) => {
      delete d.paths['/pets/{petId}'];
      newName(d).maxLength = 2;
      fields(d).id = { type: 'integer', format: 'int32' };
      status(d).name = 'state';
      created(d)['201'].content = {};
      Object.assign(create(d), servers('/v2'));
    });
    expect(preview).toMatchObject({
      ...{ verdict: 'pass', reasons: [] },
      ...{ date: null, daysLeft: null, draft: 'Petstore service 1.0.0' },
    });
    const unused = preview.findings.filter(({ kind }) => kind === 'unusedChange');
    expect(unused.map(({ operation, message }) => [operation, message])).toEqual([
      ['createPet', expect.stringMatching('^changed, ')],
      ['getPet', expect.stringMatching('^removed, ')],
    ]);
  });

  it('removes an operation on a date fails from that date on', async () => {
    const change = changed(one, { 'x-sunset': '2031-06-01' });
    expect((await previewOf(client, change, '?at=2031-05-31')).verdict).toBe('pass');
    expect(await previewOf(client, change, '?at=2031-06-01')).toMatchObject({
      ...{ verdict: 'fail', date: '2031-06-01', draft: 'Petstore service 1.0.0' },
      findings: [{ rule: 'request/removed', sample: { instead: 'GET /v1/pets?limit=100' } }],
    });
  });

  it.each<[needs: string, part: Row[1], change: Row[2], instead: string | null, fix?: string]>([
    ['an int32', newFields, { categoryId: int32To(1) }, null, 'Send body/categoryId as the draft describes it'],
    ['a UUID', newPet, requires('owner', uuid), null, 'Add body/owner with the value that is meant'],
    ['a UUID in a path', petId, { schema: uuid }, null, 'Send path/petId as the draft describes it'],
    ['another name', newPet, titled, null, 'Ask what replaces body/name'],
    ['another filter', status, { name: 'state' }, null, 'Ask what replaces query/status'],
    ['a filter in a header', status, { in: 'header' }, null, 'Ask what replaces query/status'],
    [
      'a text',
      newFields,
      { categoryId: string },
      'POST /v1/pets {"name":"Rex","categoryId":"9000000","status":"available"}',
    ],
    [
      'a status in capitals',
      schemas,
      { PetStatus: { ...string, description: 'x', enum: ['AVAILABLE'] } },
      'GET /v1/pets?limit=20&status=AVAILABLE',
    ],
    ['another base path', draft, servers('/v2'), 'GET /v2/pets'],
    ['another operation', pets, gone('post'), null, 'Ask what replaces createPet, which the draft does not have'],
    ['another authentication', schemes, keyIn('header', 'X-API-Key'), null, 'Send `X-API-Key: <API_KEY>`'],
  ])('needs %s says how to fix it', async (_, part, change, instead, fix = '') => {
    const [found] = stopsWorking(await previewOf(client, changed(part, change)));
    expect(found).toMatchObject({ sample: { instead }, fix: expect.stringContaining(fix) });
  });
});

type Sent = Readonly<{ path?: string; headers?: Record<string, string>; pet?: object }>;
const shop = (d: Draft) => Object.assign(schemes(d), keyIn('header', 'X-Shop'));
const max = { name: 'Max', categoryId: 7 };
const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
/** A request that a draft breaks, or doesn't decide on, and one after its fix. */
const FIXES: readonly (readonly [does: string, part: Row[1], change: Row[2], before: Sent, after: Sent])[] = [
  ['takes the key in a header', draft, shop, {}, { headers: { 'X-Shop': 'k1' } }],
  ['takes the key in the query', schemes, keyIn('query', 'shop_key'), {}, { path: '?shop_key=k1' }],
  ['takes the key in a cookie', schemes, keyIn('cookie', 'shop'), {}, { headers: { Cookie: 'a=b; shop=k1' } }],
  ['needs a header', list, needs('X-Shop', 'header'), {}, { headers: { 'x-shop': 't' } }],
  ['needs a cookie', list, needs('shop', 'cookie'), {}, { headers: { Cookie: 'shop=1' } }],
  [
    'needs a key against repeats',
    create,
    { parameters: [needed('Idempotency-Key', 'header', uuid)] },
    { pet: max },
    { pet: max, headers: { 'Idempotency-Key': ID } },
  ],
  ['needs a parameter', list, needs('shop', 'query'), {}, { path: '?shop=1' }],
  ['needs a parameter of another case', list, needs('LIMIT', 'query'), { path: '?limit=2' }, { path: '?LIMIT=2' }],
  ...['constructor', 'toString', '__proto__'].flatMap((name): (typeof FIXES)[number][] => [
    [`needs a parameter ${name}`, list, needs(name, 'query'), {}, { path: `?${name}=1` }],
    [`needs a header ${name}`, list, needs(name, 'header'), {}, { headers: { [name]: '1' } }],
    [`needs a field ${name}`, newPet, requiresOnly('name', name), { pet: max }, { pet: { ...max, [name]: 1 } }],
  ]),
  ['forbids other fields', newPet, { additionalProperties: false }, { pet: { ...max, color: 'red' } }, { pet: max }],
  ['lowers a maximum', limitSchema, { maximum: 50 }, { path: '?limit=80' }, { path: '?limit=50' }],
  ['lowers a default', limitSchema, { default: 10 }, {}, { path: '?limit=20' }],
  ['drops a parameter', list, (op: Draft) => op.parameters.pop(), { path: '?status=sold' }, {}],
  ['narrows a text', newName, { maxLength: 3 }, { pet: { ...max, name: 'Maxim' } }, { pet: max }],
  [
    'drops an enum value',
    schemas,
    { PetStatus: { ...string, enum: ['sold', 'pending'] } },
    { path: '?status=available' },
    { path: '?status=sold' },
  ],
  ['requires a new field', newPet, requires('color', string), { pet: max }, { pet: { ...max, color: 'red' } }],
  ['removes an operation', paths, gone('/pets/{petId}'), { path: '/1' }, { path: '?limit=100' }],
];

describe('the fix for a draft that', () => {
  it.each(FIXES)('%s leads to green', async (_, part, change, before, after) => {
    const previewAfter = async ({ path = '', headers = {}, pet: sent }: Sent) => {
      const other = await server.sandbox();
      if (sent === undefined) await other.get(`/v1/pets${path}`, headers);
      else await other.post('/v1/pets', sent, headers);
      return previewOf(other, changed(part, change));
    };
    const broken = await previewAfter(before);
    expect(broken.verdict).not.toBe('pass');
    const fixed = await previewAfter(after);
    expect([fixed.verdict, fixed.reasons]).toEqual(['pass', []]);
    for (const instead of stopsWorking(broken).flatMap(({ sample }) => sample?.instead ?? [])) {
      const [, path = '', sent] = /^[A-Z]+ \/v1\/pets(\S*)(?: (.*))?$/.exec(instead) ?? [];
      const { verdict } = await previewAfter({ path, ...(sent !== undefined && { pet: JSON.parse(sent) }) });
      expect([instead, verdict]).toEqual([instead, 'pass']);
    }
  });
});
