/** `npm run bench`: everyone in turn, load by load, round by round, so that what slows the machine slows them alike. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender, Contestant } from './contenders.ts';
import { Measurements } from './measurements.ts';
import { type Options, readOptions } from './options.ts';
import type { Load } from './pets.ts';
import { report } from './report.ts';

/** The compiler's work is over by then. */
const WARM_UP_SECONDS = 2;
/** In each round: one start says little. */
const STARTS = 3;
const SETTLE_MS = 1_000;
const MANY_CONNECTIONS = 32;

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
  for (let round = 1; round <= options.rounds; round++) {
    say(`round ${round} of ${options.rounds}`);
    await runRound(options, measured);
  }
  report({ options, measured, minutes: (Date.now() - from) / 60_000 });
  if (!measured.isSound) process.exitCode = 1;
}

async function runRound(options: Options, measured: Measurements): Promise<void> {
  const entrants: Entrant[] = [];
  try {
    for (const contender of options.contenders) {
      const contestant = await enter(contender, measured);
      if (contestant) entrants.push({ contender, contestant, sent: 0 });
    }
    for (const load of options.loads) {
      const those = entrants.filter(({ contender }) => contender.thorough || !load.allNew);
      for (const entrant of those) {
        const { warmUpSeconds = WARM_UP_SECONDS } = entrant.contender;
        await apply(options, load, MANY_CONNECTIONS, warmUpSeconds, entrant, 'warm-up, ');
      }
      for (const connections of options.connections) {
        for (const entrant of those) {
          const result = await apply(options, load, connections, options.seconds, entrant);
          measured.load(entrant.contender.name, `${load.name}, ${connections}`, result);
        }
      }
      if (options.sustained === 0) continue;
      for (const entrant of those.filter(({ contender }) => contender.thorough)) {
        const result = await apply(options, load, MANY_CONNECTIONS, options.sustained, entrant);
        measured.load(entrant.contender.name, `${load.name}, sustained`, result);
      }
    }
    for (const entrant of entrants) await leave(entrant, measured);
  } finally {
    for (const { contestant } of entrants) await contestant.end();
  }
}

/** Starts a contender a few times, then for the loads. One that does not start is named in the table. */
async function enter(contender: Contender, measured: Measurements): Promise<Contestant | undefined> {
  const { name } = contender;
  if (measured.failed(name)) return undefined;
  try {
    for (let start = 1; start <= STARTS; start++) {
      const { running, end } = await contender.start('few');
      measured.figure(name, 'start', running.startMs);
      if (start === STARTS) {
        await sleep(SETTLE_MS);
        const memory = running.memory();
        if (memory) measured.figure(name, 'idle', memory.now);
        say(`  ${name}: ready in ${running.startMs.toFixed(0)} ms, ${memory?.now.toFixed(0)} MiB idle`);
      }
      await end();
    }
    const contestant = await contender.start('all');
    await contestant.prepare?.();
    return contestant;
  } catch (error) {
    const { message } = error as Error;
    say(`  ${name}: ${message}`);
    measured.fail(name, message);
    return undefined;
  }
}

async function apply(
  { generator }: Options,
  load: Load,
  connections: number,
  seconds: number,
  entrant: Entrant,
  note = '',
) {
  const { contender, contestant } = entrant;
  const creates = load.name === 'create';
  const result = await generator.run({
    url: contestant.url,
    method: creates ? 'POST' : 'GET',
    headers: {
      ...contestant.headers(load.allNew ?? false),
      ...(creates ? { 'Content-Type': 'application/json' } : {}),
    },
    requests: load.asks.map((ask) => ({
      path: contender.path(ask),
      ...(ask.kind === 'create' ? { body: ask.body } : {}),
    })),
    connections,
    seconds,
  });
  entrant.sent += result.requests;
  if (creates) await contestant.tidy?.();
  say(
    `  ${contender.name}, ${load.name}, ${connections} connections, ${note}${seconds} s: ` +
      `${result.perSecond.toFixed(0)}/s, p50 ${result.p50} µs, p99 ${result.p99} µs` +
      `${result.failures > 0 ? `, ${result.failures} FAILED` : ''}`,
  );
  return result;
}

async function leave({ contender, contestant, sent }: Entrant, measured: Measurements): Promise<void> {
  await sleep(SETTLE_MS);
  const memory = contestant.running.memory();
  if (memory) {
    measured.figure(contender.name, 'after', memory.now);
    measured.figure(contender.name, 'peak', memory.peak);
    say(`  ${contender.name}: ${memory.now.toFixed(0)} MiB after the loads, ${memory.peak.toFixed(0)} MiB at most`);
  }
  const health = await contestant.health?.();
  if (!health) return;
  measured.health(contender.name, { ...health, sent });
  say(
    `  ${contender.name}: ${sent} requests sent, ${health.judged} judged, ${health.unjudged} unjudged, ` +
      `${health.disagreements} disagreements, ${health.brokenAnswers} broken answers`,
  );
}

await main(readOptions(process.argv.slice(2)));
