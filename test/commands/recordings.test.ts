/** `export`, `open` and `replay`, as people use them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { send } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

it('saves a red sandbox, opens it, and replays it with the same outcome', { timeout: limit(60_000) }, async () => {
  const directory = await newFolder();
  const file = join(directory, 'recording.jsonl');
  const server = await startTestServer();
  const client = await server.sandbox({ label: 'red job' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  await client.get('/v1/pets?limit=500');
  const environment = { SANDBOX_URL: server.url, SANDBOX_KEY: client.key as string };
  expect(await runProgram(['export', '--out', file], environment)).toMatchObject({ code: 0, stdout: '' });

  const same = await runProgram(['replay', file]);
  expect(same).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^✓ the replay is the same\s.*2 requests validated, 2 same, 0 differs/s),
  });
  const other = await server.sandbox({ fixture: 'empty' });
  const flags = ['--url', `${server.url}/v1`, '--key', other.key as string];
  const elsewhere = await runProgram(['replay', file, ...flags, '--format', 'junit']);
  expect([elsewhere.code, elsewhere.stdout.includes('<skipped')]).toEqual([0, true]);
  expect((await other.get('/v1/pets')).json).toEqual([]);

  const { child, said, ended } = startProgram(['open', file]);
  await expect.poll(() => said.stdout, { timeout: limit(20_000) }).toMatch(/curl -H/);
  const [, base, key] = /API {8}(\S+)\/v1\n {2}key {8}(\S+)/.exec(said.stdout) ?? [];
  const headers = { Authorization: `Bearer ${key}` };
  const requestLog = await send(String(base), { path: '/_sandbox/requests', headers });
  expect(requestLog.json.requests.map(({ status }: { status: number }) => status)).toEqual([400, 201]);
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
});

it('rejects a file that is no recording, and names it', { timeout: limit(60_000) }, async () => {
  const directory = await newFolder();
  const file = join(directory, 'other.json');
  await writeFile(file, '{"log":{}}');
  for (const command of ['open', 'replay']) {
    const { code, stderr } = await runProgram([command, file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}: line 1: this is no recording`)]);
    const missing = await runProgram([command, join(directory, 'none.json')]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
  }
  expect(await readFile(file, 'utf8')).toBe('{"log":{}}');
});
