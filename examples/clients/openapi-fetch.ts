// A client whose calls are typed by the description: openapi-typescript makes the types, openapi-fetch the calls.
//
//   npx openapi-typescript "${SANDBOX_URL%/v1}/_sandbox/openapi.json" --output petstore.d.ts
//
// The generator needs TypeScript 5, which npx brings; as a dependency it does not start beside TypeScript 7.
//
// It reads numbers as JavaScript does: an id beyond 2^53 is rounded. The contract report tells when that happened.
import createClient from 'openapi-fetch';
import type { paths } from './petstore.d.ts';

const { PETSTORE_URL, PETSTORE_KEY } = process.env as Record<string, string>;
const petstore = createClient<paths>({
  baseUrl: PETSTORE_URL ?? '',
  headers: { Authorization: `Bearer ${PETSTORE_KEY}` },
});

const added = await petstore.POST('/pets', { body: { name: 'Rex', categoryId: 1, status: 'available' } });
if (added.error) throw new Error(added.error.message);

const listed = await petstore.GET('/pets', { params: { query: { status: 'available', limit: 100 } } });
if (listed.error) throw new Error(listed.error.message);

const missing = await petstore.GET('/pets/{petId}', { params: { path: { petId: 999_999 } } });

process.stdout.write(`added ${added.data.name}\n`);
process.stdout.write(`listed ${listed.data.some(({ id }) => id === added.data.id)}\n`);
process.stdout.write(`missing ${missing.error?.code}\n`);
