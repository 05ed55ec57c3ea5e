/** What is kept, and how a container ends. */
import { expect, test } from 'vitest';
import { limit } from '../support/slow.ts';
import { call, HARDENED, KEY, newVolume, startSandbox, stop } from './container.ts';
import { engine } from './engine.ts';

const MAX_STOP_MS = 1_000;
const env = { SANDBOX_API_KEYS: KEY };

test('ends within a second of being told to, with exit code 0', async () => {
  const sandbox = await startSandbox({ flags: [...HARDENED, `--volume=${await newVolume()}:/data`], env });
  expect((await call(sandbox, '/v1/pets', { body: { name: 'Waffle', categoryId: 3 } })).status).toBe(201);
  const { tookMs, programMs, exitCode } = await stop(sandbox);
  process.stdout.write(`image: stopped in ${tookMs} ms, ${programMs} ms of them the program's\n`);
  expect(exitCode).toBe(0);
  expect(tookMs).toBeLessThan(limit(MAX_STOP_MS));
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

test('keeps nothing with SANDBOX_MEMORY, and needs no writable place at all', async () => {
  const sandbox = await startSandbox({ flags: HARDENED, env: { ...env, SANDBOX_MEMORY: 'true' } });
  expect((await call(sandbox, '/_sandbox/health')).body).toMatchObject({ store: 'memory' });
  expect((await call(sandbox, '/v1/pets', { body: { name: 'Waffle', categoryId: 3 } })).status).toBe(201);
  expect((await sandbox.exec('ls', '-A', '/data')).stdout).toBe('');
});
