import { expectContractPassed, test } from 'petstore-sandbox/vitest';
import { expect } from 'vitest';
import { PetClient } from './pet-client.ts';

const testOfEmpty = test.extend({ sandboxOptions: { fixture: 'empty' } });

testOfEmpty('shows a pet that was created', async ({ sandbox }) => {
  const client = new PetClient(sandbox.url, sandbox.key);
  const { id } = await client.create({ name: 'Rex', categoryId: 1, status: 'available' });
  expect(await client.list('available')).toMatchObject([{ id, name: 'Rex' }]);
  await expectContractPassed(sandbox);
});

test('says so when the pet shop is out of order', async ({ sandbox }) => {
  await sandbox.client.request('POST /faults', { body: { status: 503, times: 1 } });
  const client = new PetClient(sandbox.url, sandbox.key);
  await expect(client.list('sold')).rejects.toThrow('503');
  await expect(client.list('sold')).resolves.toBeDefined();
});
