/** The services of docs/guides/ci.md and docs/operate/docker.md: their environment, given to the program as an image gets it. */
import { once } from 'node:events';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { freePort } from '../support/ports.ts';
import { startProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';
import { run, runLines } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a workflow, read where it is known to be of this shape
type Job = any;

const page = await readFile('docs/guides/ci.md', 'utf8');
const jobs = [...page.matchAll(/```yaml\n(.*?)```/gs)].flatMap(([, text = '']): Job[] =>
  Object.values(parse(text)?.jobs ?? {}),
);
const job = jobs.find(({ services }) => services !== undefined);
const { petstore } = job.services;

/** The image serves 4020; here any port is free. @returns its port */
async function serve(env: Record<string, string>): Promise<string> {
  const port = String(await freePort());
  const { child, said } = startProgram(['serve'], { ...env, SANDBOX_PORT: port, SANDBOX_LOG_FORMAT: 'json' });
  while (!said.stdout.includes('"msg":"listening"')) await once(child.stdout, 'data');
  return port;
}

it('starts with its key and fixture, and takes the requests of a step, at the address and with the key that the job has', {
  timeout: limit(60_000),
}, async () => {
  // As an environment reaches a container: every value is a string, and there is nothing else.
  for (const [name, value] of Object.entries(petstore.env)) expect([name, typeof value]).toEqual([name, 'string']);
  const { protocol, hostname, port: exposed, pathname } = new URL(job.env.SANDBOX_URL);
  expect(petstore.ports).toEqual([`${exposed}:4020`]);
  expect([protocol, hostname, pathname]).toEqual(['http:', '127.0.0.1', '/v1']);
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(petstore.image).toMatch(new RegExp(`/petstore-sandbox:${version}$`));

  const port = await serve(petstore.env);
  const client = new Client(`http://127.0.0.1:${port}`, job.env.SANDBOX_KEY);
  expect((await client.get('/v1/pets')).json).toEqual([]);
  const { run: prepare } = job.steps.find(({ run }: Job) => run?.includes('_sandbox'));
  const env = { ...job.env, SANDBOX_URL: `http://127.0.0.1:${port}/v1` };
  expect(await runLines(prepare, { folder: await newFolder(), env })).toMatchObject({ code: 0, stderr: '' });
  expect((await client.get('/_sandbox/clock')).json.now).toMatch(/^2030-12-04T/);
  const pet = { name: 'Rex', categoryId: 1 };
  const statuses = [await client.post('/v1/pets', pet), await client.post('/v1/pets', pet)].map(({ status }) => status);
  expect(statuses).toEqual([503, 201]);
});

it('two sandboxes are prepared by the commands of a second container', { timeout: limit(60_000) }, async () => {
  const [, compose = ''] = /```yaml\n(services:.*?)```/s.exec(await readFile('docs/operate/docker.md', 'utf8')) ?? [];
  const { sandbox, prepare, tests } = parse(compose).services;
  const pets = [{ id: 7, name: 'Ada', categoryId: 1 }];
  const folder = await newFolder({ 'my-fixtures/shop.json': JSON.stringify({ description: 'A shop.', pets }) });
  const [mounted = '', inside = ''] = sandbox.volumes[0].split(':');
  expect(sandbox.environment.SANDBOX_FIXTURES).toBe(inside);
  const port = await serve({ ...sandbox.environment, SANDBOX_FIXTURES: join(folder, mounted) });
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await symlink(resolve('dist/cli.cjs'), join(bin, 'petstore-sandbox'));
  const env = { PATH: `${bin}:${process.env['PATH']}`, SANDBOX_URL: `http://127.0.0.1:${port}/v1` };
  const [command = '', ...flags] = [...prepare.entrypoint, ...prepare.command];
  expect(await run(command, flags, { folder, env })).toMatchObject({ code: 0, stderr: '' });
  const [shop, outage] = sandbox.environment.SANDBOX_API_KEYS.split(', ').map(
    (key: string) => new Client(`http://127.0.0.1:${port}`, key),
  );
  expect([tests.environment.SANDBOX_KEY, tests.environment.SANDBOX_URL]).toEqual([
    shop.key,
    prepare.environment.SANDBOX_URL,
  ]);
  expect((await shop.get('/v1/pets')).json).toEqual(pets);
  expect((await shop.get('/_sandbox/clock')).json.now).toMatch(/^2030-12-04T/);
  expect((await outage.get('/v1/pets')).json).toEqual([]);
  expect((await outage.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(503);
  // A line that fails ends the container, so that the tests do not start.
  const spoilt = flags.map((flag) => flag.replace('--fixture empty', '--fixture emtpy'));
  expect(await run(command, spoilt, { folder, env })).toMatchObject({ code: 2 });
});
