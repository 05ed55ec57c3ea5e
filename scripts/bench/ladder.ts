/**
 * `npm run bench:ladder`: what each part of the sandbox costs a request. Each is switched off in a build of its own; all
 * of them and the whole take turns under the same load. A negative cost is what a part saves.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { OutputFile, Plugin } from 'esbuild';
import { cpuOf, cpuPerRequest } from './cpu.ts';
import { PARTS, type Part, Switch } from './ladder/parts.ts';
import { chooseGenerator, type Generator } from './load/generator.ts';
import { median } from './measurements.ts';
import { startOwnServer } from './own-server.ts';
import { FEW, LOADS, type Load, MANY } from './pets.ts';
import { machine, table } from './report.ts';
import { freePort, start } from './server-process.ts';
import { temporaryDirectory } from './temporary.ts';

const ROUNDS = 7;
const SECONDS = 1;
const CONNECTIONS = 32;
const VALIDATOR_MS = 100;
const MEASURED = ['get, all new', 'create', 'get'];

interface Build {
  bundle(options: { entries: string[]; outdir: string; plugins: Plugin[] }): Promise<{ files: OutputFile[] }>;
}
const { bundle }: Build = await import(new URL('../bundle.mjs', import.meta.url).href);

const root = fileURLToPath(new URL('../..', import.meta.url));
const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);

interface Rung {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  headers(allNew: boolean): Readonly<Record<string, string>>;
  tidy(): Promise<unknown>;
  end(): Promise<void>;
}

/** The program without a part, in a directory of its own. */
async function buildWithout(part: Part): Promise<string> {
  const home = temporaryDirectory();
  for (const name of ['fixtures', 'spec', 'package.json']) symlinkSync(join(root, name), join(home, name));
  cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true });
  const off = new Switch(part);
  const plugin: Plugin = {
    name: 'ladder',
    setup: ({ onLoad }) =>
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const contents = off.apply(readFileSync(path, 'utf8'));
        return contents === undefined ? undefined : { contents, loader: 'ts' };
      }),
  };
  const outdir = join(home, 'dist');
  const { files } = await bundle({ entries: ['src/cli.ts', 'src/validator/worker.ts'], outdir, plugins: [plugin] });
  off.check();
  for (const { path, contents } of files) writeFileSync(path, contents);
  return join(outdir, 'cli.js');
}

async function startSandbox(name: string, options: { program?: string; memory?: boolean }): Promise<Rung> {
  const fixtures = { few: FEW, many: MANY };
  const server = await startOwnServer({ ...options, fixtures, fixture: 'few', flags: ['--max-pets', '10000000'] });
  const { key } = await server.call<{ key: string }>('POST', '/_sandbox/keys', { fixture: 'many' });
  return {
    name,
    url: server.url,
    pid: server.running.pid,
    headers: (allNew) => ({ Authorization: `Bearer ${allNew ? key : server.key}` }),
    tidy: () => server.call('POST', '/_sandbox/reset', {}),
    end: () => server.end(),
  };
}

async function startFloor(): Promise<Rung> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [fileURLToPath(new URL('peers/raw.mjs', import.meta.url)), String(port)];
  const { pid, stop } = await start({ file: process.execPath, args }, { url });
  return { name: 'node:http alone', url, pid, headers: () => ({}), tidy: async () => undefined, end: stop };
}

/** Processor time of the main thread, in microseconds a request. */
async function measure(generator: Generator, rung: Rung, load: Load): Promise<number> {
  const creates = load.name === 'create';
  const before = cpuOf(rung.pid);
  const { requests, failures } = await generator.run({
    url: rung.url,
    method: creates ? 'POST' : 'GET',
    headers: { ...rung.headers(load.allNew ?? false), ...(creates ? { 'Content-Type': 'application/json' } : {}) },
    requests: load.asks.map((request) => {
      if (request.kind === 'create') return { path: '/v1/pets', body: request.body };
      return { path: request.kind === 'get' ? `/v1/pets/${request.id}` : `/v1/pets?${request.query}` };
    }),
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  if (failures > 0) throw new Error(`${rung.name}: ${failures} requests failed`);
  await sleep(VALIDATOR_MS);
  const cpu = cpuPerRequest(before, cpuOf(rung.pid), requests);
  if (!cpu) throw new Error('processor time cannot be read here: there is no /proc');
  if (creates) await rung.tidy();
  return cpu.main;
}

/** One row for each rung: its median, and the median of its differences from the whole. */
async function climb(generator: Generator, rungs: readonly Rung[], load: Load): Promise<string[]> {
  const times = rungs.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, rung] of rungs.entries()) {
      const time = await measure(generator, rung, load);
      // The first round is a warm-up.
      if (round > 0) times[index]?.push(time);
    }
    say(`${load.name}, round ${round} of ${ROUNDS}`);
  }
  const [whole = []] = times;
  return times.map((each, index) => {
    const text = median(each).toFixed(1);
    if (index === 0) return text;
    const saved = median(each.map((time, round) => (whole[round] ?? Number.NaN) - time));
    return `${text} (${saved >= 0 ? '+' : '−'}${Math.abs(saved).toFixed(1)})`;
  });
}

async function main(): Promise<void> {
  const generator = chooseGenerator();
  const rungs: Rung[] = [];
  try {
    rungs.push(await startSandbox('the whole', {}));
    for (const part of PARTS) {
      const program = await buildWithout(part);
      rungs.push(await startSandbox(`without ${part.name}`, { program, memory: part.memory ?? false }));
      say(`built and started without ${part.name}`);
    }
    rungs.push(await startFloor());
    const loads = LOADS.filter(({ name }) => MEASURED.includes(name));
    const columns: string[][] = [];
    for (const load of loads) columns.push(await climb(generator, rungs, load));
    const rows = rungs.map(({ name }, row) => [name, ...columns.map((column) => column[row] ?? '')]);
    const text = [
      '# The ladder of costs',
      `${new Date().toISOString().slice(0, 10)}, with \`npm run bench:ladder\`. ${machine()}. Load from ${generator.name} on the same machine, ${CONNECTIONS} connections.`,
      `Processor time of the main thread, µs a request: medians of ${ROUNDS} rounds in turn. In brackets: what the part costs, as the median of the differences from the whole; what has a minus is saved by it.`,
      table(['', ...loads.map(({ name }) => name)], rows),
    ].join('\n\n');
    console.log(`\n${text}`);
    writeFileSync(new URL('LADDER.md', import.meta.url), `${text}\n`);
  } finally {
    for (const { end } of rungs) await end();
  }
}

await main();
