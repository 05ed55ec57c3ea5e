/** The program as people and supervisors use it: help, banner, port, ready key, signals. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newKey } from '../../src/base/api/api-key.ts';
import { defaultInHelp, SETTINGS } from '../../src/base/settings/settings.ts';
import { version } from '../../src/base/shipped.ts';
import { filesBelow } from '../sandbox/store/support.ts';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { runInProcess } from '../support/in-process.ts';
import { Program, type ProgramOptions } from '../support/program.ts';
import { dial, postOf } from '../support/wire.ts';

let directory: string;
const programs: Program[] = [];
beforeEach(async () => {
  directory = await newFolder();
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.kill();
});

function run(args: readonly string[], options?: ProgramOptions): Program {
  const program = new Program(args, options);
  programs.push(program);
  return program;
}

/** A program that listens, its address, and a client with the key that it prints. */
async function start(args: readonly string[] = [], options?: ProgramOptions) {
  const program = run(['--port', '0', ...(args.includes('--data') ? [] : ['--memory']), ...args], options);
  const [, url = ''] = await program.wrote(/(?:API +|"url":")(http:\/\/[\d.]+:\d+)/);
  const [, key] = /key +(petsbx_\w+)/.exec(program.stdout) ?? [];
  return { program, url, client: new Client(url, key) };
}

/** Resolves when its validator runs, for which a program that is stopped waits: the request log comes with its verdicts. */
async function validatorStarted(client: Client): Promise<void> {
  for (const path of ['/v1/pets', '/_sandbox/requests']) await client.get(path);
}

describe('what the program says of itself', () => {
  it('is every flag with its variable and default in --help, and its version with --version', async () => {
    const { code, stdout } = await runInProcess(['serve', '--help']);
    expect(code).toBe(0);
    const help = stdout.replaceAll(/\s+/g, ' ');
    for (const setting of Object.values(SETTINGS)) {
      const byDefault = defaultInHelp(setting);
      expect(help).toContain(setting.flag);
      expect(help).toContain(`env: ${setting.variable}`);
      if (byDefault) expect(help).toContain(`default: ${byDefault})`);
    }
    expect(await runInProcess(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    ['--fixture spring', /there is no fixture named spring; there are boundary, default/],
    ['--fixtures /nowhere', /\/nowhere: not a directory of fixtures/],
    ['--host 203.0.113.1', /203\.0\.113\.1 is not an address of this machine/],
    [`--max-sandboxes 1 --api-key ${'a'.repeat(16)} --api-key ${'b'.repeat(16)}`, /holds 1 sandboxes/],
  ])('is what was wrong with %s, with code 2 and no stack', async (flags, message) => {
    const program = run(['--memory', ...flags.split(' ')]);
    expect([await program.ended(), program.stdout]).toEqual([2, '']);
    expect(program.stderr).toMatch(message);
    expect(program.stderr).not.toMatch(/\n {4}at /);
  });

  it('is that the port is taken, with code 2', async () => {
    const { port } = new URL((await start()).url);
    const second = run(['--memory', '--port', port]);
    expect([await second.ended(), second.stderr]).toEqual([
      2,
      `petstore-sandbox: port ${port} of 127.0.0.1 is in use; choose another with --port, or 0 for any\n`,
    ]);
  });
});

describe('the banner', () => {
  it('shows the addresses, a key that works and a curl line that works when pasted', async () => {
    const { program, url } = await start();
    expect(program.stdout.trim().split('\n')).toHaveLength(6);
    expect(program.stdout.replace(/\/sbx_\w+/, '/ITS_ADDRESS')).toContain(
      `  API        ${url}/ITS_ADDRESS/v1  (petstore sandbox ${version})\n  dashboard  ${url}/#/sign-in/`,
    );
    expect(program.stdout).toContain('\n  stop       Ctrl-C\n');
    const [line] = await program.wrote(/curl .*\/v1\/pets/);
    const { stdout } = await promisify(execFile)('bash', ['-c', `${line.replace('curl', 'curl -sS --noproxy "*"')}`]);
    expect(JSON.parse(stdout)).toHaveLength(12);
  });

  it('shows on a terminal with --log-level debug a generated admin token, which works', async () => {
    const env = { PATH: process.env['PATH'] ?? '' };
    const { program, url } = await start(['--log-level', 'debug'], { onTerminal: true, env });
    const [, token] = await program.wrote(/admin token +(\w{26})\r\n/);
    expect((await new Client(url, token).post('/_sandbox/reset?scope=all')).status).toBe(200);
  });

  it('shows elsewhere no token, and warns of what has no effect or no room', async () => {
    const env = { SANDBOX_PROT: 'hidden-value' };
    const { program } = await start(['--log-level', 'debug', '--max-bytes', '1000GiB'], { env });
    await program.wrote(/WARN.*SANDBOX_PROT is not a setting and has no effect; did you mean SANDBOX_PORT\?/);
    await program.wrote(/WARN.*--max-bytes is 1024000 MiB, but \d+ MiB of memory have room for \d+ MiB of pets/);
    await program.wrote(/admin token +not shown outside a terminal; set .*SANDBOX_ADMIN_TOKEN\n/);
    expect(program.stdout).not.toMatch(/admin token +\w{26}\n|hidden-value/);
  });

  it('shows no admin token where it was given, the public address, and that it listens on all addresses', async () => {
    const token = 'the-admin-token-0123456789';
    const flags = ['--host', '0.0.0.0', '--public-url', 'http://127.0.0.1:1/x', '--admin-token', token];
    const program = run(['--port', '0', '--memory', '--log-level', 'debug', ...flags]);
    await program.wrote(/curl .* http:\/\/127\.0\.0\.1:1\/x\/sbx_\w+\/v1\/pets/);
    expect(program.stdout).not.toMatch(new RegExp(`admin token|${token}`));
    expect(program.stdout).toMatch(/listening +on all addresses of this machine \(0\.0\.0\.0\)/);
  });

  it('is one JSON line in json format: nothing secret, an address that can be used, and no ready key is made', async () => {
    const data = join(directory, 'data');
    const flags = ['--data', data, '--log-format', 'json', '--host', '0.0.0.0', '--api-key', 'a-fixed-key-0123456789'];
    const { program, url, client } = await start(flags);
    expect((await client.get('/_sandbox/health')).status).toBe(200);
    for (const line of program.stdout.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) });
    expect(program.stdout).toContain(`"url":"${url}","host":"0.0.0.0"`);
    expect(url).toContain('127.0.0.1');
    expect(program.stdout).not.toMatch(/petsbx_|a-fixed-key|token/);
    expect(await filesBelow(data)).not.toContain('ready-key.json');
    expect((await filesBelow(data)).filter((file) => file.startsWith('sandboxes/sbx_'))).toHaveLength(1);
  });
});

describe.runIf(process.platform === 'linux')('the line of a request', () => {
  /** Sends one request of each kind. */
  async function sendAll({ client }: { client: Client }): Promise<void> {
    const paths = ['/v1/pets', `/v1/pets?note=${client.key}`, '/v1/pets?limit=500', '/_sandbox/pets', '/'];
    for (const path of paths) await client.get(path);
    await new Client(client.url).get('/pets');
  }

  it('is printed on a terminal with its finding in words, and without secrets', async () => {
    const started = await start([], { onTerminal: true });
    await sendAll(started);
    const { program, client } = started;
    // The validator may return verdicts in another order.
    for (const path of ['/v1/pets', '/v1/pets?note=', '/v1/pets?limit=500', '/pets'])
      await program.wrote(new RegExp(`^[✓!✗] GET ${path.replace('?', '\\?')}.*\r\n`, 'm'));
    const lines = program.stdout.split('\r\n').filter((line) => /^[✓!✗] GET /.test(line));
    expect(lines.toSorted()).toEqual([
      '! GET /v1/pets?note=[key] 200  note is not known here; there are limit, status',
      '✓ GET /v1/pets 200',
      '✗ GET / 200  no such operation',
      '✗ GET /pets 404  the API is under /v1; send GET /v1/pets',
      '✗ GET /v1/pets?limit=500 400  limit is at most 100',
    ]);
    expect(program.stdout.split(client.key as string)).toHaveLength(3);
  });

  it('is not printed with --quiet, nor where the output is no terminal', async () => {
    const onTerminal = await start(['--quiet'], { onTerminal: true });
    for (const started of [onTerminal, await start()]) {
      const { program } = started;
      await sendAll(started);
      // All verdicts are final when it has stopped. Ctrl-C reaches the program by its terminal, the signal by none.
      program.process.stdin.write('\u0003');
      if (started !== onTerminal) program.process.kill('SIGINT');
      await program.ended();
      expect(program.stdout).toContain('stopping on SIGINT');
      expect(program.stdout).not.toMatch(/GET /);
    }
  });
});

describe('the ready key', () => {
  it('is the same at the next start, opens the same pets, and only its owner may read its file', async () => {
    const data = join(directory, 'data');
    const first = await start(['--data', data]);
    await first.client.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    await validatorStarted(first.client);
    first.program.process.kill('SIGTERM');
    expect(await first.program.ended()).toBe(0);
    expect((await stat(join(data, 'ready-key.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    const second = await start(['--data', data]);
    expect(second.client.key).toBe(first.client.key);
    expect((await second.client.get('/v1/pets/13')).json.name).toBe('Ada');
  });

  const KEY = newKey();

  it.each([
    ['', 'it is not valid JSON'],
    [`{"key":"${KEY}`, 'it is not valid JSON'],
    [JSON.stringify({ key: KEY, more: 1 }), 'it must have one field, "key"'],
    ['{"key":"petsbx_damaged"}', 'it holds no key'],
  ])('stops the start and is in no message when its file, which is left as it is, holds %j', async (text, said) => {
    const file = join(directory, 'ready-key.json');
    await writeFile(file, text);
    const program = run(['--port', '0', '--data', directory]);
    expect(await program.ended()).toBe(2);
    expect(program.stderr).toMatch(new RegExp(`^petstore-sandbox: ${file}: ${said}\\. .*left as it is`));
    expect(program.stderr).not.toMatch(/\n {4}at /);
    expect(program.stderr).not.toContain(KEY.slice(7, 17));
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});

describe('a signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends the program with code 0 within five seconds, idle connections or not',
    async (signal) => {
      const { program, url, client } = await start(['--data', join(directory, 'data')]);
      await validatorStarted(client);
      const [silent, idle] = [await dial(url), await dial(url)];
      idle.write('GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(idle, 'data');
      for (const socket of [silent, idle]) socket.on('error', () => undefined);
      const began = performance.now();
      program.process.kill(signal);
      expect(await program.ended()).toBe(0);
      expect(performance.now() - began).toBeLessThan(5000);
      expect(program.stdout).toContain(`stopping on ${signal}`);
      expect(program.stderr).toBe('');
      expect((await filesBelow(directory)).filter((file) => /\.tmp$|\.sock$/.test(file))).toEqual([]);
      for (const socket of [silent, idle]) socket.destroy();
    },
  );

  const BODY = '{"name":"Ada","categoryId":1}';

  /** A program, and a connection on which it has read the head of a request: it asks for the body. */
  async function startBusy() {
    const started = await start();
    const socket = await dial(started.url);
    socket.on('error', () => undefined);
    socket.write(postOf(started.client, BODY, 'Expect: 100-continue').slice(0, -BODY.length));
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 100 /);
    return { ...started, socket };
  }

  it('ends it at once when it comes a second time', async () => {
    const { program, socket } = await startBusy();
    program.process.kill('SIGINT');
    await program.wrote(/stopping on/);
    const began = performance.now();
    program.process.kill('SIGINT');
    expect(await program.ended()).toBe(1);
    // Without the second signal it would wait five seconds for what is under way.
    expect(performance.now() - began).toBeLessThan(5000);
    socket.destroy();
  });
});
