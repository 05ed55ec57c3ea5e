/** The program as people and supervisors use it: help, banner, port, ready key, signals. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import { version } from '../../src/core/shipped.ts';
import { defaultInHelp, SETTINGS } from '../../src/settings/settings.ts';
import { filesBelow } from '../store/support.ts';
import { send } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { runInProcess } from '../support/in-process.ts';
import { Program, type ProgramOptions } from '../support/watched-program.ts';
import { dial, readReplies } from '../support/wire.ts';

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

const BANNER_URL = /API +(http:\/\/[\d.]+:\d+)\/v1/;
const JSON_URL = /"url":"(http:\/\/[\d.]+:\d+)"/;

/** A program that listens, and its address. */
async function start(
  args: readonly string[] = [],
  options?: ProgramOptions,
): Promise<{ program: Program; url: string }> {
  const program = run(['--port', '0', ...(args.includes('--data') ? [] : ['--memory']), ...args], options);
  const [, url] = await program.wrote(args.includes('json') ? JSON_URL : BANNER_URL);
  return { program, url: url as string };
}

const keyIn = ({ out }: Program): string => /key +(petsbx_\w+)/.exec(out)?.[1] as string;

/** Resolves when its validator runs, for which a program that is stopped waits: the request log comes with its verdicts. */
async function validatorStarted({ program, url }: { program: Program; url: string }): Promise<void> {
  const headers = { Authorization: `Bearer ${keyIn(program)}` };
  for (const path of ['/v1/pets', '/_sandbox/requests']) await send(url, { path, headers });
}

describe('what the program says of itself', () => {
  it('is every flag with its variable and default in --help', async () => {
    const { code, stdout } = await runInProcess(['serve', '--help']);
    expect(code).toBe(0);
    const help = stdout.replaceAll(/\s+/g, ' ');
    for (const setting of Object.values(SETTINGS)) {
      const { flag, variable } = setting;
      const byDefault = defaultInHelp(setting);
      expect(help).toContain(flag);
      expect(help).toContain(`env: ${variable}`);
      if (byDefault) expect(help).toContain(`default: ${byDefault})`);
    }
  });

  it('is its version with --version', async () => {
    const program = run(['--version']);
    expect([await program.ended(), program.out, program.err]).toEqual([0, `${version}\n`, '']);
  });

  it.each([
    [['--port', 'x'], /^petstore-sandbox: --port must be an integer from 0 to 65535; got "x"\n$/],
    [['--port'], /argument missing/],
    [['--memory', '--data', 'x'], /^petstore-sandbox: --data and --memory contradict each other/],
  ])('is what was wrong with %j, with code 2', async (args, message) => {
    expect(await runInProcess(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it.each([
    [['--memory', '--fixture', 'spring'], /there is no fixture named spring; there are boundary, default/],
    [['--memory', '--fixtures', '/nowhere'], /\/nowhere: not a directory of fixtures/],
    [['--memory', '--host', '203.0.113.1'], /203\.0\.113\.1 is not an address of this machine/],
    [
      ['--memory', '--max-sandboxes', '1', '--api-key', 'a'.repeat(16), '--api-key', 'b'.repeat(16)],
      /holds 1 sandboxes/,
    ],
  ])('is what was wrong with %j, with code 2 and no stack', async (args, message) => {
    const program = run(args);
    expect(await program.ended()).toBe(2);
    expect(program.err).toMatch(message);
    expect(program.err).not.toMatch(/\n {4}at /);
    expect(program.out).toBe('');
  });

  it.each([
    [['--api-key', 'hidden-key'], {}],
    [['--admin-token=hidden-key'], {}],
    [[], { SANDBOX_API_KEYS: 'hidden-key' }],
    [[], { SANDBOX_ADMIN_TOKEN: 'hidden-key' }],
  ])('never repeats a secret that fits nothing: %j %j', async (args, env) => {
    const { code, stdout, stderr } = await runInProcess(['--memory', ...args], env as NodeJS.ProcessEnv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/must be 16 to 256 characters/);
    expect(stderr).not.toContain('hidden-key');
  });

  it('is that the port is taken, with code 2', async () => {
    const { url } = await start();
    const { port } = new URL(url);
    const second = run(['--memory', '--port', port]);
    expect([await second.ended(), second.err]).toEqual([
      2,
      `petstore-sandbox: port ${port} of 127.0.0.1 is in use; choose another with --port, or 0 for any\n`,
    ]);
  });

  it('warns of a variable that is not a setting, and of pets that there is no memory for', async () => {
    const { program } = await start(['--max-bytes', '1000GiB'], { env: { SANDBOX_PROT: 'hidden-value' } });
    await program.wrote(/WARN.*SANDBOX_PROT is not a setting and has no effect; did you mean SANDBOX_PORT\?/);
    await program.wrote(/WARN.*--max-bytes is 1024000 MiB, but \d+ MiB of memory have room for \d+ MiB of pets/);
    expect(program.out).not.toContain('hidden-value');
  });
});

describe('the banner', () => {
  it('shows the addresses, a key that works and a curl line that works when pasted', async () => {
    const { program, url } = await start();
    expect(program.out.trim().split('\n')).toHaveLength(6);
    expect(program.out).toContain(
      `  API        ${url}/v1  (petstore sandbox ${version})\n  dashboard  ${url}/#/sign-in/`,
    );
    expect(program.out).toContain('\n  stop       Ctrl-C\n');
    const [line] = await program.wrote(/curl .*\/v1\/pets/);
    const { stdout } = await promisify(execFile)('bash', ['-c', `${line.replace('curl', 'curl -sS --noproxy "*"')}`]);
    expect(JSON.parse(stdout)).toHaveLength(12);
  });

  it('shows with --log-level debug how the memory is divided, and on a terminal a generated admin token', async () => {
    const env = { PATH: process.env['PATH'] ?? '' };
    const { program, url } = await start(['--log-level', 'debug'], { onTerminal: true, env });
    const [, token] = await program.wrote(/admin token +(\w{26})\r\n/);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await send(url, { method: 'POST', path: '/_sandbox/reset?scope=all', headers })).status).toBe(200);
    const { program: redirected } = await start(['--log-level', 'debug']);
    await redirected.wrote(/admin token +not shown outside a terminal; set .*SANDBOX_ADMIN_TOKEN\n/);
    expect(redirected.out).not.toMatch(/admin token +\w{26}\n/);
    expect(redirected.out).toMatch(/^ {2}memory +\d+ MiB of the (?:machine|container): \d+ MiB for pets, /m);
  });

  it('shows no admin token where it was given, and the public address', async () => {
    const token = 'the-admin-token-0123456789';
    const program = run(['--port', '0', '--memory', '--public-url', 'http://127.0.0.1:1/x', '--admin-token', token]);
    await program.wrote(/curl .* http:\/\/127\.0\.0\.1:1\/x\/v1\/pets/);
    expect(program.out).not.toContain(token);
  });

  it('is one JSON line in json format: nothing secret, and no ready key is made', async () => {
    const data = join(directory, 'data');
    const preconfigured = 'a-fixed-key-0123456789';
    const { program, url } = await start(['--data', data, '--log-format', 'json', '--api-key', preconfigured]);
    const health = await send(url, { path: '/_sandbox/health' });
    expect(health.status).toBe(200);
    for (const line of program.out.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) });
    expect(program.out).not.toMatch(/petsbx_|a-fixed-key|token/);
    expect(await filesBelow(data)).not.toContain('ready-key.json');
    expect((await filesBelow(data)).filter((file) => file.startsWith('sandboxes/sbx_'))).toHaveLength(1);
  });
});

