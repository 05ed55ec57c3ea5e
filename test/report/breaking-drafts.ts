/** Drafts of the specification, and the requests that each of them breaks. */
import { stringify } from 'yaml';
import today from '../../src/generated/petstore.json' with { type: 'json' };
import type { Client } from '../support/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test changes at will
export type Draft = any;

/** Today's specification with a change. */
export function draftWith(change: (draft: Draft) => unknown): string {
  const draft = structuredClone(today) as Draft;
  change(draft);
  return stringify(draft, { aliasDuplicateObjects: false });
}

export const limitOf = (draft: Draft) => draft.paths['/pets'].get.parameters[0].schema;
export const newPetOf = (draft: Draft) => draft.components.schemas.NewPet;

/** Sends every kind of request that one of these drafts may break, and one that nothing breaks. */
export async function sendAll(client: Client): Promise<void> {
  await client.get('/v1/pets?limit=20');
  await client.get('/v1/pets?limit=51');
  await client.get('/v1/pets?limit=100&status=sold');
  await client.get('/v1/pets?status=pending');
  await client.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}');
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1, status: 'available' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1, status: 'pending' });
  await client.post('/v1/pets', { name: 'A name of twenty-four ch', categoryId: 1, status: 'sold' });
  await client.get('/v1/pets/1');
  // Broken today already: these do not stop working.
  await client.get('/v1/pets?limit=500');
  await client.post('/v1/pets', {}, { 'Sandbox-Expect': 'invalid' });
}

type Break = readonly [operation: string, rule: string, location: string, requests: number, instead: string];

const posted = (pet: string): string => `POST /v1/pets {${pet}}`;

/** What a draft does, and what it breaks: with how many requests, and what to send instead. */
export const DRAFTS: readonly (readonly [does: string, change: (draft: Draft) => unknown, breaks: readonly Break[]])[] =
  [
    [
      'requires status',
      (draft) => newPetOf(draft).required.push('status'),
      [
        [
          'createPet',
          'required',
          'body/status',
          1,
          posted('"name":"Rex","categoryId":9223372036854775807,"status":"available"'),
        ],
      ],
    ],
    [
      'removes pending',
      ({ components }) => Object.assign(components.schemas.PetStatus, { enum: ['available', 'sold'] }),
      [
        ['listPets', 'enum', 'query/status', 1, 'GET /v1/pets?status=available'],
        ['createPet', 'enum', 'body/status', 1, posted('"name":"Rex","categoryId":1,"status":"available"')],
      ],
    ],
    [
      'lowers limit to 50',
      (draft) => Object.assign(limitOf(draft), { maximum: 50 }),
      [['listPets', 'maximum', 'query/limit', 2, 'GET /v1/pets?limit=50']],
    ],
    [
      'narrows name to 20 characters',
      (draft) => Object.assign(newPetOf(draft).properties.name, { maxLength: 20 }),
      [
        [
          'createPet',
          'maxLength',
          'body/name',
          1,
          posted('"name":"A name of twenty-fou","categoryId":1,"status":"sold"'),
        ],
      ],
    ],
    [
      'removes an operation',
      ({ paths }) => delete paths['/pets/{petId}'],
      [['getPet', 'removed', 'operation', 1, 'GET /v1/pets?status=available&limit=100']],
    ],
    [
      'adds a field and an operation',
      (draft) => {
        newPetOf(draft).properties.color = { type: 'string' };
        draft.paths['/owners'] = { get: { operationId: 'listOwners', responses: { 200: { description: 'Owners.' } } } };
      },
      [],
    ],
  ];
