/**
 * `npm run bench:growth`: whether size costs anything. The same requests on next to nothing and on 220,000 pets, what
 * ten thousand idle sandboxes take, and whether memory grows in a run ten times as long.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chooseGenerator, type Generator } from './load/generator.ts';
import { median } from './measurements.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { FEW, LOADS, MANY, makePets } from './pets.ts';
import { list, machine, table } from './report.ts';
import { temporaryDirectory } from './temporary.ts';

const FIXTURE_PETS = 200_000;
const CREATED = 20_000;
const SANDBOXES = 10_000;
const ROUNDS = 3;
const SECONDS = 3;
const FORKS = 20;
/** Each after a filling of its own: their files go with them. */
const RESETS = 4;
const SETTLE_MS = 3_000;
const LONG_RUNS = 10;

type Row = readonly string[];

interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly bodies?: readonly string[];
  readonly connections?: number;
  readonly seconds?: number;
}

const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);

/** Does `work` for 0 to below `count`, several at a time. */
async function many(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

const newKey = async ({ call }: OwnServer, fixture: string): Promise<string> =>
  (await call<{ key: string }>('POST', '/_sandbox/keys', { fixture })).key;

/** Milliseconds that `work` takes. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The same requests on (next to) nothing and on 220,000 pets: p50 at one connection, in milliseconds. */
async function measureSize(generator: Generator): Promise<Row[]> {
  const fixtures = { hundred: makePets(100), huge: makePets(FIXTURE_PETS) };
  const server = await startOwnServer({ fixtures, flags: ['--max-sandboxes', '1000000'] });
  const times = new Map<string, { small: number[]; large: number[] }>();
  const note = (what: string, size: 'small' | 'large', milliseconds: number): void => {
    const both = times.get(what) ?? { small: [], large: [] };
    both[size].push(milliseconds);
    times.set(what, both);
    say(`  ${what}, ${size}: ${milliseconds.toFixed(3)} ms`);
  };
  const load = async (
    key: string,
    { method, path, bodies, connections = 1, seconds = SECONDS }: Ask,
  ): Promise<number> => {
    const json = bodies ? { 'Content-Type': 'application/json' } : {};
    const { p50, failures } = await generator.run({
      url: server.url,
      method,
      headers: { Authorization: `Bearer ${key}`, ...json },
      requests: bodies?.map((body) => ({ path, body })) ?? [{ path }],
      connections,
      seconds,
    });
    if (failures > 0) throw new Error(`${method} ${path}: ${failures} requests failed`);
    return p50 / 1000;
  };
  const reset = (key: string) => timeOf(() => server.call('POST', '/_sandbox/reset', {}, key));
  /** Adds 20,000 pets, or some more. */
  const fill = async (key: string): Promise<void> => {
    for (let added = 0; added < CREATED; ) {
      await load(key, { method: 'POST', path: '/v1/pets', bodies, connections: 32, seconds: 1 });
      added = (await server.call<{ pets: { added: number } }>('GET', '/_sandbox', undefined, key)).pets.added;
    }
  };
  const bodies = Array.from({ length: 1_000 }, (_, n) => JSON.stringify({ name: `Newcomer ${n}`, categoryId: n }));
  try {
    const sizes = { small: await newKey(server, 'empty'), large: await newKey(server, 'huge') };
    const hundred = await newKey(server, 'hundred');
    for (let round = 1; round <= ROUNDS; round++) {
      say(`size, round ${round} of ${ROUNDS}: ${FIXTURE_PETS} pets, and ${CREATED} are added`);
      await fill(sizes.large);
      for (const size of ['small', 'large'] as const) {
        const fixture = size === 'small' ? 'empty' : 'huge';
        const key = sizes[size];
        note('create', size, await load(key, { method: 'POST', path: '/v1/pets', bodies }));
        note(
          'list of 100',
          size,
          await load(size === 'small' ? hundred : key, { method: 'GET', path: '/v1/pets?limit=100' }),
        );
        note(
          'new key',
          size,
          await load(key, { method: 'POST', path: '/_sandbox/keys', bodies: [JSON.stringify({ fixture })] }),
        );
        const forks = [];
        for (let n = 0; n < FORKS; n++) {
          forks.push((await server.call<{ key: string }>('POST', '/_sandbox/fork', {}, key)).key);
        }
        const resets = [];
        for (const fork of forks) resets.push(await reset(fork));
        note('reset of a fork', size, median(resets));
      }
      // What was created in the small one goes first: then every reset is of what the row says.
      await reset(sizes.small);
      for (let n = 0; n < RESETS; n++) {
        await fill(sizes.large);
        // What the referee still has to judge would count for the first of the two.
        await sleep(SETTLE_MS / 3);
        note('reset', 'small', await reset(sizes.small));
        note('reset', 'large', await reset(sizes.large));
      }
    }
    judged(await server.health());
  } finally {
    await server.end();
  }
  return [...times].map(([what, { small, large }]) => {
    const [less, more] = [median(small), median(large)];
    return [what, less.toFixed(3), more.toFixed(3), (more / less).toFixed(2)];
  });
}

/** What ten thousand idle sandboxes take: memory, and time at the start. */
async function measureIdle(): Promise<Row[]> {
  const home = temporaryDirectory();
  const key = 'a-fixed-key-of-the-benchmark';
  const flags = ['--max-sandboxes', '20000'];
  const begin = async () => {
    const server = await startOwnServer({ home, key, flags });
    await sleep(SETTLE_MS);
    return { server, startMs: server.running.startMs, memory: server.running.memory()?.now ?? Number.NaN };
  };
  const starts = async () => {
    const all = [];
    for (let start = 0; start < ROUNDS; start++) {
      const begun = await begin();
      await begun.server.end();
      all.push(begun);
    }
    return { ms: median(all.map(({ startMs }) => startMs)), memory: median(all.map(({ memory }) => memory)) };
  };
  try {
    const before = await starts();
    say(`idle: without sandboxes ready in ${before.ms.toFixed(0)} ms, ${before.memory.toFixed(0)} MiB`);
    const { server, memory } = await begin();
    await many(SANDBOXES, () => newKey(server, 'default'));
    await sleep(SETTLE_MS);
    const made = server.running.memory()?.now ?? Number.NaN;
    say(`idle: ${SANDBOXES} sandboxes made, ${made.toFixed(0)} MiB`);
    await server.end();
    const after = await starts();
    say(`idle: with ${SANDBOXES} on disk ready in ${after.ms.toFixed(0)} ms, ${after.memory.toFixed(0)} MiB`);
    const row = (what: string, less: number, more: number): Row => [
      what,
      less.toFixed(0),
      more.toFixed(0),
      (more - less).toFixed(0),
    ];
    return [
      row('memory after a start, MiB', before.memory, after.memory),
      row('memory just after making them (with what the requests left behind), MiB', memory, made),
      row('spawn to first 200, ms', before.ms, after.ms),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Memory after each tenth of a long run of all loads at 32 connections; creates are reset after each tenth. */
async function measureLong(generator: Generator, seconds: number): Promise<Row[]> {
  const server = await startOwnServer({ fixtures: { few: FEW, many: MANY }, fixture: 'few' });
  const rows: Row[] = [];
  try {
    const keyOfMany = await newKey(server, 'many');
    for (let run = 1; run <= LONG_RUNS; run++) {
      for (const { name, asks, allNew } of LOADS) {
        const headers = { Authorization: `Bearer ${allNew ? keyOfMany : server.key}` };
        await generator.run({
          url: server.url,
          method: name === 'create' ? 'POST' : 'GET',
          headers: name === 'create' ? { ...headers, 'Content-Type': 'application/json' } : headers,
          requests: asks.map((ask) => {
            if (ask.kind === 'create') return { path: '/v1/pets', body: ask.body };
            return { path: ask.kind === 'get' ? `/v1/pets/${ask.id}` : `/v1/pets?${ask.query}` };
          }),
          connections: 32,
          seconds: Math.max(1, Math.round(seconds / LOADS.length)),
        });
        if (name === 'create') await server.call('POST', '/_sandbox/reset', {});
      }
      await sleep(SETTLE_MS);
      const { now, peak } = server.running.memory() ?? { now: Number.NaN, peak: Number.NaN };
      rows.push([`${run} × ${seconds} s`, now.toFixed(0), peak.toFixed(0)]);
      say(`long: after ${run} × ${seconds} s ${now.toFixed(0)} MiB, ${peak.toFixed(0)} MiB at most`);
    }
    judged(await server.health());
    return rows;
  } finally {
    await server.end();
  }
}

function judged(health: object): void {
  say(`  the referee: ${JSON.stringify(health)}`);
}

const USAGE = `npm run bench:growth -- [options]; without any: everything, about 10 minutes, and bench/GROWTH.md is written

  --only a,b         parts (size, idle, long); GROWTH.md is not written then
  --seconds 30       a tenth of the long run
  --with wrk         or autocannon; wrk where it is installed`;

async function main(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { only: text, seconds: text, with: text, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const parts = values.only?.split(',') ?? ['size', 'idle', 'long'];
  const unknown = parts.filter((part) => !['size', 'idle', 'long'].includes(part));
  if (unknown.length > 0) throw new Error(`--only has no ${unknown.join(', ')}; see --help`);
  const seconds = Number(values.seconds ?? 30);
  if (!(seconds >= 5 && seconds <= 600)) throw new Error('--seconds must be from 5 to 600');
  const generator = chooseGenerator(values.with);

  const texts = [
    '# What size costs',
    `${new Date().toISOString().slice(0, 10)}, with \`npm run bench:growth\`. ${machine()}. Load from ${generator.name} on the same machine.`,
  ];
  if (parts.includes('size')) {
    const rows = await measureSize(generator);
    texts.push(
      `## ${(FIXTURE_PETS + CREATED).toLocaleString('en')} pets against none`,
      table(['p50 at one connection, ms', 'none', `${FIXTURE_PETS} + ${CREATED}`, 'ratio'], rows),
      list([
        'list of 100: against a sandbox of 100 pets',
        'reset of a fork: the pets are gone from the sandbox, their files stay with the one it was forked from',
        'reset: their files go too',
      ]),
    );
  }
  if (parts.includes('idle')) {
    texts.push(
      `## ${SANDBOXES.toLocaleString('en')} idle sandboxes`,
      table(['', 'none', String(SANDBOXES), 'more'], await measureIdle()),
    );
  }
  if (parts.includes('long')) {
    texts.push(
      '## A run ten times as long',
      'All loads of `npm run bench` at 32 connections, one after the other; what was created is reset each time.',
      table(['after', 'MiB', 'at most'], await measureLong(generator, seconds)),
    );
  }
  const whole = `${texts.join('\n\n')}\n`;
  console.log(`\n${whole}`);
  if (values.only === undefined) writeFileSync(new URL('GROWTH.md', import.meta.url), whole);
}

await main(process.argv.slice(2));
