/** Servers with names behind the balancer of examples/servers. It needs haproxy: `apt-get install haproxy`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { send } from '../support/client.ts';
import { freePort } from '../support/ports.ts';
import { Program } from '../support/program.ts';
import { limit } from '../support/slow.ts';

export const ADMIN = 'the-admin-token-of-all-servers';
/** A preconfigured key of all servers: each has a sandbox for it, and the balancer stays with one of them. */
export const PRECONFIGURED = 'a-preconfigured-key-0123456789';
export const NAMES = ['a', 'b', 'c'] as const;
export type Name = (typeof NAMES)[number];

/** A server of the suite: a process that can be ended and started again, on the same port and data. */
export class Server {
  readonly name: Name;
  readonly url: string;
  readonly #data: string;
  #program: Program | undefined;

  constructor(name: Name, port: number, data: string) {
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.#data = data;
  }

  async start(): Promise<void> {
    const flags = ['--name', this.name, '--port', new URL(this.url).port, '--data', this.#data, '--fixture', 'empty'];
    const more = ['--admin-token', ADMIN, '--api-key', PRECONFIGURED, '--log-format', 'json'];
    this.#program = new Program([...flags, ...more]);
    await this.#program.wrote(/"msg":"listening"/);
  }

  /** Without a word, as a lost machine ends. */
  async kill(): Promise<void> {
    await this.#program?.kill();
  }

  async stop(): Promise<void> {
    this.#program?.process.kill('SIGTERM');
    expect(await this.#program?.ended()).toBe(0);
  }
}

/** The example with a third server: a line for it wherever b has one, as docs/operate/servers.md says. */
const withServerC = (config: string): string =>
  config
    .replaceAll(/^ {2}server b .*\n/gm, (line) => line + line.replace('server b', 'server c').replace('_B}', '_C}'))
    .replace(/^backend b\n(.*\n)(.*\n)/m, 'backend b\n$1\nbackend c\n$2');

export interface Servers {
  /** The balancer's address. */
  readonly url: string;
  readonly all: readonly Server[];
  of(name: string): Server;
  close(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const folder = await mkdtemp(join(tmpdir(), 'petstore-servers-'));
  const all = NAMES.map((name, n) => new Server(name, ports[n] as number, join(folder, name)));
  await Promise.all(all.map((server) => server.start()));
  const url = `http://127.0.0.1:${ports[3]}`;
  const closeBalancer = await startBalancer(url, all, join(folder, 'haproxy.cfg'));
  return {
    url,
    all,
    of: (name) => all.find((each) => each.name === name) as Server,
    close: async () => {
      await closeBalancer();
      await Promise.all(all.map((server) => server.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs the example's configuration, with a third server. @returns a function that ends it */
async function startBalancer(url: string, all: readonly Server[], config: string): Promise<() => Promise<void>> {
  await writeFile(config, withServerC(await readFile('examples/servers/haproxy.cfg', 'utf8')));
  const [SANDBOX_A, SANDBOX_B, SANDBOX_C, BALANCER] = [...all.map((each) => each.url), url].map(
    (each) => new URL(each).host,
  );
  const env = { PATH: process.env['PATH'], SANDBOX_A, SANDBOX_B, SANDBOX_C, BALANCER, SANDBOX_ADMIN_TOKEN: ADMIN };
  const child = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore', env });
  await once(child, 'spawn');
  const health = () =>
    send(url, { path: '/_sandbox/health' }).then(
      ({ status }) => status,
      () => undefined,
    );
  await vi.waitFor(async () => expect(await health()).toBe(200), { timeout: limit(30_000), interval: 20 });
  return async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
}
