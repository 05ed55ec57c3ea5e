/** The pages for developers, CI and testers: their lines work when pasted, in the order of the page. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});

/** What each line of each `sh` block prints: pages are pasted line by line, into one shell. */
async function pasted(file: string): Promise<string[]> {
  const page = await readFile(file, 'utf8');
  const script = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text).join('\necho; echo =====\n');
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env: { PATH: process.env['PATH'], URL: server.url, ADMIN_TOKEN: server.adminToken },
  });
  return stdout.split('=====').map((text) => text.trim());
}

it('docs/developers.md', async () => {
  const [listed, filled, removed] = await pasted('docs/developers.md');
  expect(listed).toMatch(/^\[\{"id":1,.*\},\{"id":2,.*\}\]$/);
  expect(filled).toMatch(
    /^\{"id":13,"name":"Rex","categoryId":1,"status":"available"\}\{"sandboxes":1,.*"nextId":13\}\}$/,
  );
  expect(removed).toContain('"now":"2030-12-05T00:00:00.000Z"');
  expect(removed).toContain('HTTP/1.1 410 Gone');
  expect(removed).toContain('Link: </v1/pets>; rel="successor-version"');
});

it('docs/ci.md', async () => {
  const [, back, verdict, watched] = await pasted('docs/ci.md');
  expect(back).toMatch(/"name":"before",.*"pets":1000\}.*"nextId":1001\}\}$/);
  expect(verdict).toMatch(/"matched":1.*\n?.*"verdict":"pass"$/s);
  expect(watched).toMatch(/^\{"sandboxes":\[.*petstore_sandbox_requests_total\{.*\{"sandboxes":\d+\}$/s);
});

it('docs/faults.md', async () => {
  const [, lost, slow, headers] = await pasted('docs/faults.md');
  expect(lost).toMatch(/HTTP\/1\.1 503 .*Retry-After: 2.*"injected_fault".*"acted":1\}\]\}$/s);
  expect(slow).toMatch(/"delayMs":200,"probability":0.2,"seed":7/);
  expect(headers).toMatch(/HTTP\/1\.1 503 .*HTTP\/1\.1 500 .*\[\{"id":1,[^\]]*$/s);
});
