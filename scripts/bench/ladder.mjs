// `npm run bench:ladder`: what each part of the sandbox costs a request. Each is switched off in a build of its own; all of
// them and the whole take turns under the same loads. A negative cost is what a part saves.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';
import { CONTENDERS, startSandbox } from './contenders.mjs';
import { PARTS, Switch } from './ladder-parts.mjs';
import { LOADS, send } from './loads.mjs';
import { headOf, median, say, table } from './report.mjs';
import { temporaryDirectory } from './servers.mjs';

const ROUNDS = 7;
const SECONDS = 1;
const CONNECTIONS = 32;
const VALIDATOR_MS = 100;
const loads = LOADS.filter(({ name }) => ['get, all new', 'create', 'get'].includes(name));

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The program without a part, in a directory of its own. */
async function buildWithout(part) {
  const home = temporaryDirectory();
  for (const name of ['fixtures', 'spec', 'package.json']) symlinkSync(path.join(root, name), path.join(home, name));
  const outdir = path.join(home, 'dist');
  cpSync(path.join(root, 'dist'), outdir, { recursive: true });
  const off = new Switch(part);
  const plugin = {
    name: 'ladder',
    setup: ({ onLoad }) =>
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => {
        const contents = off.apply(readFileSync(file, 'utf8'));
        return contents && { contents, loader: 'ts' };
      }),
  };
  const { files } = await bundle({ names: ['program', 'worker'], outdir, plugins: [plugin] });
  off.check();
  for (const { path: file, contents } of files) writeFileSync(file, contents);
  return path.join(outdir, 'cli.cjs');
}

/** Processor time of the main thread, in microseconds a request. */
async function measure({ name, server }, load) {
  const before = server.cpu().main;
  const { url } = server;
  const headers = await server.headersFor(load);
  const { requests, failures } = await send({ ...load, url, headers, connections: CONNECTIONS, seconds: SECONDS });
  if (failures > 0) throw new Error(`${name}: ${failures} requests failed`);
  await sleep(VALIDATOR_MS);
  const used = (server.cpu().main - before) / requests;
  if (load.name === 'create') await server.tidy?.();
  return used;
}

/** A cell for each rung: its median, and the median of its differences from the whole. */
async function climb(rungs, load) {
  const times = rungs.map(() => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, rung] of rungs.entries()) {
      const time = await measure(rung, load);
      // The first round is a warm-up.
      if (round > 0) times[index].push(time);
    }
    say(`${load.name}, round ${round} of ${ROUNDS}`);
  }
  return times.map((each, index) => {
    const cost = median(each.map((time, round) => times[0][round] - time));
    return `${median(each).toFixed(1)}${index === 0 ? '' : ` (${cost >= 0 ? '+' : '−'}${Math.abs(cost).toFixed(1)})`}`;
  });
}

const { execPath: node, version } = process;
const rungs = [{ name: 'the whole', server: await startSandbox(node) }];
try {
  for (const part of PARTS) {
    const program = await buildWithout(part);
    const flags = part.memory ? ['--memory'] : undefined;
    rungs.push({ name: `without ${part.name}`, server: await startSandbox(node, { program, flags }) });
    say(`built and started without ${part.name}`);
  }
  rungs.push({ name: 'node:http alone', server: await CONTENDERS.find(({ name }) => name === 'raw').start(node) });
  const columns = [];
  for (const load of loads) columns.push(await climb(rungs, load));
  const rows = rungs.map(({ name }, row) => [name, ...columns.map((column) => column[row])]);
  console.log(
    [
      `\n${headOf('bench:ladder', version)} ${CONNECTIONS} connections.`,
      `Processor time of the main thread, µs a request: medians of ${ROUNDS} rounds in turn. In brackets: what the part costs, ` +
        'as the median of the differences from the whole; what has a minus is saved by it.',
      table(['', ...loads.map(({ name }) => name)], rows),
    ].join('\n\n'),
  );
} finally {
  for (const { server } of rungs) await server.stop();
}
