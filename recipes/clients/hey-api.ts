// A client with one function an operation, generated from the description by @hey-api/openapi-ts.
//
//   npx openapi-ts --input "$SANDBOX_URL/_sandbox/openapi.json" --output client --no-log-file
//
// It reads numbers as JavaScript does: an id beyond 2^53 is rounded. The contract report tells when that happened.
import { client } from './client/client.gen.js';
import { createPet, getPet, listPets } from './client/index.js';

const { PETSTORE_URL, PETSTORE_KEY } = process.env as Record<string, string>;
client.setConfig({ baseUrl: PETSTORE_URL ?? '', auth: () => PETSTORE_KEY });

const added = await createPet({ body: { name: 'Rex', categoryId: 1, status: 'available' }, throwOnError: true });
const listed = await listPets({ query: { status: 'available', limit: 100 }, throwOnError: true });
const missing = await getPet({ path: { petId: 999_999 } });

process.stdout.write(`added ${added.data.name}\n`);
process.stdout.write(`listed ${listed.data.some(({ id }) => id === added.data.id)}\n`);
process.stdout.write(`missing ${missing.error?.code}\n`);
