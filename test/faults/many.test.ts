/** Thousands of sandboxes: a start with them, a disk that keeps one, and all that expire at once. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stopwatch } from '../../src/base/clock.ts';
import { LAYOUT_VERSION } from '../../src/sandbox/store/files.ts';
import { scratch } from '../sandbox/store/support.ts';
import { Client } from '../support/client.ts';
import { Program } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';

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

/** Writes sandboxes as a server would have left them. */
function write(count: number, expiresAt: number | null): void {
  mkdirSync(join(directory, 'sandboxes'));
  writeFileSync(join(directory, 'store.json'), `{"layout":${LAYOUT_VERSION}}\n`);
  for (let n = 0; n < count; n++) {
    const hash = createHash('sha256').update(keyOf(n)).digest('hex');
    const key = { id: `key_${n}`, hash, label: null, createdAt: AT, expiresAt, revokedAt: null };
    const entry = {
      begin: { id: idOf(n), createdAt: AT, preconfigured: false },
      seed: 'default',
      set: { label: null, expiresAt, keys: [key], clock: null, faults: [], drill: null, drillResults: [] },
    };
    writeFileSync(join(directory, 'sandboxes', `${idOf(n)}.jsonl`), `${JSON.stringify(entry)}\n`);
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

describe('6,000 sandboxes', () => {
  const sample = [0, 1, 2, 3000, 5998, 5999];

  it('open, and one that ended stays so over a restart', async () => {
    write(6_000, null);
    let url = await start();
    expect(await statuses(url, sample)).toEqual(sample.map(() => 200));
    expect((await new Client(url, keyOf(0)).delete('/_sandbox')).status).toBe(204);
    await program?.kill();
    url = await start();
    expect(await statuses(url, sample)).toEqual([401, 200, 200, 200, 200, 200]);
    program?.process.kill('SIGTERM');
    expect(await program?.ended()).toBe(0);
    expect(files()).toHaveLength(5_999);
  });
});

it('9,000 sandboxes that expire at once are swept while requests are served', async () => {
  write(9_000, AT + DAY);
  let now = AT;
  const server = await startTestServer({ settings: { data: directory }, clock: { now: () => now } });
  // The one that runs at the start is over before anything expires.
  await server.sandboxes.sweep();
  expect(server.sandboxes.size).toBe(9_000);
  // The first such request loads Express.
  await server.client().get('/_sandbox/health');
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