describe('the line of a request', () => {
  const request = (url: string, path: string, key?: string) =>
    send(url, { path, headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } });

  /** Sends one request of each kind; the last is on the terminal once all are. */
  async function sendAll({ program, url }: Awaited<ReturnType<typeof start>>): Promise<string> {
    const key = keyIn(program);
    const paths = ['/v1/pets', `/v1/pets?note=${key}`, '/v1/pets?limit=500', '/_sandbox/pets', '/'];
    for (const path of paths) await request(url, path, key);
    await request(url, '/pets');
    return key;
  }

  const isLinux = process.platform === 'linux';

  it.runIf(isLinux)('is printed on a terminal with its finding in words, and without secrets', async () => {
    const started = await start([], { onTerminal: true });
    const key = await sendAll(started);
    const { program } = started;
    // The validator may return verdicts in another order.
    for (const path of ['/v1/pets', '/v1/pets?note=', '/v1/pets?limit=500', '/pets'])
      await program.wrote(new RegExp(`^[✓!✗] GET ${path.replace('?', '\\?')}.*\r\n`, 'm'));
    const lines = program.out
      .replaceAll('\r', '')
      .split('\n')
      .filter((line) => /^[✓!✗] GET /.test(line));
    expect(lines.toSorted()).toEqual([
      '! GET /v1/pets?note=[key] 200  unknown parameter note',
      '✓ GET /v1/pets 200',
      '✗ GET / 200  no such operation',
      '✗ GET /pets 404  the API is under /v1; send GET /v1/pets',
      '✗ GET /v1/pets?limit=500 400  limit must be <= 100',
    ]);
    expect(program.out.split(key)).toHaveLength(3);
  });

  it.runIf(isLinux)('is not printed with --quiet, nor where the output is no terminal', async () => {
    const onTerminal = await start(['--quiet'], { onTerminal: true });
    for (const started of [onTerminal, await start()]) {
      await sendAll(started);
      // All verdicts are final when it has stopped. Ctrl-C reaches the program by its terminal, the signal by none.
      started.program.process.stdin.write('\u0003');
      if (started !== onTerminal) started.program.process.kill('SIGINT');
      await started.program.ended();
      expect(started.program.out).toContain('stopping on SIGINT');
      expect(started.program.out).not.toMatch(/GET /);
    }
  });
});

