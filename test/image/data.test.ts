/** What is kept, and how a container ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limit } from '../support/slow.ts';
import { call, HARDENED, KEY, newVolume, startSandbox, stop } from './container.ts';
import { engine } from './engine.ts';
import { load } from './load.ts';

const MAX_STOP_MS = 1_000;
const AT_A_TIME = 16;
const env = { SANDBOX_API_KEYS: KEY };

test('ends within a second of being told to, with exit code 0, and loses nothing that it acknowledged', async () => {
  const flags = [...HARDENED, `--volume=${await newVolume()}:/data`];
  const first = await startSandbox({ flags, env });
  const stopping = new AbortController();
  const creating = load(first, { connections: 8, seconds: 20, onlyCreates: true, stopping: stopping.signal });
  await sleep(1_000);
  // It goes on creating: from here on a broken connection is expected, a lost pet is not.
  stopping.abort();
  const { tookMs, programMs, exitCode } = await stop(first);
  const { ids, failed } = await creating;
  process.stdout.write(
    `image: stopped in ${tookMs} ms while creating, ${programMs} ms of them the program's; ${ids.length} pets were acknowledged\n`,
  );
  expect({ exitCode, failed }).toEqual({ exitCode: 0, failed: [] });
  expect(tookMs).toBeLessThan(limit(MAX_STOP_MS));
  expect(ids.length).toBeGreaterThan(50);

  const second = await startSandbox({ flags, env });
  const lost: number[] = [];
  // A few at a time: thousands of connections at once are more than the engine's network passes on.
  for (let from = 0; from < ids.length; from += AT_A_TIME) {
    const some = ids.slice(from, from + AT_A_TIME);
    const statuses = await Promise.all(some.map(async (id) => (await call(second, `/v1/pets/${id}`)).status));
    lost.push(...some.filter((_, i) => statuses[i] !== 200));
  }
  expect(lost).toEqual([]);
});

test('keeps data and keys for a new container on the same volume, also after a kill', async () => {
  const flags = [`--volume=${await newVolume()}:/data`];
  const first = await startSandbox({ flags });
  const made = (await call(first, '/_sandbox/keys', { body: {} })).body as { key: string };
  const { body: pet } = await call(first, '/v1/pets', { key: made.key, body: { name: 'Waffle', categoryId: 3 } });
  await engine('kill', '--signal=KILL', first.name);
  const second = await startSandbox({ flags });
  const { status, body } = await call(second, `/v1/pets/${(pet as { id: number }).id}`, { key: made.key });
  expect({ status, body }).toEqual({ status: 200, body: pet });
});

test('ends on SIGINT as well', async () => {
  const { name } = await startSandbox();
  await engine('kill', '--signal=INT', name);
  expect((await engine('wait', name)).trim()).toBe('0');
});

test('keeps nothing with SANDBOX_MEMORY, and needs no writable place at all', async () => {
  const sandbox = await startSandbox({ flags: HARDENED, env: { ...env, SANDBOX_MEMORY: 'true' } });
  expect((await call(sandbox, '/_sandbox/health')).body).toMatchObject({ store: 'memory' });
  expect((await call(sandbox, '/v1/pets', { body: { name: 'Waffle', categoryId: 3 } })).status).toBe(201);
  expect((await sandbox.exec('ls', '-A', '/data')).stdout).toBe('');
});
