// `npm run bench`: everyone in turn, load by load, start by start, so that what slows the machine slows them alike.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CONTENDERS, startSandbox } from './contenders.mjs';
import { generator, LOADS, send } from './loads.mjs';
import { measureOverhead } from './overhead.mjs';
import { cell, headOf, say, table } from './report.mjs';

/** What all others are compared with. */
const YARDSTICK = 'bare';
const CONNECTIONS = 32;
/** The constant rate, as a share of what a contender reached at 32 connections. */
const SHARE = 0.6;
/** The validator is done with a load by then. */
const VALIDATOR_MS = 100;
const SETTLE_MS = 1_000;
const MILLION = 1_000_000;

const names = (all) => all.map(({ name }) => name.replaceAll(/,? /g, '-')).join(', ');
const USAGE = `npm run bench -- [options]; without any: about 10 minutes, and scripts/bench/RESULTS.md is written

  --quick        raw, both Expresses and the sandbox, two starts, about 2 minutes; nothing is written
  --only a,b     of ${names(CONTENDERS)}; nothing is written
  --loads a,b    of ${names(LOADS)}; nothing is written
  --starts 5     of each contender; the tables show medians over them
  --seconds 1    of each load in each start
  --node path    the Node that runs the servers`;

function readOptions() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      ...{ quick: { type: 'boolean' }, help: { type: 'boolean' } },
      ...{ only: text, loads: text, starts: text, seconds: text, node: text },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const { quick = false, only, loads, node = process.execPath } = values;
  const numberIn = (name, byDefault, most) => {
    const value = Number(values[name] ?? byDefault);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new Error(`--${name} must be from 1 to ${most}; got ${values[name]}`);
  };
  const chosen = (name, list, all) =>
    list?.split(',').map((wanted) => {
      const found = all.find((each) => names([each]) === wanted);
      if (!found) throw new Error(`--${name} has no ${wanted}; there are ${names(all)}`);
      return found;
    });
  return {
    contenders: chosen('only', only, CONTENDERS) ?? CONTENDERS.filter(({ isThorough }) => isThorough || !quick),
    loads: chosen('loads', loads, LOADS) ?? LOADS,
    starts: numberIn('starts', quick ? 2 : 5, 50),
    seconds: numberIn('seconds', 1, 600),
    node,
    quick,
    isPart: only !== undefined || loads !== undefined,
    isWhole: !quick && only === undefined && loads === undefined,
  };
}

/** Values by what was measured and who it was: one for each start. */
const measured = new Map();
const note = (what, name, value) => {
  const key = `${what}/${name}`;
  measured.set(key, [...(measured.get(key) ?? []), value]);
};
const problems = [];

/** One load on one server. @returns {Promise<number>} requests a second */
async function measure({ name }, server, load, { title, ...shape }) {
  const before = server.cpu();
  const { requests, perSecond, p99, failures } = await send({
    ...{ url: server.url, headers: await server.headersFor(load), requests: load.requests, connections: CONNECTIONS },
    ...shape,
  });
  await sleep(VALIDATOR_MS);
  const after = server.cpu();
  if (failures > 0) problems.push(`${name}: ${failures} of ${requests} requests failed: ${load.name}`);
  if (load.name === 'create') await server.tidy?.();
  if (title === undefined) return perSecond;
  const at = `${load.name}, ${title}`;
  note(`per second/${at}`, name, perSecond);
  note(`main/${at}`, name, (after.main - before.main) / requests);
  note(`all/${at}`, name, (after.all - before.all) / requests);
  note(`p99/${at}`, name, p99);
  say(
    `  ${at}: ${name} ${perSecond.toFixed(0)}/s, main thread ${((after.main - before.main) / requests).toFixed(1)} µs`,
  );
  return perSecond;
}

async function measureLoads(contender, server, load, { seconds }) {
  const { isThorough } = contender;
  const most = await measure(contender, server, load, { seconds });
  if (isThorough) await measure(contender, server, load, { title: '1 conn.', seconds, connections: 1 });
  await measure(contender, server, load, { title: '32 conn.', seconds });
  if (isThorough) await measure(contender, server, load, { title: '60 %', seconds, rate: Math.round(most * SHARE) });
}

/** What the validator of a sandbox must not say. */
async function check({ name }, server) {
  const { validationFailures = 0, disagreements = 0, brokenResponses = 0 } = (await server.validated?.()) ?? {};
  if (validationFailures + disagreements + brokenResponses === 0) return;
  problems.push(
    `${name}: ${validationFailures} not validated, ${disagreements} disagreements, ${brokenResponses} broken`,
  );
}

async function measureStart(start, options) {
  const running = [];
  try {
    for (const contender of options.contenders) {
      // The others cost minutes, and are far away.
      if (start > 1 && !contender.isThorough) continue;
      const server = await contender.start(options.node).catch((error) => {
        problems.push(`${contender.name} took no part: ${error.message}`);
      });
      if (!server) continue;
      running.push([contender, server]);
      note('start', contender.name, server.startMs);
    }
    await sleep(SETTLE_MS);
    for (const [{ name }, server] of running) note('idle', name, server.memory().now);
    for (const load of options.loads) {
      say(`start ${start} of ${options.starts}`);
      for (const [contender, server] of running) {
        if (contender.isThorough || !load.isNew) await measureLoads(contender, server, load, options);
      }
    }
    for (const [contender, server] of running) await check(contender, server);
  } finally {
    for (const [, server] of running) await server.stop();
  }
}

