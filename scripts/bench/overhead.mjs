// `npm run bench:overhead`: what a job pays before its own first request, by the processor time of all its processes.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { cell, headOf, say, table } from './report.mjs';
import { temporaryDirectory } from './servers.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const inDist = (name) => path.join(root, 'dist', name);

const USAGE = `npm run bench:overhead -- [options]; takes about a minute for each Node

  --node path    the Node that is measured; can be repeated
  --rounds 9     of each command; the table shows medians over them`;

/** The library until its first 200, in milliseconds of processor time; it ends by itself. */
const libraryScript = () => `
const { startSandbox } = await import(${JSON.stringify(pathToFileURL(inDist('index.js')).href)});
const before = process.cpuUsage();
const server = await startSandbox();
const response = await fetch(server.url + '/pets', { headers: { Authorization: 'Bearer ' + server.key } });
await response.text();
const { user, system } = process.cpuUsage(before);
console.log('RESULT ' + (response.status === 200 ? (user + system) / 1000 : NaN));
await server.close();
`;

const oneRequest = () => `
const { SANDBOX_URL: url, SANDBOX_KEY: key } = process.env;
const response = await fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key } });
process.exit(response.status === 200 ? 0 : 1);
`;

/** What is measured: the arguments for Node, and the goal in milliseconds. */
function commands() {
  const home = temporaryDirectory();
  const file = (name, text) => {
    const target = path.join(home, name);
    writeFileSync(target, text);
    return target;
  };
  const cli = inDist('cli.cjs');
  const library = file('library.mjs', libraryScript());
  const request = file('request.mjs', oneRequest());
  return [
    { name: 'node alone', args: () => ['-e', '0'] },
    { name: '--version', args: () => [cli, '--version'] },
    { name: '--help', args: () => [cli, '--help'] },
    { name: 'exec --start -- true', args: () => [cli, 'exec', '--start', '--', 'true'] },
    {
      name: 'exec --start, one request by Node',
      args: (node) => [cli, 'exec', '--start', '--', node, request],
    },
    { name: 'startSandbox() to first 200, after its import', args: () => [library], isOwn: true },
  ];
}

/** Processor time of a command and all its children, in milliseconds. @throws {Error} if it fails */
function timed(node, { name, args, isOwn }) {
  const script = 'TIMEFORMAT="TIME %U %S"; time "$@"';
  const { PATH, HOME } = process.env;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script, 'bash', node, ...args(node)], {
    env: { PATH, HOME },
    encoding: 'utf8',
    timeout: 60_000,
  });
  const found = isOwn ? /^RESULT ([\d.]+)$/m.exec(stdout) : /^TIME ([\d.]+) ([\d.]+)$/m.exec(stderr);
  // `exec` says that it saw no request, by its own code.
  if (!found || (status !== 0 && name !== 'exec --start -- true')) throw new Error(`${name}: ${stderr || stdout}`);
  return isOwn ? Number(found[1]) : 1000 * (Number(found[1]) + Number(found[2]));
}

/**
 * Everyone in turn, round by round.
 * @param {readonly string[]} nodes paths @returns {string} a table: medians of milliseconds, and how far the rounds differ
 */
export function measureOverhead(nodes, rounds) {
  const all = commands();
  const versions = nodes.map((node) => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim());
  const times = all.map(() => nodes.map(() => []));
  // The first round fills the cache of compiled code, which a user's second job has.
  for (let round = 0; round <= rounds; round++) {
    for (const [row, command] of all.entries()) {
      for (const [column, node] of nodes.entries()) {
        const time = timed(node, command);
        if (round > 0) times[row][column].push(time);
      }
    }
    say(`overhead, round ${round} of ${rounds}`);
  }
  return table(
    ['processor time, ms', ...versions.map((version) => `Node ${version}`)],
    all.map(({ name }, row) => [name, ...times[row].map((each) => cell(each, false, 0))]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      node: { type: 'string', multiple: true, default: [process.execPath] },
      rounds: { type: 'string', default: '9' },
    },
  });
  const rounds = Number(values.rounds);
  if (values.help) console.log(USAGE);
  else if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100) {
    console.error(`--rounds must be from 1 to 100; got ${values.rounds}`);
    process.exitCode = 2;
  } else {
    const text = measureOverhead(values.node, rounds);
    console.log(`\n${headOf('bench:overhead', process.version)}\n\n${text}`);
  }
}
