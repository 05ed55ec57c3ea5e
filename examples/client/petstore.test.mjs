/** How an application's tests use the sandbox: a key for each test, so that no test sees another's pets. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { petstoreClient } from './petstore.mjs';

const server = process.env.SANDBOX_URL ?? 'http://127.0.0.1:4020/v1';

/** A client with a new sandbox that starts with the fixture's pets. */
const newClient = async (fixture) => {
  const response = await fetch(server.replace(/\/v1\/?$/, '/_sandbox/keys'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ fixture, ttlSeconds: 300 }),
  });
  assert.equal(response.status, 201);
  // The address is that of its sandbox: whatever comes there belongs to it, with any key or without.
  const { baseUrl, key } = await response.json();
  return petstoreClient({ baseUrl, key });
};

test('a pet that was added is in the list', async () => {
  const client = await newClient('empty');
  const pet = await client.createPet({ name: 'Waffle', categoryId: 3, status: 'available' });
  assert.deepEqual(await client.listPets({ status: 'available' }), [pet]);
});

test('each sandbox is alone', async () => {
  const [one, other] = await Promise.all([newClient('empty'), newClient('empty')]);
  await one.createPet({ name: 'Waffle', categoryId: 3 });
  assert.deepEqual(await other.listPets(), []);
});

test('a pet without a name is rejected, in words', async () => {
  const client = await newClient('empty');
  await assert.rejects(client.createPet({ categoryId: 3 }), { status: 400, code: 'invalid_request', message: /name/ });
});
