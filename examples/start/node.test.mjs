import assert from 'node:assert/strict';
import { test } from 'node:test';

/** Call your own client here. `petstore-sandbox exec` sets both variables. */
const get = (path) =>
  fetch(`${process.env.SANDBOX_URL}${path}`, { headers: { Authorization: `Bearer ${process.env.SANDBOX_KEY}` } });

test('lists the pets that are available', async () => {
  const response = await get('/pets?status=available&limit=5');
  assert.equal(response.status, 200);
  const [first] = await response.json();
  assert.equal(first.name, 'Biscuit');
});
