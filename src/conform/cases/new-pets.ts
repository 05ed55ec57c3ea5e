/** Bodies that create pets. */
import { petStatuses } from '../../generated/facts.ts';
import { type Case, documented, type ProbeRequest, post } from './case.ts';
import { BEYOND_DOUBLE, ID, STATUS } from './lists.ts';

const creates = (
  rule: 'pet-created' | 'body-accepted',
  title: string,
  body: ProbeRequest['body'],
  pet: string,
  headers?: ProbeRequest['headers'],
): Case => ({
  title,
  section: 'Add a pet',
  rule,
  risk: 'creates',
  request: post(body, headers),
  status: documented('createPet', 201),
  pet,
});

const REX = '{"name":"Rex","categoryId":3}';
const ofCategory = (digits: string): string => `{"name":"Rex","categoryId":${digits}}`;

/** A NewPet with additional members, nested so deeply that the body has this many levels. */
export const nested = (levels: number): string =>
  `{"name":"a","categoryId":1,"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

/** Bodies that the specification describes. */
const described: readonly Case[] = [
  ...petStatuses.map((status) =>
    creates(
      'pet-created',
      `a new ${status} pet`,
      `{"status":"${status}","categoryId":3,"name":"Rex"}`,
      `{"name":"Rex","categoryId":3,"status":"${status}"}`,
    ),
  ),
  creates('pet-created', 'a new pet without a status', REX, REX),
  creates('pet-created', 'a body with white space around', ` \t\r\n${REX} \n`, REX),
  creates('pet-created', 'a body in two chunks', ['{"name":"Rex",', '"categoryId":3}'], REX),
  ...[ID.maximum, ID.minimum, BEYOND_DOUBLE].map((id) =>
    creates('pet-created', `${id} digit for digit`, ofCategory(`${id}`), ofCategory(`${id}`)),
  ),
  creates(
    'pet-created',
    'a name of many scripts',
    '{"name":"Zoë 小雪 🐶 \\"\\\\\\u0041\\n","categoryId":3}',
    '{"name":"Zoë 小雪 🐶 \\"\\\\A\\n","categoryId":3}',
  ),
];

/** Bodies that the sandbox also accepts. */
const accepted: readonly Case[] = [
  creates('body-accepted', 'a new pet with an empty name', '{"name":"","categoryId":0}', '{"name":"","categoryId":0}'),
  creates(
    'body-accepted',
    'a new pet whose unknown fields are not stored',
    '{"id":5,"name":"Rex","categoryId":3,"catgoryId":4,"tags":[{"a":1}],"Status":"x"}',
    REX,
  ),
  creates(
    'body-accepted',
    'a new pet of a body that names a prototype',
    `{"__proto__":{"status":"${STATUS}"},"constructor":{},"name":"Rex","categoryId":3}`,
    REX,
  ),
  ...(
    [
      ['-0', '0'],
      ['1.0', '1'],
      ['1e2', '100'],
      ['12.50E+1', '125'],
      ['500e-2', '5'],
      ['0e999', '0'],
      [`${ID.maximum}.0`, `${ID.maximum}`],
    ] as const
  ).map(([written, digits]) =>
    creates('body-accepted', `${written} as ${digits}`, ofCategory(written), ofCategory(digits)),
  ),
  creates(
    'body-accepted',
    'a field given twice with the same value',
    '{"name":"Rex","name":"Rex","categoryId":1,"categoryId":1.0}',
    ofCategory('1'),
  ),
  creates('body-accepted', 'a body of 100 levels', nested(100), '{"name":"a","categoryId":1}'),
  ...[
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset="UTF-8"',
    'application/json;',
  ].map((type) => creates('body-accepted', `a body of ${type}`, REX, REX, { 'Content-Type': type })),
];

export const newPets: readonly Case[] = [...described, ...accepted];
