/** Bodies that become pets. */
import { type Ask, type Case, type Level, post } from './case.ts';

const creates = (level: Level, title: string, body: Ask['body'], pet: string, headers?: Ask['headers']): Case => ({
  title,
  section: 'Add an animal',
  level,
  rule: 'pet-created',
  risk: 'creates',
  ask: post(body, headers),
  status: 201,
  pet,
});

const REX = '{"name":"Rex","categoryId":3}';
const ofCategory = (digits: string): string => `{"name":"Rex","categoryId":${digits}}`;

/** A NewPet with further members, nested so deeply that the whole has this many levels. */
export const nested = (levels: number): string =>
  `{"name":"a","categoryId":1,"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

export const newPets: readonly Case[] = [
  creates(
    'contract',
    'a new pet with its status',
    '{"status":"sold","categoryId":3,"name":"Rex"}',
    '{"name":"Rex","categoryId":3,"status":"sold"}',
  ),
  creates('contract', 'a new pet without a status', REX, REX),
  creates('contract', 'a body with white space around', ` \t\r\n${REX} \n`, REX),
  creates('contract', 'a body in two chunks', ['{"name":"Rex",', '"categoryId":3}'], REX),
  ...['9223372036854775807', '-9223372036854775808', '9007199254740993'].map((digits) =>
    creates('contract', `${digits} digit for digit`, ofCategory(digits), ofCategory(digits)),
  ),
  creates(
    'contract',
    'a name of many scripts',
    '{"name":"Zoë 小雪 🐶 \\"\\\\\\u0041\\n","categoryId":3}',
    '{"name":"Zoë 小雪 🐶 \\"\\\\A\\n","categoryId":3}',
  ),
  creates('sandbox', 'a new pet with an empty name', '{"name":"","categoryId":0}', '{"name":"","categoryId":0}'),
  creates(
    'sandbox',
    'a new pet whose unknown fields are not kept',
    '{"id":5,"name":"Rex","categoryId":3,"catgoryId":4,"tags":[{"a":1}],"Status":"x"}',
    REX,
  ),
  creates(
    'sandbox',
    'a new pet of a body that names a prototype',
    '{"__proto__":{"status":"sold"},"constructor":{},"name":"Rex","categoryId":3}',
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
      ['9223372036854775807.0', '9223372036854775807'],
    ] as const
  ).map(([written, digits]) => creates('sandbox', `${written} as ${digits}`, ofCategory(written), ofCategory(digits))),
  creates(
    'sandbox',
    'a member given twice with the same value',
    '{"name":"Rex","name":"Rex","categoryId":1,"categoryId":1.0}',
    ofCategory('1'),
  ),
  creates('sandbox', 'a body of 100 levels', nested(100), '{"name":"a","categoryId":1}'),
  ...[
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset="UTF-8"',
    'application/json;',
  ].map((type) => creates('sandbox', `a body of ${type}`, REX, REX, { 'Content-Type': type })),
];
