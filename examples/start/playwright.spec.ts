import { expect, test } from '@playwright/test';

// Let your page call the sandbox here. `petstore-sandbox exec` sets both variables.
test('lists the pets that are available', async ({ request }) => {
  const response = await request.get(`${process.env['SANDBOX_URL']}/pets?status=available&limit=5`, {
    headers: { Authorization: `Bearer ${process.env['SANDBOX_KEY']}` },
  });
  expect(response.status()).toBe(200);
  expect(await response.json()).toContainEqual(expect.objectContaining({ id: 1, name: 'Biscuit' }));
});
