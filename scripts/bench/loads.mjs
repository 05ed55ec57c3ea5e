// The pets that everyone under measurement serves, the requests for them, and the programs that send these: `wrk` where
// it is installed, else generator.mjs. Every run asks the same.
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from './servers.mjs';

const STATUSES = ['available', 'pending', 'sold'];

const petsFrom = (first, count) =>
  Array.from({ length: count }, (_, index) => {
    const id = first + index;
    return { id, name: `Pet number ${id}`, categoryId: (id % 20) + 1, status: STATUSES[id % 3] };
  });
/** What `get` and `list` ask for. */
export const FEW = petsFrom(1, 1_000);
/** What `get, all new` asks for, each in turn. */
export const MANY = petsFrom(1_001, 20_000);

const newPet = (n) => ({ name: `Newcomer ${n}`, categoryId: (n % 97) + 1, status: STATUSES[n % 3] });
const numbers = (count) => Array.from({ length: count }, (_, n) => n);

/** `n` decides which letters of a list's query are percent-encoded: 16,384 ways to write the same. */
function listWrittenAs(n) {
  let bit = 0;
  const written = (text) =>
    text.replaceAll(/./g, (letter) =>
      bit < 14 && (n >> bit++) & 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter,
    );
  return `${written('limit')}=20&${written('status')}=${written(STATUSES[n % 3])}`;
}

/**
 * `requests`: path below the base, and body. `isNew`: no two exchanges are alike, so that no verdict is remembered; the
 * sandbox then serves the pets of `MANY` too.
 */
export const LOADS = [
  {
    name: 'get, all new',
    about: 'GET /pets/{id}, 20,000 ids one after the other',
    isNew: true,
    requests: MANY.map(({ id }) => ({ path: `/pets/${id}` })),
  },
  {
    name: 'list, all new',
    about: 'GET /pets?limit=20&status=…, written in 16,384 ways that mean the same (%61vailable)',
    isNew: true,
    requests: numbers(2 ** 14).map((n) => ({ path: `/pets?${listWrittenAs(n)}` })),
  },
  {
    name: 'create',
    about: 'POST /pets, 20,000 distinct bodies',
    requests: numbers(20_000).map((n) => ({ path: '/pets', body: JSON.stringify(newPet(n)) })),
  },
  {
    name: 'get',
    about: 'GET /pets/{id}, 1,000 ids: nearly all verdicts are remembered',
    requests: FEW.map((_, n) => ({ path: `/pets/${((n * 617) % FEW.length) + 1}` })),
  },
  {
    name: 'list',
    about: 'GET /pets?limit=20&status=…, the three statuses in turn: all verdicts are remembered',
    requests: STATUSES.map((status) => ({ path: `/pets?limit=20&status=${status}` })),
  },
];

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);

/** `wrk` costs less of the processor that it shares with the server. It says its version on either stream. */
const said = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
const version = said.error ? undefined : /wrk (?:debian\/)?([\w.]+)/.exec(`${said.stdout}${said.stderr}`)?.[1];
export const generator = version === undefined ? 'a generator in Node' : `wrk ${version}`;

/**
 * Sends a load. Without a rate each connection waits for its response; at a rate (requests a second) latency counts from
 * when a request was due, and so shows what queues.
 * @param {{ url: string, headers: Record<string, string>, requests: readonly { path: string, body?: string }[],
 *   connections: number, seconds: number, rate?: number, count?: number }} load `count`: ends after as many requests
 * @returns {Promise<{ requests: number, perSecond: number, p99: number, failures: number }>} p99 in milliseconds
 */
export async function send({ url, headers, requests, connections, seconds, rate, count }) {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, '');
  const file = path.join(temporaryDirectory(), 'requests.tsv');
  writeFileSync(file, requests.map(({ path: target, body = '' }) => `${base}${target}\t${body}\n`).join(''));
  const method = requests[0].body === undefined ? 'GET' : 'POST';
  const all = { ...headers, ...(method === 'POST' && { 'Content-Type': 'application/json' }) };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const isOpen = rate !== undefined || count !== undefined;
  const { stdout } =
    isOpen || version === undefined
      ? await run(process.execPath, [
          beside('generator.mjs'),
          JSON.stringify({ url: origin, file, method, headers: all, connections, seconds, rate, count }),
        ])
      : await run('wrk', [
          ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`, ...flags],
          ...['-s', beside('wrk.lua'), origin, '--', file, method],
        ]);
  const { microseconds, p99, ...result } = JSON.parse(/^RESULT (.*)$/m.exec(stdout)[1]);
  return { ...result, p99: p99 / 1000, perSecond: (result.requests / microseconds) * 1e6 };
}
