import { chmod } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { ADMIN_TOKEN, call, KEY, startContainer, startSandbox } from './container.ts';

const SHOP = JSON.stringify({
  description: 'One pet.',
  pets: [{ id: 7, name: 'Waffle', categoryId: 3, status: 'sold' }],
});

test('takes preconfigured keys, fixtures and the port from environment and volume', async () => {
  const folder = await newFolder({ 'shop.json': SHOP });
  // The container's user reads it.
  await chmod(folder, 0o755);
  const sandbox = await startSandbox({
    flags: [`--volume=${folder}:/fixtures:ro`],
    env: { SANDBOX_API_KEYS: KEY, SANDBOX_FIXTURES: '/fixtures', SANDBOX_FIXTURE: 'shop' },
  });
  expect((await call(sandbox, '/v1/pets')).body).toEqual([{ id: 7, name: 'Waffle', categoryId: 3, status: 'sold' }]);
  expect((await call(sandbox, '/v1/pets', { key: `${KEY}-other` })).status).toBe(401);
});

test('asks for its health where SANDBOX_PORT says that it listens', async () => {
  const { exec } = await startContainer({ env: { SANDBOX_PORT: '5050' } });
  const { code, stdout } = await exec('petstore-sandbox', 'wait', '--timeout', '10');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'http://127.0.0.1:5050 is healthy\n' });
});

test('logs lines of JSON, without secrets', async () => {
  const sandbox = await startSandbox({
    env: { SANDBOX_API_KEYS: KEY, SANDBOX_ADMIN_TOKEN: ADMIN_TOKEN, SANDBOX_LOG_LEVEL: 'debug', SANDBOX_FIXTUR: 'x' },
  });
  const { key } = (await call(sandbox, '/_sandbox/keys', { body: {} })).body as { key: string };
  const wrong = 'image-test-wrong-0123456789';
  for (const each of [KEY, key, ADMIN_TOKEN, wrong]) await call(sandbox, '/v1/pets', { key: each });
  await call(sandbox, '/v1/pets', { body: '{"name": 5' });
  const { stdout, stderr } = await sandbox.logs();
  expect(stderr).toBe('');
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { time: string; msg: string });
  const words = lines.map(({ msg }) => msg);
  expect(words).toContain('listening');
  expect(words.join('\n')).toContain('SANDBOX_FIXTUR is not a setting');
  for (const { time } of lines) expect(new Date(time).toISOString()).toBe(time);
  for (const secret of [KEY, key, ADMIN_TOKEN, wrong]) expect(stdout).not.toContain(secret);
});
