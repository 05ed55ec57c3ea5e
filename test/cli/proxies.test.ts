/** A proxy in the environment, as in many networks: nothing for a sandbox on this machine is sent to it. */
import { expect, test } from 'vitest';
import { withoutProxyFor } from '../../src/cli/proxies.ts';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/ports.ts';
import { runProgram } from '../support/program.ts';

const exec = (environment: Record<string, string>, ...command: string[]) =>
  runProgram(['exec', '--start', '--', ...command], environment);
const drill = (environment: Record<string, string>, ...command: string[]) =>
  runProgram(['drill', '--start', '--only', 'outage', '--', ...command], environment);

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

test.each<[Record<string, string>, string]>([
  [{}, '127.0.0.1'],
  [{ no_proxy: '.corp.example, localhost' }, '.corp.example,localhost,127.0.0.1'],
  [{ NO_PROXY: '*' }, '*'],
  [{ NO_PROXY: 'a.example', no_proxy: 'b.example,127.0.0.1' }, 'a.example,b.example,127.0.0.1'],
])('the address of the sandbox is added to %j', (environment, value) => {
  expect(withoutProxyFor('http://127.0.0.1:4020/v1', environment)).toEqual({ NO_PROXY: value, no_proxy: value });
});

test.each([
  ['exec', exec],
  ['drill', drill],
])('%s hands it on to the command', async (_, run) => {
  const { stdout, stderr } = await run({ no_proxy: 'a.example' }, ...PRINT);
  expect(stdout + stderr).toContain('["a.example,127.0.0.1","a.example,127.0.0.1"]');
});

test.each(['HTTP_PROXY', 'all_proxy'])(
  '%s is not used for the sandbox, and named where no request came',
  async (name) => {
    const { url, came } = await startProxy();
    const environment = { [name]: url.replace('//', '//user:secret@'), NODE_USE_ENV_PROXY: '1' };
    const ran = await exec(environment, 'true');
    expect(ran.code).toBe(1);
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(`does it read SANDBOX_URL?; ${name} is set to ${url}: `);
    expect(ran.stderr).not.toContain('secret');
    const drilled = await drill(environment, 'true');
    expect(drilled.stdout.replaceAll(/\s+/g, ' ')).toContain(`does it read SANDBOX_URL?; ${name} is set to ${url}: `);
    expect(came).toEqual([]);
  },
);

test.each([
  ['turbo.json', 'exec'],
  ['settings.gradle.kts', 'drill', '--only', 'outage'],
])('the cache of the tool of %s is named where no request came', async (file, ...line) => {
  const cwd = await newFolder({ [file]: '{}' });
  const { stdout, stderr } = await runProgram([...line, '--start', '--', 'true'], {}, cwd);
  expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(
    `the tool of ${file} may have repeated results of its cache`,
  );
});
