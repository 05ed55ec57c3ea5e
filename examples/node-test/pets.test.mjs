import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSandbox } from 'petstore-sandbox';
import { expectContractPassed, withSandbox } from 'petstore-sandbox/testing';

let server;
before(async () => {
  server = await startSandbox();
});
after(() => server.close());

test('an empty shop has no pets', () =>
  withSandbox(
    server,
    async (sandbox) => {
      const response = await fetch(`${sandbox.url}/pets`, { headers: { Authorization: `Bearer ${sandbox.key}` } });
      assert.deepEqual(await response.json(), []);
      await expectContractPassed(sandbox);
    },
    { fixture: 'empty' },
  ));
