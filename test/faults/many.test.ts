/** Thousands of sandboxes: a start with them, and all that expire at once. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stopwatch } from '../../src/base/clock.ts';
import { LAYOUT_VERSION } from '../../src/sandbox/store/files.ts';
import { newFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';

const AT = Date.UTC(2026, 2, 2, 9, 30);
const DAY = 86_400_000;

const idOf = (n: number): string => `sbx_${String(n).padStart(16, '0')}`;

/** Writes sandboxes as a server would have left them. */
function write(directory: string, count: number, expiresAt: number): void {
  mkdirSync(join(directory, 'sandboxes'));
  writeFileSync(join(directory, 'store.json'), `{"layout":${LAYOUT_VERSION}}\n`);
  for (let n = 0; n < count; n++) {
    const hash = createHash('sha256').update(`key-of-sandbox-${n}`).digest('hex');
    const key = { id: `key_${n}`, hash, label: null, createdAt: AT, expiresAt, revokedAt: null };
    const entry = {
      begin: { id: idOf(n), createdAt: AT, preconfigured: false },
      seed: 'default',
      set: { label: null, expiresAt, keys: [key], clock: null, faults: [], drill: null, drillResults: [] },
    };
    writeFileSync(join(directory, 'sandboxes', `${idOf(n)}.jsonl`), `${JSON.stringify(entry)}\n`);
  }
}

it('9,000 sandboxes that expire at once are swept while requests are served', async () => {
  const directory = await newFolder();
  write(directory, 9_000, AT + DAY);
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
  expect(readdirSync(join(directory, 'sandboxes'))).toEqual([]);
});
