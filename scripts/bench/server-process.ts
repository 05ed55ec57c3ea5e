/** A server under measurement, as a process: how long it takes to its first response, how much memory it holds, its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The request whose first 200 counts as started. */
export interface Probe {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Running {
  readonly pid: number;
  /** From spawn to the first 200, in milliseconds. */
  readonly startMs: number;
  /** Of the process and its children, in MiB; `undefined` where there is no /proc. */
  memory(): { now: number; peak: number } | undefined;
  /** What it wrote, the last of it. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Asks it to end, and after five seconds makes it. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const KEPT_OUTPUT = 20_000;

/** Those still running: they end with this process, however that ends. */
const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) endGroup(child, 'SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** A port that was free a moment ago: not every server can be told to take any. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a server and waits for its first 200. @throws when it ends before, or takes over a minute. */
export async function start({ file, args, env = {} }: Command, probe: Probe): Promise<Running> {
  const from = performance.now();
  // A group of its own, so that a server's own children end with it.
  const child = spawn(file, args, {
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const keep = (text: Buffer) => (output = `${output}${text}`.slice(-KEPT_OUTPUT));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => {
    ended = `ended with ${signal ?? code}`;
    alive.delete(child);
  });
  alive.add(child);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (ended !== undefined) return;
    const exit = once(child, 'exit');
    endGroup(child, signal);
    await exit;
  };
  while ((await statusOf(probe)) !== 200) {
    if (ended !== undefined) throw new Error(`${ended} before its first response: ${lastLines(output)}`);
    if (performance.now() - from > START_TIMEOUT_MS) {
      await end('SIGKILL');
      throw new Error(`no 200 from ${probe.url} within ${START_TIMEOUT_MS / 1000} s: ${lastLines(output)}`);
    }
    await sleep(1);
  }
  const startMs = performance.now() - from;
  const pid = child.pid as number;
  return {
    pid,
    startMs,
    memory: () => memoryOf(pid),
    output: () => output,
    kill: end,
    stop: async () => {
      const hard = setTimeout(() => endGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS);
      await end('SIGTERM');
      clearTimeout(hard);
    },
  };
}

/** What was set for this process must not tune or configure a server. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const passed = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'JAVA_HOME'];
  return Object.fromEntries(passed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function statusOf({ url, headers = {} }: Probe): Promise<number | undefined> {
  return new Promise((done) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume();
      done(response.statusCode);
    }).once('error', () => done(undefined));
  });
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const lastLines = (output: string): string =>
  output.trim().split('\n').slice(-4).join(' / ').slice(-400) || 'no output';

function memoryOf(pid: number): { now: number; peak: number } | undefined {
  if (!existsSync('/proc/self/status')) return undefined;
  const children = childrenOf();
  const all = [pid];
  for (const each of all) all.push(...(children.get(each) ?? []));
  const total = { now: 0, peak: 0 };
  for (const each of all) {
    const status = readProc(each, 'status');
    total.now += kibOf(status, 'VmRSS') / 1024;
    total.peak += kibOf(status, 'VmHWM') / 1024;
  }
  return total;
}

function childrenOf(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readProc(Number(name), 'status'))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

const kibOf = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);

/** Empty when the process has ended meanwhile. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
