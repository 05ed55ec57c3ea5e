/** The load generators: `wrk` where the machine has it, else one in Node, which also sends at a constant rate. Each is a process of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../temporary.ts';

export interface LoadRun {
  /** `http://127.0.0.1:4020`, without a path. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** What to send, in turn. */
  readonly requests: readonly { readonly path: string; readonly body?: string }[];
  readonly connections: number;
  readonly seconds: number;
}

/** A load that does not wait for responses. */
export interface OpenLoadRun extends LoadRun {
  /** Requests a second. */
  readonly rate: number;
}

/** What came of it; times in microseconds. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Responses of 400 and above, and connections that failed. */
  readonly failures: number;
}

export interface Generator {
  /** With its version. */
  readonly name: string;
  /** @throws when the generator itself fails */
  run(load: LoadRun): Promise<LoadResult>;
}

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * `wrk` costs less of the processor that it shares with the server: it is preferred.
 *
 * @param wanted `wrk` or `node`
 * @throws when that is another one, or is not installed
 */
export function chooseGenerator(wanted?: string): Generator {
  if (wanted !== undefined && wanted !== 'wrk' && wanted !== 'node') {
    throw new Error(`--with must be wrk or node; got ${JSON.stringify(wanted)}`);
  }
  // It says its version on either stream, and ends with 1.
  const said = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  const version = said.error ? undefined : /^wrk (?:debian\/)?([\w.]+)/.exec(`${said.stdout}${said.stderr}`)?.[1];
  if (wanted === 'wrk' && version === undefined) throw new Error('wrk is not installed; leave out --with wrk');
  if (wanted === 'node' || version === undefined) return { name: 'Node', run: withNode };
  return { name: `wrk ${version}`, run: withWrk };
}

const withWrk = (load: LoadRun): Promise<LoadResult> =>
  withRequests(load, (file) => {
    const headers = Object.entries(load.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const shape = ['-t', '1', '-c', String(load.connections), '-d', `${load.seconds}s`];
    return runProgram('wrk', [...shape, ...headers, '-s', beside('wrk.lua'), load.url, '--', file, load.method]);
  });

/** Sends at a constant rate: latency counts from when a request was due, and so shows what queues. */
export const runOpenLoop = (load: OpenLoadRun): Promise<LoadResult> => withNode(load);

const withNode = (load: LoadRun): Promise<LoadResult> =>
  withRequests(load, (file) => {
    const { requests: _, ...rest } = load;
    return runProgram(process.execPath, [beside('node.mjs'), JSON.stringify({ ...rest, file })]);
  });

/** Hands the requests over in a file: a line is a path, a tab, and a body. */
async function withRequests({ requests }: LoadRun, run: (file: string) => Promise<LoadResult>): Promise<LoadResult> {
  const directory = temporaryDirectory();
  const file = join(directory, 'requests.tsv');
  writeFileSync(file, requests.map(({ path, body = '' }) => `${path}\t${body}\n`).join(''));
  try {
    return await run(file);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function runProgram(file: string, args: readonly string[]): Promise<LoadResult> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  const code = await new Promise((done, failed) => child.once('error', failed).once('close', done));
  const found = /^RESULT (.*)$/m.exec(output);
  if (!found) throw new Error(`${file} ended with ${code} and without a result:\n${output.slice(-2_000)}`);
  const { microseconds, ...result } = JSON.parse(found[1] as string);
  return { ...result, perSecond: (result.requests / microseconds) * 1e6 };
}
