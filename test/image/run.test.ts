/** How it runs where it may do little and has little. */
import { expect, test } from 'vitest';
import { limit } from '../support/slow.ts';
import { call, HARDENED, KEY, startSandbox } from './container.ts';
import { engine } from './engine.ts';

const MAX_HEALTHY_MS = 2_000;

/** One line of /proc/1/status, as `CapEff`. */
async function processOne(name: string, field: string): Promise<string> {
  const status = await engine('exec', name, 'cat', '/proc/1/status');
  return new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
}

test('is healthy within two seconds of its start on a quiet machine', async () => {
  const { healthyAfterMs } = await startSandbox();
  process.stdout.write(`image: healthy ${healthyAfterMs} ms after the container's start\n`);
  expect(healthyAfterMs).toBeLessThan(limit(MAX_HEALTHY_MS));
});

test('runs as user 1000, with a read-only root, no capability and no new privilege', async () => {
  const sandbox = await startSandbox({ flags: HARDENED, env: { SANDBOX_API_KEYS: KEY } });
  expect(await processOne(sandbox.name, 'Uid')).toBe('1000\t1000\t1000\t1000');
  expect(await processOne(sandbox.name, 'CapEff')).toBe('0000000000000000');
  expect(await processOne(sandbox.name, 'NoNewPrivs')).toBe('1');
  for (const folder of ['/', '/tmp', '/usr/local/lib/petstore-sandbox'])
    expect((await sandbox.exec('touch', `${folder}/x`)).code).not.toBe(0);
  expect((await call(sandbox, '/v1/pets', { body: { name: 'Waffle', categoryId: 3 } })).status).toBe(201);
});

test.each(['12345:0', '12345'])('runs as user %s, whom the image does not know', async (user) => {
  const sandbox = await startSandbox({ flags: [...HARDENED, `--user=${user}`], env: { SANDBOX_API_KEYS: KEY } });
  expect(await processOne(sandbox.name, 'Uid')).toBe('12345\t12345\t12345\t12345');
  expect((await call(sandbox, '/v1/pets', { body: { name: 'Waffle', categoryId: 3 } })).status).toBe(201);
  expect((await sandbox.exec('sh', '-c', 'ls /data/sandboxes | wc -l')).stdout.trim()).toBe('1');
});

test('is process 1 itself, and its health checks leave no zombie behind', async () => {
  const sandbox = await startSandbox();
  for (let n = 0; n < 10; n++) expect((await sandbox.exec('petstore-sandbox', 'wait', '--timeout', '0')).code).toBe(0);
  expect(await processOne(sandbox.name, 'Name')).toMatch(/^(?:node|MainThread)$/);
  const states = await sandbox.exec('sh', '-c', 'grep -h ^State: /proc/[0-9]*/status');
  expect(states.stdout).toContain('State:');
  expect(states.stdout).not.toMatch(/Z \(zombie\)/);
});
