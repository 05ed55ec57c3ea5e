/** `export` and `open`, as people use them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { startProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { asUser } from './support.ts';

const { run, complaint } = asUser();

it('saves a red sandbox, and opens it with its requests', { timeout: limit(60_000) }, async () => {
  const file = join(await newFolder(), 'recording.jsonl');
  const server = await startTestServer();
  const client = await server.sandbox({ label: 'red job' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  await client.get('/v1/pets?limit=500');
  const exported = await run(`export --out ${file} --url ${server.url} --key ${client.key}`);
  expect(exported).toMatchObject({ code: 0, stdout: '' });

  const { child, said, ended } = startProgram(['open', file]);
  await expect.poll(() => said.stdout, { timeout: limit(20_000) }).toMatch(/curl -H/);
  const [, base = '', key] = /API {8}(\S+)\/v1\n {2}key {8}(\S+)/.exec(said.stdout) ?? [];
  const { requests } = (await new Client(base, key).get('/_sandbox/requests')).json;
  expect(requests).toMatchObject([{ status: 400 }, { status: 201 }]);
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
});

it('opens no file that is no recording, and names it', async () => {
  const file = join(await newFolder({ 'other.json': '{"log":{}}' }), 'other.json');
  expect(await complaint(`open ${file}`)).toContain(`${file}: line 1: this is no recording`);
  expect(await complaint(`open ${file}.none`)).toContain('cannot be read');
  expect(await readFile(file, 'utf8')).toBe('{"log":{}}');
});
