/** docs/conform.md: its lines work when pasted, and it names every rule. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { RULES } from '../../src/conform/cases/case.ts';
import { CLI } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';

const page = await readFile('docs/conform.md', 'utf8');

it('works when pasted', async () => {
  const server = await startTestServer();
  const { key = '' } = await server.sandbox();
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
  const program = `petstore-sandbox() { '${process.execPath}' '${CLI}' "$@"; }`;
  const { stdout } = await promisify(execFile)(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', [program, ...blocks].join('\n')],
    { env: { PATH: process.env['PATH'], BASE_URL: `${server.url}/v1`, API_KEY: key } },
  );
  expect(stdout.match(/ conforms: /g)).toHaveLength(2);
}, 90_000);

it('names every rule, in its words', () => {
  const rows = [...page.matchAll(/^\| `([a-z0-9-]+)` \| (.+) \|$/gm)].map(([, rule, text]) => [rule, text]);
  expect(Object.fromEntries(rows)).toEqual(RULES);
});
