/**
 * `npm run bench:shared`: what a shared store costs a request. A server with files, and one and two servers on an engine of
 * this machine, take turns under the same loads.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf } from './cpu.ts';
import { chooseGenerator, type Generator, type LoadRun, runOpenLoop } from './load/generator.ts';
import { median } from './measurements.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { FEW, LOADS, type Load } from './pets.ts';
import { machine, table } from './report.ts';
import { freePort } from './server-process.ts';
import { temporaryDirectory } from './temporary.ts';

const ROUNDS = 5;
const SECONDS = 2;
/** Of all servers of a contender together. */
const CONNECTIONS = 32;
/** Requests a second of the loads at a constant rate: no contender is at its limit. */
const RATE = 4_000;
const AFTER_MS = 300;
const MEASURED = ['get', 'list', 'create'];
const HEADINGS = ['load', '', 'main thread', 'all threads', 'engine', 'requests a second'];
const KEY = 'a-fixed-key-of-the-benchmark';

const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);

interface Contender {
  readonly name: string;
  readonly servers: readonly OwnServer[];
}

/** Processor time, in microseconds a request. */
interface Cost {
  readonly main: number;
  readonly all: number;
  readonly engine: number;
  readonly perSecond: number;
}

/** An engine without a log on disk, so that the disk of the machine is not measured. */
async function startEngine(): Promise<{ port: number; pid: number; end: () => void }> {
  const port = await freePort();
  const settings = ['--port', String(port), '--dir', temporaryDirectory(), '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', settings, { stdio: 'ignore' });
  process.on('exit', () => child.kill('SIGKILL'));
  await sleep(500);
  return { port, pid: child.pid as number, end: () => void child.kill('SIGKILL') };
}

const startShared = (port: number, database: number): Promise<OwnServer> => {
  const flags = ['--store', `valkey://127.0.0.1:${port}/${database}`, '--admin-token', 'admin-token-of-the-benchmark'];
  const common = { fixtures: { few: FEW }, fixture: 'few', key: KEY };
  return startOwnServer({ ...common, flags: [...flags, '--max-pets', '10000000'], isShared: true });
};

/** How a contender is asked: `run` with an equal share of the connections for each of its servers. */
interface Shape {
  readonly name: string;
  run(load: LoadRun, servers: number): ReturnType<Generator['run']>;
}

async function measure({ run }: Shape, { servers }: Contender, load: Load, engine: number): Promise<Cost> {
  const creates = load.name === 'create';
  const before = servers.map(({ running }) => cpuOf(running.pid));
  const engineBefore = cpuOf(engine)?.all ?? 0;
  const runs = servers.map(({ url, key }) => run(loadOn(url, key, load, servers.length), servers.length));
  const results = await Promise.all(runs);
  await sleep(AFTER_MS);
  const failures = results.reduce((sum, result) => sum + result.failures, 0);
  if (failures > 0) throw new Error(`${failures} requests failed`);
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const used = (kind: 'main' | 'all'): number =>
    servers.reduce((sum, { running }, n) => sum + (cpuOf(running.pid)?.[kind] ?? 0) - (before[n]?.[kind] ?? 0), 0);
  const cost = {
    main: used('main') / requests,
    all: used('all') / requests,
    engine: ((cpuOf(engine)?.all ?? 0) - engineBefore) / requests,
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
  };
  if (creates) await servers[0]?.call('POST', '/_sandbox/reset', {});
  return cost;
}

const loadOn = (url: string, key: string, { name, asks }: Load, servers: number): LoadRun => ({
  url,
  method: name === 'create' ? 'POST' : 'GET',
  headers: { Authorization: `Bearer ${key}`, ...(name === 'create' ? { 'Content-Type': 'application/json' } : {}) },
  requests: asks.map((ask) => {
    if (ask.kind === 'create') return { path: '/v1/pets', body: ask.body };
    return { path: ask.kind === 'get' ? `/v1/pets/${ask.id}` : `/v1/pets?${ask.query}` };
  }),
  connections: CONNECTIONS / servers,
  seconds: SECONDS,
});

/** A cell for each contender: medians, and the main thread's as a multiple of the first contender's. */
async function compare(shape: Shape, all: readonly Contender[], load: Load, engine: number): Promise<string[][]> {
  const costs = all.map((): Cost[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [n, contender] of all.entries()) {
      const cost = await measure(shape, contender, load, engine);
      // The first round is a warm-up.
      if (round > 0) costs[n]?.push(cost);
    }
    say(`${load.name}, ${shape.name}, round ${round} of ${ROUNDS}`);
  }
  return all.map(({ name }, n) => {
    const of = (kind: keyof Cost): number => median((costs[n] ?? []).map((cost) => cost[kind]));
    const ratio = (kind: 'main' | 'all'): string =>
      median((costs[n] ?? []).map((cost, round) => cost[kind] / (costs[0]?.[round]?.[kind] ?? Number.NaN))).toFixed(2);
    const engineUsed = n === 0 ? '–' : of('engine').toFixed(1);
    const main = `${of('main').toFixed(1)} (${ratio('main')})`;
    return [load.name, name, main, `${of('all').toFixed(1)} (${ratio('all')})`, engineUsed, of('perSecond').toFixed(0)];
  });
}

async function main(): Promise<void> {
  const generator = chooseGenerator();
  const engine = await startEngine();
  const contenders: Contender[] = [];
  try {
    const flags = ['--max-pets', '10000000'];
    const common = { fixtures: { few: FEW }, fixture: 'few', key: KEY, flags };
    contenders.push({ name: 'files', servers: [await startOwnServer(common)] });
    contenders.push({ name: 'shared, 1 server', servers: [await startShared(engine.port, 0)] });
    const two = [await startShared(engine.port, 1), await startShared(engine.port, 1)];
    contenders.push({ name: 'shared, 2 servers', servers: two });
    const shapes: readonly Shape[] = [
      { name: `${CONNECTIONS} connections`, run: (load) => generator.run(load) },
      { name: `${RATE} a second`, run: (load, servers) => runOpenLoop({ ...load, rate: RATE / servers }) },
    ];
    const tables: string[] = [];
    for (const shape of shapes) {
      const rows: string[][] = [];
      for (const load of LOADS.filter(({ name }) => MEASURED.includes(name))) {
        rows.push(...(await compare(shape, contenders, load, engine.pid)));
      }
      tables.push(`## ${shape.name}`, table(HEADINGS, rows));
    }
    const text = [
      '# What a shared store costs',
      `${new Date().toISOString().slice(0, 10)}, with \`npm run bench:shared\`. ${machine()}. Load on the same machine, ${CONNECTIONS} connections to all servers of a row together, one sandbox: from ${generator.name} as fast as each server answers, then from a program of ours at a constant rate.`,
      `Processor time, µs a request: medians of ${ROUNDS} rounds in turn. In brackets: how many times that of the server with files, as the median of the ratios. A request costs less the more of them arrive together, so that the server that answers most has an advantage in the first table.`,
      ...tables,
    ].join('\n\n');
    console.log(`\n${text}`);
    writeFileSync(new URL('SHARED.md', import.meta.url), `${text}\n`);
  } finally {
    for (const { servers } of contenders) for (const { end } of servers) await end();
    engine.end();
  }
}

await main();
