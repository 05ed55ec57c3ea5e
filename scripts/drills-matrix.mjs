// Runs the drills against the clients of examples/drills with their defaults, and writes the table of
// docs/guides/drills.md. What failed, and with which versions, goes to standard output. The JavaScript clients are
// installed into a temporary folder; a client whose program is not on this machine is left out, which the page says.
// `npm run drills:matrix`; with `-- --only careful,ky` the table of these clients goes to standard output.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** @type {readonly { name: string, command: string[], packages?: string[], version?: string[] }[]} */
const CLIENTS = [
  { name: 'careful', command: [process.execPath, 'careful.mjs'] },
  { name: 'fetch', command: [process.execPath, 'fetch.mjs'] },
  { name: 'axios + axios-retry', command: [process.execPath, 'axios.mjs'], packages: ['axios', 'axios-retry'] },
  { name: 'ky', command: [process.execPath, 'ky.mjs'], packages: ['ky'] },
  { name: 'got', command: [process.execPath, 'got.mjs'], packages: ['got'] },
  { name: 'ofetch', command: [process.execPath, 'ofetch.mjs'], packages: ['ofetch'] },
  {
    name: 'requests',
    command: ['python3', 'requests_default.py'],
    version: ['python3', '-c', 'import requests; print("requests", requests.__version__)'],
  },
  {
    name: 'urllib3 Retry',
    command: ['python3', 'urllib3_retry.py'],
    version: ['python3', '-c', 'import urllib3; print("urllib3", urllib3.__version__)'],
  },
  {
    name: 'Go net/http',
    command: ['./drill'],
    version: ['go', 'version'],
    prepare: ['go', 'build', '-o', 'drill', 'drill.go'],
  },
  { name: 'Ruby Net::HTTP', command: ['ruby', 'drill.rb'], version: ['ruby', '--version'] },
  {
    name: 'Java HttpClient',
    command: ['java', '-cp', '.', 'Drill'],
    version: ['java', '--version'],
    prepare: ['javac', 'Drill.java'],
  },
  { name: 'curl --retry', command: ['sh', 'curl.sh'], version: ['curl', '--version'] },
];

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const names = only?.split(',') ?? CLIENTS.map(({ name }) => name);
const unknown = names.find((name) => !CLIENTS.some((client) => client.name === name));
if (unknown !== undefined) {
  const known = CLIENTS.map(({ name }) => name).join(', ');
  throw new Error(`--only: there is no client ${unknown}; there are ${known}`);
}
const clients = CLIENTS.filter(({ name }) => names.includes(name));

const folder = await mkdtemp(join(tmpdir(), 'drills-matrix-'));
try {
  await cp(join(root, 'examples/drills'), folder, { recursive: true });
  const packages = clients.flatMap((client) => client.packages ?? []);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder });
  const columns = [];
  const leftOut = [];
  for (const client of clients) {
    try {
      const version = await versionOf(client);
      if (client.prepare) await run(client.prepare[0], client.prepare.slice(1), { cwd: folder });
      process.stderr.write(`${client.name}\n`);
      columns.push({ ...client, version, report: await drill(client) });
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      leftOut.push(client.name);
    }
  }
  const table = tableOf(columns, leftOut);
  if (only === undefined) await writeTable(table);
  else process.stdout.write(table);
  process.stdout.write(detailsOf(columns));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function versionOf({ packages = [], version }) {
  if (version)
    return (await run(version[0], version.slice(1), { cwd: folder })).stdout
      .split('\n')[0]
      .split(/ \(| \[/)[0]
      .trim();
  const versions = await Promise.all(
    packages.map(async (name) => {
      const about = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
      return `${name} ${about.version}`;
    }),
  );
  return [...versions, `Node ${process.version}`].join(', ');
}

/** Exit code 1 is a result like any other. */
async function drill({ command }) {
  const out = join(folder, 'report.json');
  const cli = join(root, 'dist/cli.cjs');
  const flags = ['drill', '--start', '--parallel', '6', '--out', out, '--', ...command];
  await run(process.execPath, [cli, ...flags], { cwd: folder, maxBuffer: 2 ** 24 }).catch((error) => {
    if (error.code !== 1) throw error;
  });
  return JSON.parse(await readFile(out, 'utf8'));
}

/** Into the page, between its two comments. */
async function writeTable(table) {
  const file = join(root, 'docs/guides/drills.md');
  const [before, rest] = (await readFile(file, 'utf8')).split('<!-- written by: npm run drills:matrix -->\n');
  const [, after] = rest.split('<!-- end -->\n');
  const part = `<!-- written by: npm run drills:matrix -->\n${table}<!-- end -->\n`;
  await writeFile(file, `${before}${part}${after}`);
}

/** A row for each drill that a client failed, and one for the clients that failed none. */
function tableOf(columns, leftOut) {
  const clients = new Map();
  const add = (result, name) => clients.set(result, [...(clients.get(result) ?? []), name]);
  for (const { name, report } of columns) {
    const bad = report.drills.filter(({ verdict }) => verdict === 'fail' || verdict === 'incomplete');
    for (const { drill: id, verdict } of bad) add(`\`${id}\`${verdict === 'fail' ? '' : ' (incomplete)'}`, name);
    if (bad.length === 0) add('none', name);
  }
  const rows = [...clients].map(([result, names]) => `|${result}|${names.join(', ')}|`);
  const [{ report }] = columns;
  return `Each client with its default settings, on ${report.createdAt.slice(0, 10)}; \`careful\` is our example that does everything right.${leftOut.length > 0 ? ` Not run, because the program was missing: ${leftOut.join(', ')}.` : ''}

|failed drill|clients|
|---|---|
${rows.join('\n')}
`;
}

function detailsOf(columns) {
  const lines = columns.flatMap(({ name, version, report: { drills } }) => [
    `${name}: ${version}`,
    ...drills.flatMap(({ drill: id, checks, verdict, reason }) => [
      ...checks
        .filter(({ status }) => status === 'fail')
        .map(({ id: check, level, words }) => `  ${id} ${level} ${check}: ${words}`),
      ...(verdict === 'incomplete' ? [`  ${id} incomplete: ${reason}`] : []),
    ]),
  ]);
  return `${lines.join('\n')}\n`;
}
