// Who is measured: each with how it is started, and what it does and does not do.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FEW, MANY } from './loads.mjs';
import { freePort, startServer, temporaryDirectory } from './servers.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const versionOf = (name) => read(path.join(root, 'node_modules', name, 'package.json')).version;

const JSON_SERVER = '1.0.0-beta.15';

function writeFixture(home, name, pets) {
  const file = path.join(home, `${name}.json`);
  writeFileSync(file, JSON.stringify({ description: `${pets.length} pets for measuring`, pets }));
  return file;
}

/** What `npm start` tells Node. */
const startFlags = () =>
  /node ((?:--\S+ )*)scripts/
    .exec(read(path.join(root, 'package.json')).scripts.start)[1]
    .trim()
    .split(' ');

/**
 * The built program, with its data on disk.
 * @param {string} node @param {{ nodeFlags?: readonly string[] }} options further flags of Node
 */
export async function startSandbox(node, { nodeFlags = [] } = {}) {
  const home = temporaryDirectory();
  writeFixture(home, 'few', FEW);
  writeFixture(home, 'many', MANY);
  const [port, key] = [await freePort(), randomBytes(16).toString('hex')];
  const address = `http://127.0.0.1:${port}`;
  const program = path.join(root, 'dist/cli.cjs');
  const place = ['--data', path.join(home, 'data')];
  const settings = ['--port', port, '--fixtures', home, '--fixture', 'few', '--api-key', key, '--log-format', 'json'];
  // In half a minute of creates, more than a million pets come together.
  const command = [node, ...startFlags(), ...nodeFlags, program, ...settings, '--max-pets', 10_000_000, ...place].map(
    String,
  );
  const server = await startServer(command, {
    url: `${address}/v1/pets?limit=1`,
    headers: { Authorization: `Bearer ${key}` },
  });
  const call = async (method, target, body) => {
    const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) };
    const response = await fetch(`${address}${target}`, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  };
  let keyOfMany;
  return {
    ...server,
    url: `${address}/v1`,
    headersFor: async ({ isNew }) => {
      if (isNew) keyOfMany ??= (await call('POST', '/_sandbox/keys', { fixture: 'many' })).key;
      return { Authorization: `Bearer ${isNew ? keyOfMany : key}` };
    },
    /** What a load created goes. */
    tidy: () => call('POST', '/_sandbox/reset', {}),
    /** What the validator said of everything so far. */
    validated: async () => (await call('GET', '/_sandbox/health')).validator,
  };
}

/** @param {(port: string) => string[]} commandOn */
async function startOn(commandOn, { base = '', headers = {} } = {}) {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}${base}`;
  const server = await startServer(commandOn(port), { url: `${url}/pets/1`, headers });
  return { ...server, url, headersFor: () => headers };
}

const startRaw = (node) => startOn((port) => [node, beside('raw.mjs'), port], { base: '/v1' });

function startExpress(node, kind) {
  const home = temporaryDirectory();
  const files = [writeFixture(home, 'few', FEW), writeFixture(home, 'many', MANY)];
  return startOn((port) => [node, beside('express.mjs'), port, kind, ...files], { base: '/v1' });
}

/** Installed apart from the project's own dependencies, when it first takes part. */
function startJsonServer(node) {
  const home = beside('node_modules/.json-server');
  const folder = path.join(home, 'node_modules/json-server');
  const isThere = () => existsSync(folder) && read(path.join(folder, 'package.json')).version === JSON_SERVER;
  // It needs a newer Node than npm may run on: `--node` says which one it gets.
  const flags = [
    '--no-engine-strict',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefix',
    home,
  ];
  mkdirSync(home, { recursive: true });
  if (!isThere()) spawnSync('npm', ['install', ...flags, `json-server@${JSON_SERVER}`], { stdio: 'inherit' });
  if (!isThere()) throw new Error('json-server could not be installed');
  const file = path.join(temporaryDirectory(), 'db.json');
  // Its ids are strings.
  writeFileSync(file, JSON.stringify({ pets: FEW.map((pet) => ({ ...pet, id: String(pet.id) })) }));
  return startOn((port) => [node, path.join(folder, 'lib/bin.js'), '--port', port, '--host', '127.0.0.1', file]);
}

function startPrism(node) {
  const program = path.join(root, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const specification = path.join(root, 'spec/openapi.yaml');
  // A key's form is all that it looks at.
  const headers = { Authorization: 'Bearer 0123456789abcdef' };
  return startOn((port) => [node, program, 'mock', specification, '--port', port, '-v', 'error'], { headers });
}

/**
 * In the order in which they take their turns. `isThorough`: also the loads without two exchanges alike, those at a
 * constant rate, and every start.
 */
export const CONTENDERS = [
  {
    name: 'sandbox',
    about:
      'everything on: keys, strict parsing, both sides of every exchange validated, a create on disk before its 201',
    isThorough: true,
    start: startSandbox,
  },
  {
    name: 'raw',
    about: "Node's own HTTP server with the head of our responses and one body: the floor",
    isThorough: true,
    start: startRaw,
  },
  {
    name: 'lean',
    about: 'Express without ETag, X-Powered-By and query parser, as somebody writes it who counts microseconds',
    isThorough: true,
    start: (node) => startExpress(node, 'lean'),
  },
  {
    name: 'bare',
    about: `Express ${versionOf('express')} as most people write it: res.json from a Map, express.json(); no keys, no checks, nothing kept`,
    isThorough: true,
    start: (node) => startExpress(node, 'bare'),
  },
  {
    name: 'json-server',
    about: `json-server ${JSON_SERVER}: rewrites its whole file, a moment after each create; no checks`,
    start: startJsonServer,
  },
  {
    name: 'prism',
    about: `prism mock ${versionOf('@stoplight/prism-cli')} without its log: the examples of the specification, requests checked`,
    start: startPrism,
  },
];
