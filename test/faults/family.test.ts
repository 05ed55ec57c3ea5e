/** Families of forks at their worst: chains that older versions allowed, kills, a sick disk, thousands that expire at once. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isoTime, stopwatch } from '../../src/core/clock.ts';
import { LAYOUT_VERSION } from '../../src/store/layout.ts';
import { filesBelow, scratch } from '../store/support.ts';
import { Client } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { stick } from '../support/stuck-file.ts';
import { Program } from '../support/watched-program.ts';

const AT = Date.UTC(2026, 2, 2, 9, 30);
const DAY = 86_400_000;

let directory: string;
let clear: () => Promise<void>;
let program: Program | undefined;
beforeEach(async () => {
  ({ directory, clear } = await scratch());
});
afterEach(async () => {
  await program?.kill();
  program = undefined;
  await clear();
});

const keyOf = (n: number): string => `key-of-sandbox-${n}`;
const idOf = (n: number): string => `sbx_${String(n).padStart(16, '0')}`;

/** Writes sandboxes as a server would have left them. @param forkOf the number of each one's origin */
function write(count: number, expiresAt: number | null, forkOf: (n: number) => number | null): void {
  mkdirSync(join(directory, 'sandboxes'));
  writeFileSync(join(directory, 'store.json'), `{"layout":${LAYOUT_VERSION}}\n`);
  const times = { createdAt: isoTime(AT), expiresAt: expiresAt === null ? null : isoTime(expiresAt) };
  for (let n = 0; n < count; n++) {
    const origin = forkOf(n);
    const hash = createHash('sha256').update(keyOf(n)).digest('hex');
    const head = {
      ...{ id: idOf(n), label: null, fixture: 'default', ...times, preconfigured: false },
      forkOf: origin === null ? null : idOf(origin),
      keys: [{ id: `key_${n}`, hash, label: null, ...times, revokedAt: null }],
      ...{ clock: null, faults: [], log: { branch: `brn_${n}`, from: null, files: 0 }, snapshots: {} },
    };
    writeFileSync(join(directory, 'sandboxes', `${idOf(n)}.json`), JSON.stringify(head));
  }
}

const files = (): string[] => readdirSync(join(directory, 'sandboxes'));

/** Starts the built program on the directory; resolves to its address. */
async function start(): Promise<string> {
  program = new Program(['--port', '0', '--data', directory, '--log-format', 'json']);
  const [, url = ''] = await program.wrote(/"url":"([^"]+)".*"msg":"listening"/);
  return url;
}

/** How each of these sandboxes answers its key. */
async function statuses(url: string, sandboxes: readonly number[]): Promise<number[]> {
  const replies = await Promise.all(sandboxes.map((n) => new Client(url, keyOf(n)).get('/v1/pets')));
  return replies.map(({ status }) => status);
}

