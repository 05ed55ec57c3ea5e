/** MSW and nock in the process of the server: what the page tells their users to write. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limit } from '../support/slow.ts';
import { packed } from './packed.ts';
import { run } from './run.ts';

const { tools, nodes } = await packed();

const page = await readFile('docs/guides/javascript.md', 'utf8');
const [, part = ''] = /^## Mocked networks.*?\n([\s\S]*?)^## /m.exec(page) ?? [];
const [msw = '', nock = ''] = [...part.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block);

/** The blocks of the page, and what must hold with them: the sandbox is reached, what is mocked is mocked, nothing else passes. */
const programOf = (blocks: readonly string[], mocked: string): string => `
  import { startSandbox } from 'petstore-sandbox';
  import { expectContractPassed, openSandbox } from 'petstore-sandbox/testing';
  import { HttpResponse, http as mswHttp } from 'msw';
  const server = await startSandbox();
  const sandbox = await openSandbox(server);
  const handlers = [mswHttp.get('https://msw.example/', () => HttpResponse.json('by MSW'))];
  ${blocks.join('\n')}
  ${blocks.includes(msw) ? 'mockServer.resetHandlers();' : ''}
  ${blocks.includes(nock) ? "nock('https://nock.example').get('/').reply(200, '\"by nock\"');" : ''}
  const headers = { Authorization: 'Bearer ' + sandbox.key, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  const created = await fetch(sandbox.url + '/pets', { method: 'POST', headers, body });
  await expectContractPassed(sandbox);
  const mocked = await (await fetch('https://${mocked}.example/')).json();
  const other = await fetch('https://other.example/').then(() => 'passed', () => 'rejected');
  console.log(created.status, mocked, other, (await sandbox.client.request('GET /requests')).total);
  await sandbox.end();
  await server.close();
`;

describe.each(Object.entries(nodes))('on Node %s, the server is reached beside', (major, node) => {
  test.each([
    ['MSW', [msw], 'msw', 'by MSW'],
    ['nock', [nock], 'nock', 'by nock'],
    ['both', [msw, nock], 'nock', 'by nock'],
  ])(
    '%s',
    async (name, blocks, path, mocked) => {
      const file = join(tools, `mocked-${major}-${name}.mjs`);
      await writeFile(file, programOf(blocks, path));
      const { code, stdout, stderr } = await run(node, [file], { cwd: tools, node });
      expect([code, stdout, stderr]).toEqual([0, `201 ${mocked} rejected 1\n`, expect.any(String)]);
    },
    limit(60_000),
  );
});
