/** Other programs that stand in for a service, each with its defaults, on the same Node (WireMock: on Java). */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contender, Contestant } from './contenders.ts';
import { startOwnServer } from './own-server.ts';
import { type Ask, type BenchPet, FEW } from './pets.ts';
import { type Command, freePort, type Probe, type Running, start } from './server-process.ts';
import { temporaryDirectory } from './temporary.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Where the peers are installed, apart from the project's own dependencies, at the versions of its package.json. */
const HOME = here('peers/');
const DOCUMENT = here('../spec/openapi.yaml');
const PRISM = here('../node_modules/@stoplight/prism-cli/dist/index.js');

const pinned: Readonly<Record<string, string>> = readJson(join(HOME, 'package.json')).dependencies;
const prismVersion: string = readJson(here('../node_modules/@stoplight/prism-cli/package.json')).version;

/** A key's form is all that Prism looks at. */
const ANY_KEY = { Authorization: 'Bearer 0123456789abcdef' };

/** `GET /pets/1` and the like, under a base path. */
const pathsUnder =
  (base: string, listQuery = (ask: Ask & { kind: 'list' }) => ask.query) =>
  (ask: Ask): string => {
    if (ask.kind === 'get') return `${base}/pets/${ask.id}`;
    return ask.kind === 'list' ? `${base}/pets?${listQuery(ask)}` : `${base}/pets`;
  };

const jsonServer: Contender = {
  name: 'json-server',
  about: `json-server ${pinned['json-server']}: rewrites its whole file, a moment after each create; no checks`,
  path: pathsUnder('', ({ status }) => `_page=1&_per_page=20&status=${status}`),
  start: () =>
    inDirectory(async (home, port) => {
      const file = join(home, 'db.json');
      // Its ids are strings.
      writeFileSync(file, JSON.stringify({ pets: FEW.map((pet) => ({ ...pet, id: String(pet.id) })) }));
      return installed('json-server', 'lib/bin.js', ['--port', String(port), '--host', '127.0.0.1', file]);
    }, '/pets/1'),
};

const mockoon: Contender = {
  name: 'mockoon',
  about: `Mockoon CLI ${pinned['@mockoon/cli']}: a CRUD route over a data bucket, in memory`,
  path: pathsUnder('/v1', ({ status }) => `page=1&limit=20&status_eq=${status}`),
  start: () =>
    inDirectory(async (home, port) => {
      const file = join(home, 'mockoon.json');
      writeFileSync(file, JSON.stringify(mockoonEnvironment(port, FEW)));
      return installed('@mockoon/cli', 'bin/run.js', ['start', '--data', file, '--disable-log-to-file']);
    }, '/v1/pets/1'),
};

const prismMock: Contender = {
  name: 'prism mock',
  about: `prism mock ${prismVersion}, without its log: the document's examples, requests checked`,
  path: pathsUnder(''),
  start: () =>
    inDirectory(
      async (_, port) => ({
        file: process.execPath,
        args: [PRISM, 'mock', DOCUMENT, '--port', String(port), '-v', 'error'],
      }),
      '/pets/1',
      ANY_KEY,
    ),
};

const prismProxy: Contender = {
  name: 'prism proxy',
  about: `prism proxy ${prismVersion}, without its log, before a sandbox of ours: what judging from outside costs; its own memory and start only`,
  path: pathsUnder(''),
  start: async () => {
    const upstream = await startOwnServer({ fixtures: { few: FEW }, fixture: 'few' });
    const headers = { Authorization: `Bearer ${upstream.key}` };
    try {
      const proxy = await inDirectory(
        async (_, port) => ({
          file: process.execPath,
          args: [PRISM, 'proxy', DOCUMENT, `${upstream.url}/v1`, '--port', String(port), '--errors', '-v', 'error'],
        }),
        '/pets/1',
        headers,
      );
      const end = async (): Promise<void> => {
        await proxy.end();
        await upstream.end();
      };
      return { ...proxy, end };
    } catch (error) {
      await upstream.end();
      throw error;
    }
  },
};