describe('a chain of 6,000 forks, as an older version allowed it', () => {
  const sample = [0, 1, 2, 3000, 5998, 5999];

  it('opens, ends with its origin, and stays ended over a restart', async () => {
    write(6_000, null, (n) => (n === 0 ? null : n - 1));
    let url = await start();
    expect(await statuses(url, sample)).toEqual(sample.map(() => 200));
    const tooDeep = await new Client(url, keyOf(5999)).post('/_sandbox/fork');
    expect([tooDeep.status, tooDeep.json.code]).toEqual([409, 'limit_reached']);
    expect((await new Client(url, keyOf(0)).delete('/_sandbox')).status).toBe(204);
    expect(await statuses(url, sample)).toEqual(sample.map(() => 401));
    await program?.kill();
    url = await start();
    expect(await statuses(url, sample)).toEqual(sample.map(() => 401));
    program?.process.kill('SIGTERM');
    expect(await program?.ended()).toBe(0);
    expect(files()).toEqual([]);
  });

  it('that has expired keeps no server from starting, and is swept', async () => {
    write(6_000, AT + DAY, (n) => (n === 0 ? null : n - 1));
    const url = await start();
    expect(await statuses(url, sample)).toEqual(sample.map(() => 401));
    await expect.poll(files, { timeout: limit(60_000), interval: 100 }).toEqual([]);
    expect((await new Client(url).get('/_sandbox/health')).status).toBe(200);
    expect(program?.out).not.toMatch(/"level":"?(error|50)/);
  });
});

describe('a kill while a family of 1,500 ends', () => {
  it('leaves all of it or nothing: a later request finds no half', { timeout: limit(300_000) }, async () => {
    const count = 1_500;
    const sample = [0, 1, 2, 700, 1400, 1498, 1499];
    let inTheMidst = 0;
    for (let round = 0; round < 6 && inTheMidst < 2; round++) {
      // Half of them forks of the origin, half forks of these.
      write(count, null, (n) => (n === 0 ? null : n <= count / 2 ? 0 : n - count / 2));
      let url = await start();
      const deleted = new Client(url, keyOf(0)).delete('/_sandbox').then(
        ({ status }) => status,
        () => 'cut off',
      );
      while (files().filter((name) => name.endsWith('.json')).length === count) await new Promise(setImmediate);
      await program?.kill();
      expect([204, 'cut off']).toContain(await deleted);
      if (files().length > 1) inTheMidst++;
      url = await start();
      expect(await statuses(url, sample)).toEqual(sample.map(() => 401));
      await program?.kill();
      expect(await filesBelow(join(directory, 'sandboxes'))).toEqual([]);
      await clear();
      ({ directory, clear } = await scratch());
    }
    expect(inTheMidst).toBeGreaterThan(0);
  });
});

describe('a disk that refuses writes', () => {
  const family = [0, 1, 2, 3];

  it('the end of a family is 503 and changes nothing, though it rejects one file only; then 204', async (context) => {
    write(4, null, (n) => (n === 0 ? null : n - 1));
    const letGo = stick(context, join(directory, 'sandboxes', `${idOf(0)}.json`));
    const server = await startTestServer({ settings: { data: directory } });
    server.expectTrouble(/a request failed/);
    const rejected = await server.client(keyOf(0)).delete('/_sandbox');
    expect([rejected.status, rejected.json.code]).toEqual([503, 'storage_failed']);
    expect(await statuses(server.url, family)).toEqual([200, 200, 200, 200]);
    letGo();
    expect((await server.client(keyOf(0)).delete('/_sandbox')).status).toBe(204);
    expect(await statuses(server.url, family)).toEqual([401, 401, 401, 401]);
    await server.end();
    expect(files()).toEqual([]);
  });

  it('to delete the file of an expired sandbox does not keep the server from starting, nor others from being swept', async (context) => {
    write(50, AT + DAY, () => null);
    const letGo = stick(context, join(directory, 'sandboxes', `${idOf(7)}.json`));
    const server = await startTestServer({ settings: { data: directory } });
    server.expectTrouble(/the sweep could not end some sandboxes/);
    await expect.poll(() => server.sandboxes.size).toBe(1);
    expect(await statuses(server.url, [7, 8])).toEqual([401, 401]);
    await expect.poll(() => server.lines.filter(({ level }) => level === 'error').length).toBe(1);
    expect(server.lines.find(({ level }) => level === 'error')?.details).toMatchObject({ failed: 1 });
    letGo();
    await server.sandboxes.sweep();
    await server.end();
    expect(files()).toEqual([]);
  });
});

it('9,000 sandboxes that expire at once are swept while requests are served', async () => {
  write(9_000, AT + DAY, (n) => (n % 3 === 0 ? null : n - (n % 3)));
  let now = AT;
  const server = await startTestServer({ settings: { data: directory }, clock: { now: () => now } });
  // The one that runs at the start is over before anything expires.
  await server.sandboxes.sweep();
  expect(server.sandboxes.size).toBe(9_000);
  now = AT + DAY;
  let over = false;
  let longest = 0;
  let last = stopwatch();
  const began = last;
  const beat = (): void => {
    const at = stopwatch();
    longest = Math.max(longest, at - last);
    last = at;
    if (!over) setImmediate(beat);
  };
  beat();
  const sweeping = server.sandboxes.sweep().then((swept) => {
    over = true;
    return swept;
  });
  let served = 0;
  for (; !over; served++) expect((await server.client().get('/_sandbox/health')).status).toBe(200);
  const took = stopwatch() - began;
  expect(await sweeping).toEqual({ failed: 0, error: undefined });
  expect(server.sandboxes.size).toBe(0);
  process.stdout.write(
    `swept in ${Math.round(took)} ms, the longest turn ${Math.round(longest)} ms, ${served} requests meanwhile\n`,
  );
  expect(served).toBeGreaterThan(3);
  expect(longest).toBeLessThan(took / 4);
  await server.end();
  expect(files()).toEqual([]);
});
