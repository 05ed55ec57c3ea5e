/** The service of docs/guides/ci.md: its environment, given to the program as GitHub gives it to the image. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { startProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';
import { runLines } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a workflow, read where it is known to be of this shape
type Job = any;

const page = await readFile('docs/guides/ci.md', 'utf8');
const jobs = [...page.matchAll(/```yaml\n(.*?)```/gs)].flatMap(([, text = '']): Job[] =>
  Object.values(parse(text)?.jobs ?? {}),
);
const job = jobs.find(({ services }) => services !== undefined);
const { petstore } = job.services;

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

  // The image serves 4020; here any port is free.
  const port = String(await freePort());
  const { child, said } = startProgram(['serve'], { ...petstore.env, SANDBOX_PORT: port, SANDBOX_LOG_FORMAT: 'json' });
  while (!said.stdout.includes('"msg":"listening"')) await once(child.stdout, 'data');
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