const wiremock = (name: string, about: string, flags: readonly string[]): Contender => ({
  name,
  about: `WireMock ${pinned['wiremock']} on Java, ${about}: the same answer for every pet; nothing kept`,
  // Java's compiler takes its time.
  warmUpSeconds: 10,
  path: pathsUnder('/v1'),
  start: () =>
    inDirectory(async (home, port) => {
      if (spawnSync('java', ['-version']).error) throw new Error('Java is not installed');
      install('wiremock');
      mkdirSync(join(home, 'mappings'));
      writeFileSync(join(home, 'mappings', 'pets.json'), JSON.stringify(wiremockStubs()));
      const jar = join(HOME, `node_modules/wiremock/build/wiremock-standalone-${pinned['wiremock']}.jar`);
      const place = ['--port', String(port), '--bind-address', '127.0.0.1', '--root-dir', home];
      return { file: 'java', args: ['-jar', jar, ...place, '--disable-banner', ...flags] };
    }, '/v1/pets/1'),
});

export const PEERS: readonly Contender[] = [
  jsonServer,
  mockoon,
  prismMock,
  prismProxy,
  wiremock('wiremock', 'with its journal', []),
  wiremock('wiremock, no journal', 'without its journal', ['--no-request-journal']),
];

/** Starts a server that has a directory to itself, and removes that at the end. */
async function inDirectory(
  commandFor: (home: string, port: number) => Promise<Command>,
  firstPath: string,
  headers: Probe['headers'] = {},
): Promise<Contestant> {
  const home = temporaryDirectory();
  const remove = () => rmSync(home, { recursive: true, force: true });
  try {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const running: Running = await start(await commandFor(home, port), { url: `${url}${firstPath}`, headers });
    const end = async (): Promise<void> => {
      await running.stop();
      remove();
    };
    return { url, running, headers: () => headers, end };
  } catch (error) {
    remove();
    throw error;
  }
}

function installed(name: string, program: string, args: readonly string[]): Command {
  install(name);
  return { file: process.execPath, args: [join(HOME, 'node_modules', name, program), ...args] };
}

/** Installs the peers where this one is missing or of another version, showing how that goes. */
function install(name: string): void {
  const file = join(HOME, 'node_modules', name, 'package.json');
  const isThere = () => existsSync(file) && readJson(file).version === pinned[name];
  if (isThere()) return;
  console.log(
    `installing the peers, once: ${Object.entries(pinned)
      .map((pair) => pair.join(' '))
      .join(', ')}`,
  );
  const flags = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = spawnSync('npm', ['install', ...flags], {
    cwd: HOME,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (!isThere()) throw new Error(`could not be installed: npm ended with ${npm.error?.message ?? npm.status}`);
}

function mockoonEnvironment(port: number, pets: readonly BenchPet[]): object {
  const bucket = {
    uuid: 'b0000000-0000-4000-8000-000000000001',
    id: 'pets',
    name: 'pets',
    value: JSON.stringify(pets),
  };
  const response = {
    uuid: 'b0000000-0000-4000-8000-000000000002',
    body: '{}',
    latency: 0,
    statusCode: 200,
    label: '',
    headers: [],
    bodyType: 'DATABUCKET',
    filePath: '',
    databucketID: bucket.id,
    sendFileAsBody: false,
    rules: [],
    rulesOperator: 'OR',
    disableTemplating: false,
    fallbackTo404: false,
    default: true,
    crudKey: 'id',
    callbacks: [],
  };
  const route = {
    uuid: 'b0000000-0000-4000-8000-000000000003',
    type: 'crud',
    documentation: '',
    method: '',
    endpoint: 'pets',
    responses: [response],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  };
  return {
    uuid: 'b0000000-0000-4000-8000-000000000004',
    lastMigration: 33,
    name: 'pets',
    endpointPrefix: 'v1',
    latency: 0,
    port,
    hostname: '127.0.0.1',
    folders: [],
    routes: [route],
    rootChildren: [{ type: 'route', uuid: route.uuid }],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
    cors: true,
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [{ ...bucket, documentation: '' }],
    callbacks: [],
  };
}

function wiremockStubs(): object {
  const json = { 'Content-Type': 'application/json' };
  const pet = FEW[0];
  const stub = (method: string, url: object, status: number, jsonBody: unknown) => ({
    request: { method, ...url },
    response: { status, jsonBody, headers: json },
  });
  return {
    mappings: [
      stub('GET', { urlPathPattern: '/v1/pets/[0-9]+' }, 200, pet),
      stub('GET', { urlPath: '/v1/pets' }, 200, FEW.slice(0, 20)),
      stub('POST', { urlPath: '/v1/pets' }, 201, pet),
    ],
  };
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