/** Memory of the sandbox after exactly a million creates. */
async function measureMillion({ node }) {
  say('a million creates');
  const server = await CONTENDERS[0].start(node);
  const load = LOADS.find(({ name }) => name === 'create');
  const headers = await server.headersFor(load);
  await send({ ...load, url: server.url, headers, connections: CONNECTIONS, seconds: 600, count: MILLION });
  await sleep(SETTLE_MS);
  const { now, peak } = server.memory();
  await server.stop();
  return `After a million creates the sandbox has ${now.toFixed(0)} MiB, and had ${peak.toFixed(0)} MiB at most.`;
}

/** What each load allocates, by a sandbox of its own: these figures hold on a busy machine, too. */
async function measureGarbage({ node, loads, seconds }) {
  say('garbage');
  const server = await startSandbox(node, { nodeFlags: ['--trace-gc-nvp'] });
  const rows = [];
  for (const load of loads) {
    const shape = { ...load, url: server.url, headers: await server.headersFor(load), connections: CONNECTIONS };
    await send({ ...shape, seconds });
    const before = server.garbage();
    const { requests } = await send({ ...shape, seconds: 3 * seconds });
    const after = server.garbage();
    const allocated = after.allocated - before.allocated;
    const promoted = (100 * (after.promoted - before.promoted)) / allocated;
    rows.push([load.name, (allocated / requests).toFixed(0), `${promoted.toFixed(1)} %`]);
    if (load.name === 'create') await server.tidy();
  }
  await server.stop();
  return table(['', 'bytes a request', 'promoted'], rows);
}

function tablesOf({ contenders, loads }) {
  const shown = contenders.filter(({ name }) => measured.has(`start/${name}`));
  const rowOf = (title, what, digits) => [
    title,
    ...shown.map(({ name }) =>
      cell(measured.get(`${what}/${name}`), name !== YARDSTICK && measured.get(`${what}/${YARDSTICK}`), digits),
    ),
  ];
  const ofLoads = (what, shapes, digits) =>
    table(
      ['', ...shown.map(({ name }) => name)],
      loads.flatMap(({ name }) =>
        shapes.map((shape) => rowOf(`${name}, ${shape}`, `${what}/${name}, ${shape}`, digits)),
      ),
    );
  const closed = ['1 conn.', '32 conn.'];
  return [
    ...['## Requests a second', ofLoads('per second', closed, 0)],
    ...['## Processor time of the main thread, µs a request', ofLoads('main', closed, 1)],
    '## Processor time of the whole process, µs a request',
    'The validator works in a thread of its own: it is in this table and not in the one above.',
    ofLoads('all', closed, 1),
    '## p99 at a constant rate, milliseconds',
    `Requests are due at ${100 * SHARE} % of what each reached at ${CONNECTIONS} connections; latency counts from when a request was due.`,
    ofLoads('p99', ['60 %'], 2),
    '## Start and memory',
    table(
      ['', ...shown.map(({ name }) => name)],
      [rowOf('spawn to first 200, ms', 'start', 0), rowOf('memory idle, MiB', 'idle', 0)],
    ),
  ];
}

const options = readOptions();
const { contenders, loads, starts, seconds, node, quick, isWhole, isPart } = options;
for (let start = 1; start <= starts; start++) await measureStart(start, options);
const overhead = isPart ? [] : [measureOverhead([node], quick ? 3 : 9)];
const garbage = await measureGarbage(options);
const million = isWhole ? [await measureMillion(options)] : [];
const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
const text = [
  '# What was measured',
  `${headOf('bench', version)} Load from ${generator} on the same machine, ${seconds} s a load. Medians of ${starts} starts of each ` +
    `(of one start of those without a constant rate), everyone in turn. In brackets: how many times ${YARDSTICK}'s; behind ±: half ` +
    'of what the starts differ by.',
  contenders.map(({ name, about }) => `- **${name}**: ${about}`).join('\n'),
  loads.map(({ name, about }) => `- *${name}*: ${about}`).join('\n'),
  ...tablesOf(options),
  ...overhead.flatMap((rows) => ['## What a job pays before its first request', rows]),
  '## Garbage of the main thread',
  'What the sandbox allocates for a request, and the share of it that outlives the young generation, which costs most to collect.',
  garbage,
  ...million,
  ...(problems.length === 0 ? [] : ['## Problems', problems.map((each) => `- ${each}`).join('\n')]),
].join('\n\n');
console.log(`\n${text}`);
if (isWhole) writeFileSync(new URL('RESULTS.md', import.meta.url), `${text}\n`);
if (problems.length > 0) process.exitCode = 1;
