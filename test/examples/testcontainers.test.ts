/** The example for Testcontainers: what it sends to a server, and what it takes of the image. */
import { readFile } from 'node:fs/promises';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { startTestServer } from '../support/server.ts';

const text = await readFile('examples/testcontainers.ts', 'utf8');

it('takes a sandbox for each test', async () => {
  // Testcontainers itself is not installed here.
  const ownCode = text.replace(/^import .*$/m, '');
  const { outputText } = ts.transpileModule(ownCode, { compilerOptions: { module: ts.ModuleKind.ESNext } });
  const { newSandbox } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);
  const server = await startTestServer();
  const { baseUrl, key } = await newSandbox(server.url, 'empty');
  expect(baseUrl).toMatch(new RegExp(`^${server.url}/sbx_\\w+/v1$`));
  expect((await server.client(key).get('/v1/pets')).json).toEqual([]);
  await expect(newSandbox(server.url, 'nowhere')).rejects.toThrow(/no sandbox: 404 .*nowhere/);
});
