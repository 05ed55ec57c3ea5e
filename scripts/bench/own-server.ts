/** Our own program, `dist/cli.js`, as a process with a fixed key. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchPet } from './pets.ts';
import { freePort, type Running, start } from './server-process.ts';
import { temporaryDirectory, writeFixture } from './temporary.ts';

export interface OwnServer {
  /** `http://127.0.0.1:4020`, without a path. */
  readonly url: string;
  readonly running: Running;
  readonly key: string;
  /** Calls it with its key or another one. @throws on a response of 400 or above */
  call<T = unknown>(method: string, path: string, body?: object, key?: string): Promise<T>;
  health(): Promise<Health>;
  /** Ends it, and removes its directory. */
  end(): Promise<void>;
}

/** What its validator says of everything so far. */
export interface Health {
  readonly validated: number;
  readonly validationFailures: number;
  readonly disagreements: number;
  readonly brokenResponses: number;
}

export interface OwnServerOptions {
  /** Fixtures of its own, by name. */
  readonly fixtures?: Readonly<Record<string, readonly BenchPet[]>>;
  /** What the fixed key's sandbox starts with. */
  readonly fixture?: string;
  /** Further flags. */
  readonly flags?: readonly string[];
  /** A directory from before: its data is there, its fixtures too. It stays. */
  readonly home?: string;
  readonly key?: string;
  /** Another build of it. */
  readonly program?: string;
  /** Keeps its data in memory. */
  readonly memory?: boolean;
  /** Keeps its data in a store that the flags name. */
  readonly isShared?: boolean;
}

const builtProgram = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** What `npm start` tells Node. */
function flagsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const flags = /node ((?:--\S+ )*)scripts\/start\.mjs$/.exec(scripts.start)?.[1];
  if (flags === undefined) throw new Error(`\`npm start\` is not as expected: ${scripts.start}`);
  return flags.split(' ').filter(Boolean);
}

const placeOf = ({ memory, isShared }: OwnServerOptions, home: string): string[] => {
  if (isShared) return [];
  return memory ? ['--memory'] : ['--data', join(home, 'data')];
};

/** Starts it with its data on disk. @throws when it does not start */
export async function startOwnServer(options: OwnServerOptions = {}): Promise<OwnServer> {
  const { fixtures = {}, fixture = 'default', flags = [], key = randomBytes(16).toString('hex') } = options;
  const home = options.home ?? temporaryDirectory();
  const remove = () => (options.home ? undefined : rmSync(home, { recursive: true, force: true }));
  for (const [name, pets] of Object.entries(fixtures)) writeFixture(home, name, pets);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = ['--port', String(port), '--fixtures', home, '--fixture', fixture, '--api-key', key];
  const args = [
    ...flagsOfStart(),
    options.program ?? builtProgram,
    ...settings,
    ...placeOf(options, home),
    '--log-format',
    'json',
    ...flags,
  ];
  const probe = { url: `${url}/v1/pets?limit=1`, headers: { Authorization: `Bearer ${key}` } };
  const running = await start({ file: process.execPath, args }, probe).catch((error) => {
    remove();
    throw error;
  });
  const call = async <T>(method: string, path: string, body?: object, as = key): Promise<T> => {
    const headers = { Authorization: `Bearer ${as}` };
    const sent = body
      ? { body: JSON.stringify(body), headers: { ...headers, 'Content-Type': 'application/json' } }
      : { headers };
    const response = await fetch(`${url}${path}`, { method, ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    url,
    running,
    key,
    call,
    health: async () => (await call<{ validator: Health }>('GET', '/_sandbox/health')).validator,
    end: async () => {
      await running.stop();
      remove();
    },
  };
}
