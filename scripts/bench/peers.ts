/** Other programs that stand in for a service, each with its defaults, on the same Node (WireMock: on Java). */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contender, Contestant } from './contenders.ts';
import { startOwnServer } from './own-server.ts';
import { installed, pinned } from './peers/install.ts';
import { mockoonEnvironment } from './peers/mockoon.ts';
import { type Ask, FEW } from './pets.ts';
import { type Command, freePort, type Probe, type Running, start } from './server-process.ts';
import { temporaryDirectory } from './temporary.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const SPECIFICATION = here('../../spec/openapi.yaml');
const PRISM = here('../../node_modules/@stoplight/prism-cli/dist/index.js');

const prismVersion: string = JSON.parse(
  readFileSync(here('../../node_modules/@stoplight/prism-cli/package.json'), 'utf8'),
).version;

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
      const program = installed('json-server', 'lib/bin.js');
      return { file: process.execPath, args: [program, '--port', String(port), '--host', '127.0.0.1', file] };
    }, '/pets/1'),
};

const mockoon: Contender = {
  name: 'mockoon',
  about: `Mockoon CLI ${pinned['@mockoon/cli']}: a CRUD route over a data bucket, in memory`,
  onRequest: true,
  path: pathsUnder('/v1', ({ status }) => `page=1&limit=20&status_eq=${status}`),
  start: () =>
    inDirectory(async (home, port) => {
      const file = join(home, 'mockoon.json');
      writeFileSync(file, JSON.stringify(mockoonEnvironment(port, FEW)));
      const program = installed('@mockoon/cli', 'bin/run.js');
      return { file: process.execPath, args: [program, 'start', '--data', file, '--disable-log-to-file'] };
    }, '/v1/pets/1'),
};

const prismMock = (name: string, about: string, flags: readonly string[]): Contender => ({
  name,
  about: `prism mock ${prismVersion}, ${about}: the examples of the specification, requests checked`,
  path: pathsUnder(''),
  start: () =>
    inDirectory(
      async (_, port) => ({
        file: process.execPath,
        args: [PRISM, 'mock', SPECIFICATION, '--port', String(port), ...flags],
      }),
      '/pets/1',
      ANY_KEY,
    ),
});

const prismProxy: Contender = {
  name: 'prism proxy',
  about: `prism proxy ${prismVersion}, without its log, before a sandbox of ours: what validating from outside costs; its own memory and start only`,
  path: pathsUnder(''),
  start: async () => {
    const upstream = await startOwnServer({ fixtures: { few: FEW }, fixture: 'few' });
    const headers = { Authorization: `Bearer ${upstream.key}` };
    try {
      const proxy = await inDirectory(
        async (_, port) => ({
          file: process.execPath,
          args: [
            PRISM,
            'proxy',
            SPECIFICATION,
            `${upstream.url}/v1`,
            '--port',
            String(port),
            '--errors',
            '-v',
            'error',
          ],
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
  about: `WireMock ${pinned['wiremock']} on Java, ${about}: the same response for every pet; nothing kept`,
  onRequest: true,
  // Java's compiler takes its time.
  warmUpSeconds: 10,
  path: pathsUnder('/v1'),
  start: () =>
    inDirectory(async (home, port) => {
      if (spawnSync('java', ['-version']).error) throw new Error('Java is not installed');
      mkdirSync(join(home, 'mappings'));
      writeFileSync(join(home, 'mappings', 'pets.json'), JSON.stringify(wiremockStubs()));
      const jar = installed('wiremock', `build/wiremock-standalone-${pinned['wiremock']}.jar`);
      const place = ['--port', String(port), '--bind-address', '127.0.0.1', '--root-dir', home];
      return { file: 'java', args: ['-jar', jar, ...place, '--disable-banner', ...flags] };
    }, '/v1/pets/1'),
});

export const PEERS: readonly Contender[] = [
  jsonServer,
  mockoon,
  prismMock('prism mock', 'with its log, as its users have it', []),
  prismMock('prism mock, no log', 'without its log', ['-v', 'error']),
  prismProxy,
  wiremock('wiremock', 'with its request log', []),
  wiremock('wiremock, no request log', 'without its request log', ['--no-request-request log']),
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
