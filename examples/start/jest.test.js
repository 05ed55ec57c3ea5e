/** @jest-environment node */

/** Call your own client here. `petstore-sandbox exec` sets both variables. */
const get = (path) =>
  fetch(`${process.env.SANDBOX_URL}${path}`, { headers: { Authorization: `Bearer ${process.env.SANDBOX_KEY}` } });

test('lists the pets that are available', async () => {
  const response = await get('/pets?status=available&limit=5');
  expect(response.status).toBe(200);
  expect(await response.json()).toContainEqual(expect.objectContaining({ id: 1, name: 'Biscuit' }));
});
