/** The page for testers: its lines work when pasted, in the order of the page. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startTestServer } from '../support/server.ts';

it('holds lines that work when pasted', async () => {
  const page = await readFile('docs/qa.md', 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string);
  expect(blocks).toHaveLength(5);
  const server = await startTestServer();
  const script = blocks.join('\necho; echo =====\n');
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env: { PATH: process.env['PATH'], URL: server.url },
  });
  const [sent, listed, one, verified, watched] = stdout.split('=====').map((text) => text.trim());
  expect(sent).toContain('body/categoryId: is required');
  expect(listed).toContain('did you mean `categoryId`?');
  // What the page shows of the answer is in it.
  const shown = page.match(/"message": "(Request body[^"]*)"/)?.[1];
  expect(listed).toContain(shown);
  expect(one).toContain('"target":"/v1/pets"');
  expect(verified).toMatch(/^\{"matched":1,"requests":\["req_\w+"\]\}$/);
  expect(watched).toContain(': the events of this sandbox');
});
