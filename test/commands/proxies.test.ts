/** A proxy in the environment, as in many networks: nothing for a sandbox on this machine is sent to it. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/listen.ts';
import { runProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';

const LIMIT = { timeout: limit(60_000) };

/** A proxy, and what came to it. */
async function startProxy(): Promise<{ url: string; came: string[] }> {
  const came: string[] = [];
  const url = await listen((req, res) => {
    came.push(`${req.method} ${req.url}`);
    res.writeHead(502).end('the proxy knows no such host');
  });
  return { url, came };
}

/** Prints what the command is told. */
const PRINT = ['node', '-e', 'console.log(JSON.stringify([process.env.NO_PROXY, process.env.no_proxy]))'];

test.each([
  [{}, '127.0.0.1'],
  [{ no_proxy: '.corp.example, localhost' }, '.corp.example,localhost,127.0.0.1'],
  [{ NO_PROXY: '*' }, '*'],
  [{ NO_PROXY: 'a.example', no_proxy: 'b.example,127.0.0.1' }, 'a.example,b.example,127.0.0.1'],
])('exec and drill add the address of the sandbox to %j', LIMIT, async (environment, value) => {
  const ran = await runProgram(['exec', '--start', '--', ...PRINT], environment as Record<string, string>);
  expect(JSON.parse(ran.stdout)).toEqual([value, value]);
  const drilled = await runProgram(
    ['drill', '--start', '--only', 'outage', '--', ...PRINT],
    environment as Record<string, string>,
  );
  expect(drilled.stdout + drilled.stderr).toContain(JSON.stringify([value, value]));
});

test.each(['HTTP_PROXY', 'all_proxy'])(
  '%s is not used for the sandbox, and named where no request came',
  LIMIT,
  async (name) => {
    const { url, came } = await startProxy();
    const environment = { [name]: url.replace('//', '//user:secret@'), NODE_USE_ENV_PROXY: '1' };
    const ran = await runProgram(['exec', '--start', '--', 'true'], environment);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`contract check incomplete: no request was seen; ${name} is set to ${url}: `);
    expect(ran.stderr).not.toContain('secret');
    const drilled = await runProgram(['drill', '--start', '--only', 'outage', '--', 'true'], environment);
    expect(drilled.stdout).toContain(`no request was seen; ${name} is set to ${url}: `);
    expect(came).toEqual([]);
  },
);

test('a client that follows NO_PROXY reaches the sandbox', LIMIT, async () => {
  const { url, came } = await startProxy();
  const script = join(await newFolder(), 'client.sh');
  await writeFile(script, 'curl -sf -H "Authorization: Bearer $SANDBOX_KEY" "$SANDBOX_URL/pets?limit=1"\n');
  const ran = await runProgram(['exec', '--start', '--', 'sh', script], { http_proxy: url, ALL_PROXY: url });
  expect([ran.code, came]).toEqual([0, []]);
});
