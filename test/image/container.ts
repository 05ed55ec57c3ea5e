/** Containers for one test: started from the image under test, and gone at the test's end. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, onTestFinished } from 'vitest';
import { limit } from '../support/slow.ts';
import { engine, inspect, isPodman, type Ran, tryEngine } from './engine.ts';

/** A preconfigured key, and the admin token, for those tests that give them. */
export const KEY = 'image-test-key-0123456789';
export const ADMIN_TOKEN = 'image-test-admin-0123456789';

/** What the documentation recommends: nothing that the program does not need. */
export const HARDENED: readonly string[] = [
  '--read-only',
  // Docker gives no writable /tmp with --read-only; podman only when told.
  ...(isPodman ? ['--read-only-tmpfs=false'] : []),
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
];

export interface ContainerOptions {
  /** The engine's own flags. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments for the program. */
  readonly args?: readonly string[];
  readonly image?: string;
}

export interface Container {
  readonly name: string;
  /** Runs a program in it. */
  exec(...command: readonly string[]): Promise<Ran>;
  /** All that the program said so far. */
  logs(): Promise<Ran>;
}

/** Starts a container, and does not wait for anything. */
export async function startContainer({
  flags = [],
  env = {},
  args = [],
  image,
}: ContainerOptions = {}): Promise<Container> {
  const name = `petstore-sandbox-${randomUUID().slice(0, 13)}`;
  onTestFinished(async () => {
    await tryEngine('rm', '--force', '--volumes', name);
  });
  const variables = Object.entries(env).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]);
  await engine('run', '--detach', '--name', name, ...variables, ...flags, image ?? inject('image'), ...args);
  return {
    name,
    exec: (...command) => tryEngine('exec', name, ...command),
    logs: () => tryEngine('logs', name),
  };
}

/** Starts a container that is expected to end by itself; what it said, and its exit code. */
export async function runToEnd(options: ContainerOptions): Promise<Ran> {
  const { name, logs } = await startContainer(options);
  const code = Number((await engine('wait', name)).trim());
  return { ...(await logs()), code };
}

export interface RunningSandbox extends Container {
  /** As this machine reaches it, without a path. */
  readonly url: string;
  /** Milliseconds from the container's start until its health check said yes. */
  readonly healthyAfterMs: number;
}

/** Starts a sandbox on a free port, and waits until its own health check says that it is healthy. */
export async function startSandbox({ flags = [], ...options }: ContainerOptions = {}): Promise<RunningSandbox> {
  const container = await startContainer({ ...options, flags: ['--publish', '127.0.0.1::4020', ...flags] });
  const healthyAfterMs = await untilHealthy(container);
  const mapped = (await engine('port', container.name, '4020/tcp')).trim().split('\n')[0];
  return { ...container, url: `http://${mapped}`, healthyAfterMs };
}

async function untilHealthy({ name, logs }: Container): Promise<number> {
  const { State: started } = await inspect(name);
  const since = Date.parse(started.StartedAt);
  while (Date.now() - since < limit(20_000)) {
    const { State } = await inspect(name);
    if (!State.Running) break;
    if (isPodman ? (await tryEngine('healthcheck', 'run', name)).code === 0 : State.Health?.Status === 'healthy')
      return Date.now() - since;
    await sleep(20);
  }
  const { stdout, stderr } = await logs();
  throw new Error(`the container never became healthy; it said:\n${stdout}${stderr}`);
}

/** How a stop went; `programMs` is the program's own part: from the signal until the process was gone. */
export interface Stopped {
  readonly tookMs: number;
  readonly programMs: number;
  readonly exitCode: number;
}

/** Stops it as an orchestrator does. */
export async function stop({ name, logs }: Container): Promise<Stopped> {
  const began = performance.now();
  await engine('stop', name);
  const tookMs = Math.round(performance.now() - began);
  const { FinishedAt, ExitCode } = (await inspect(name)).State;
  const told = /"time":"([^"]+)"[^\n]*"msg":"stopping on/.exec((await logs()).stdout)?.[1] ?? '';
  return { tookMs, programMs: Date.parse(FinishedAt) - Date.parse(told), exitCode: ExitCode };
}

/** A named volume, gone at the test's end. */
export async function newVolume(): Promise<string> {
  const volume = `petstore-sandbox-${randomUUID().slice(0, 13)}`;
  await engine('volume', 'create', volume);
  onTestFinished(async () => {
    await tryEngine('volume', 'rm', '--force', volume);
  });
  return volume;
}

/** One request with a key; its status and parsed body. */
export async function call(
  { url }: Pick<RunningSandbox, 'url'>,
  path: string,
  { key = KEY, body }: { key?: string; body?: unknown } = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
