/** The library in programs of both kinds, and in Node's own test runner, on every Node. */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packed } from './packed.ts';
import { run } from './run.ts';

const { alone, nodes } = await packed();

/** Starts a server, adds a pet, checks the contract with the module for tests, and ends. */
const BODY = `
  const server = await startSandbox({ fixture: 'empty' });
  const { url, key } = server;
  const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' };
  const created = await fetch(url + '/pets', { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' });
  const [request] = await server.requests();
  await withSandbox(server, async (sandbox) => {
    await fetch(sandbox.url + '/pets', { headers: { Authorization: 'Bearer ' + sandbox.key } });
    await expectContractPassed(sandbox);
  });
  const { verdict } = await drill('lost-create', ({ url, key, pet }) =>
    fetch(url + '/pets', { method: 'POST', headers: { ...headers, Authorization: 'Bearer ' + key }, body: JSON.stringify(pet) }).then((response) => response.json()),
  { server });
  await server.close();
  console.log(created.status, request.operation, verdict);`;

const WAYS = {
  'ESM imports it': [
    'program.mjs',
    `import { startSandbox } from 'petstore-sandbox';
     import { drill, expectContractPassed, withSandbox } from 'petstore-sandbox/testing';${BODY}`,
  ],
  'CommonJS requires it': [
    'program.cjs',
    `const { startSandbox } = require('petstore-sandbox');
     const { drill, expectContractPassed, withSandbox } = require('petstore-sandbox/testing');
     void (async () => {${BODY}})();`,
  ],
} as const;

describe.each(Object.entries(nodes))('on Node %s', (_, node) => {
  test.each(Object.entries(WAYS))('%s', async (_way, [file, program]) => {
    await writeFile(join(alone, file), program);
    const { code, stdout, stderr } = await run(node, [file], { cwd: alone, node });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '201 createPet pass\n', stderr: '' });
  });

  test("Node's own test runner runs the example", async () => {
    await cp('examples/node-test', join(alone, 'node-test'), { recursive: true });
    const { code, stdout } = await run(node, ['--test', 'node-test/pets.test.mjs'], { cwd: alone, node });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/pass 1\n/) });
  });
});
