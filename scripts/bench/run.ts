/** `npm run bench`: everyone in turn, load by load, round by round, so that what slows the machine slows them alike. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender, Contestant } from './contenders.ts';
import { cpuOf, cpuPerRequest } from './cpu.ts';
import { type LoadRun, runOpenLoop } from './load/generator.ts';
import { Measurements } from './measurements.ts';
import { type Options, readOptions } from './options.ts';
import type { Load } from './pets.ts';
import { report } from './report.ts';

const SETTLE_MS = 1_000;
/** The validator is done with a load by then. */
const VALIDATOR_MS = 100;
const MANY_CONNECTIONS = 32;
/** The constant rate, as a share of what the contender reached at 32 connections. */
const OPEN_SHARE = 0.6;

const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);

interface Entrant {
  readonly contender: Contender;
  readonly contestant: Contestant;
  /** Requests sent to it so far, those of the warm-up included. */
  sent: number;
}

async function main(options: Options): Promise<void> {
  const measured = new Measurements();
  const from = Date.now();
  await measureStarts(options, measured);
  const entrants: Entrant[] = [];
  try {
    for (const contender of options.contenders) {
      const contestant = await enter(contender, measured);
      if (contestant) entrants.push({ contender, contestant, sent: 0 });
    }
    for (const load of options.loads) await measureLoad(options, load, entrants, measured);
    for (const entrant of entrants) await leave(entrant, measured);
  } finally {
    for (const { contestant } of entrants) await contestant.end();
  }
  report({ options, measured, minutes: (Date.now() - from) / 60_000 });
  if (!measured.isSound) process.exitCode = 1;
}

/** Starts everyone a few times. One that does not start is named in the report. */
async function measureStarts({ starts, contenders }: Options, measured: Measurements): Promise<void> {
  for (let start = 1; start <= starts; start++) {
    for (const { name, start: begin } of contenders) {
      if (measured.failed(name)) continue;
      try {
        const { running, end } = await begin('few');
        measured.figure(name, 'start', running.startMs);
        if (start === starts) {
          await sleep(SETTLE_MS);
          const memory = running.memory();
          if (memory) measured.figure(name, 'idle', memory.now);
          say(`  ${name}: ready in ${running.startMs.toFixed(0)} ms, ${memory?.now.toFixed(0)} MiB idle`);
        }
        await end();
      } catch (error) {
        measured.fail(name, (error as Error).message);
        say(`  ${name}: ${(error as Error).message}`);
      }
    }
  }
}

async function enter(contender: Contender, measured: Measurements): Promise<Contestant | undefined> {
  if (measured.failed(contender.name)) return undefined;
  const contestant = await contender.start('all');
  await contestant.prepare?.();
  return contestant;
}

/** One load on everyone that it is for: a warm-up, then round by round. */
async function measureLoad(options: Options, load: Load, all: readonly Entrant[], measured: Measurements) {
  const entrants = all.filter(({ contender }) => contender.thorough || !load.allNew);
  for (const entrant of entrants) {
    const seconds = entrant.contender.warmUpSeconds ?? options.warmUpSeconds;
    await apply(entrant, load, { connections: MANY_CONNECTIONS, seconds, note: 'warm-up' }, options);
  }
  for (let round = 1; round <= options.rounds; round++) {
    for (const connections of options.connections) {
      for (const entrant of entrants) {
        const shape = { connections, seconds: options.seconds, note: `round ${round}` };
        measured.load(
          entrant.contender.name,
          `${load.name}, ${connections}`,
          await apply(entrant, load, shape, options),
        );
      }
    }
    if (options.openSeconds === 0) continue;
    for (const entrant of entrants.filter(({ contender }) => contender.thorough)) {
      const { name } = entrant.contender;
      const most = measured.medians(name, `${load.name}, ${MANY_CONNECTIONS}`)?.perSecond;
      if (most === undefined) continue;
      const rate = Math.round(most * OPEN_SHARE);
      const shape = { connections: MANY_CONNECTIONS, seconds: options.openSeconds, note: `round ${round}`, rate };
      measured.load(name, `${load.name}, open`, await apply(entrant, load, shape, options));
    }
  }
}

interface Shape {
  readonly connections: number;
  readonly seconds: number;
  readonly note: string;
  /** Requests a second, where the load does not wait for responses. */
  readonly rate?: number;
}

async function apply(
  entrant: Entrant,
  load: Load,
  { connections, seconds, note, rate }: Shape,
  { generator }: Options,
) {
  const { contender, contestant } = entrant;
  const creates = load.name.startsWith('create');
  const run: LoadRun = {
    url: contestant.url,
    method: creates ? 'POST' : 'GET',
    headers: {
      ...contestant.headers(load.allNew ?? false),
      ...(creates ? { 'Content-Type': 'application/json' } : {}),
    },
    requests: load.asks.map((request) => ({
      path: contender.path(request),
      ...(request.kind === 'create' ? { body: request.body } : {}),
    })),
    connections,
    seconds,
  };
  const { pid } = contestant.running;
  const before = cpuOf(pid);
  const result = await (rate === undefined ? generator.run(run) : runOpenLoop({ ...run, rate }));
  await sleep(VALIDATOR_MS);
  const cpu = cpuPerRequest(before, cpuOf(pid), result.requests);
  entrant.sent += result.requests;
  if (creates) await contestant.tidy?.();
  const pace = rate === undefined ? `${connections} connections` : `${rate}/s`;
  say(
    `  ${load.name}, ${pace}, ${note}: ${contender.name} ${result.perSecond.toFixed(0)}/s, p50 ${result.p50} µs, ` +
      `p99 ${result.p99} µs, ${cpu?.main.toFixed(1)} µs of the main thread a request` +
      `${result.failures > 0 ? `, ${result.failures} FAILED` : ''}`,
  );
  return { ...result, cpu };
}

async function leave({ contender, contestant, sent }: Entrant, measured: Measurements): Promise<void> {
  await sleep(SETTLE_MS);
  const memory = contestant.running.memory();
  if (memory) {
    measured.figure(contender.name, 'after', memory.now);
    measured.figure(contender.name, 'peak', memory.peak);
  }
  const health = await contestant.health?.();
  if (health) measured.health(contender.name, { ...health, sent });
}

await main(readOptions(process.argv.slice(2)));
