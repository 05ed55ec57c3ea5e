/** An engine for tests: Valkey, or Debian's Redis, on a port of its own, in a directory that is removed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { Redis } from 'iovalkey';
import { freePort } from './free-port.ts';
import { limit } from './slow.ts';

const PROGRAMS = ['valkey-server', 'redis-server'];
/** More than a suite starts servers: each gets a database. */
const DATABASES = 10_000;

export interface TestEngine {
  readonly port: number;
  /** The address of the next unused database. */
  address(): string;
  /** Talks to the engine itself. */
  readonly client: Redis;
  /** Ends it without a word, as a lost machine does. Its files stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with its files. */
  start(): Promise<void>;
  /** Stops it from running, and lets it run again. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** The program of the engine. @throws if none is installed */
export function engineProgram(): string {
  const found = PROGRAMS.find((name) => spawnSync(name, ['--version']).status === 0);
  if (found === undefined) throw new Error(`install one of ${PROGRAMS.join(', ')}: apt-get install redis-server`);
  return found;
}

/** @param args more settings of the engine: `--maxmemory`, `20mb` */
export async function startEngine(args: readonly string[] = []): Promise<TestEngine> {
  const program = engineProgram();
  const directory = await mkdtemp(join(tmpdir(), 'petstore-engine-'));
  const port = await freePort();
  let child: ChildProcess;
  const client = new Redis({ port, lazyConnect: true, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const settings = ['--port', port, '--bind', '127.0.0.1', '--dir', directory, '--databases', DATABASES];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '', '--repl-diskless-sync-delay', '0'];
  const start = async (): Promise<void> => {
    child = spawn(program, [...settings.map(String), ...durable, ...args], { stdio: 'ignore' });
    const until = Date.now() + limit(10_000);
    while (!(await isListening(port))) {
      if (Date.now() > until) throw new Error(`${program} does not listen`);
      await later(20);
    }
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  let database = 0;
  return {
    port,
    client,
    address: () => `valkey://127.0.0.1:${port}/${database++}`,
    kill,
    start,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    close: async () => {
      client.disconnect();
      child.kill('SIGCONT');
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const probe = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
  probe.on('error', () => undefined);
  try {
    await probe.connect();
    return (await probe.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    probe.disconnect();
  }
}