describe('a program that listens on all addresses', () => {
  it('says so, and shows an address that can be used', async () => {
    const people = await start(['--host', '0.0.0.0']);
    expect(people.program.out).toMatch(/listening +on all addresses of this machine \(0\.0\.0\.0\)/);
    expect((await send(people.url, { path: '/_sandbox/health' })).status).toBe(200);
    const { program } = await start(['--host', '0.0.0.0', '--log-format', 'json']);
    expect(JSON.parse(program.out.trim())).toMatchObject({
      host: '0.0.0.0',
      url: expect.stringContaining('127.0.0.1'),
    });
  });
});

describe('the ready key', () => {
  it('is the same at the next start, opens the same pets, and only its owner may read its file', async () => {
    const data = join(directory, 'data');
    const first = await start(['--data', data]);
    const key = keyIn(first.program);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    await send(first.url, { method: 'POST', path: '/v1/pets', headers, body: '{"name":"Ada","categoryId":1}' });
    await validatorStarted(first);
    first.program.process.kill('SIGTERM');
    expect(await first.program.ended()).toBe(0);
    expect((await stat(join(data, 'ready-key.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    const second = await start(['--data', data]);
    expect(keyIn(second.program)).toBe(key);
    expect((await send(second.url, { path: '/v1/pets/13', headers })).json.name).toBe('Ada');
  });

  it('is named in no rejection of its file: a further member, or a text that was cut off', async () => {
    const key = newKey();
    const file = join(directory, 'ready-key.json');
    for (const [text, said] of [
      [JSON.stringify({ key, more: 1 }), 'it must have one field, "key"'],
      [`{"key":"${key}`, 'it is not valid JSON'],
    ] as const) {
      await writeFile(file, text);
      const program = run(['--port', '0', '--data', directory]);
      expect(await program.ended()).toBe(2);
      expect(program.err).toContain(`petstore-sandbox: ${file}: ${said}. `);
      expect(program.err).not.toContain(key.slice(7, 17));
    }
  });

  it.each(['', '{"key":"petsbx_damaged"}'])('stops the start when its file holds %j', async (text) => {
    const file = join(directory, 'ready-key.json');
    await writeFile(file, text);
    const program = run(['--port', '0', '--data', directory]);
    expect(await program.ended()).toBe(2);
    expect(program.err).toMatch(new RegExp(`^petstore-sandbox: ${file}: .*left as it is`));
    expect(program.err).not.toMatch(/\n {4}at /);
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});

describe('a signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends the program with code 0 within five seconds, idle connections or not',
    async (signal) => {
      const { program, url } = await start(['--data', join(directory, 'data')]);
      await validatorStarted({ program, url });
      const silent = await dial(url);
      const idle = await dial(url);
      idle.write('GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(idle, 'data');
      for (const socket of [silent, idle]) socket.on('error', () => undefined);
      const began = performance.now();
      program.process.kill(signal);
      expect(await program.ended()).toBe(0);
      expect(performance.now() - began).toBeLessThan(5000);
      expect(program.out).toContain(`stopping on ${signal}`);
      expect(program.err).toBe('');
      expect((await filesBelow(directory)).filter((file) => /\.tmp$|\.sock$/.test(file))).toEqual([]);
      silent.destroy();
      idle.destroy();
    },
  );

  it('lets a request that is under way end, and takes no new one', async () => {
    const { program, url } = await start();
    const body = '{"name":"Ada","categoryId":1}';
    const socket = await dial(url);
    socket.write(
      `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keyIn(program)}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    // The request has begun once the server has read its head.
    await new Promise((resolve) => setTimeout(resolve, 300));
    program.process.kill('SIGTERM');
    await program.wrote(/stopping on/);
    await expect.poll(() => rejects(url)).toBe(true);
    socket.write(body.slice(5));
    const [reply] = await readReplies(socket);
    expect([reply?.status, reply?.json.name]).toEqual([201, 'Ada']);
    expect(await program.ended()).toBe(0);
  });

  it('ends it at once when it comes a second time', async () => {
    const { program, url } = await start();
    const socket = await dial(url);
    socket.on('error', () => undefined);
    socket.write('GET /v1/pets HTTP/1.1\r\n');
    await new Promise((resolve) => setTimeout(resolve, 300));
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

/** Whether the address takes no connection any more. */
const rejects = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
