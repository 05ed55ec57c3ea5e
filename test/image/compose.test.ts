/**
 * compose.yaml, with or without compose at hand: each service is run as the file describes it. A key of the file that
 * is not translated here fails the test.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../support/ports.ts';
import { limit } from '../support/slow.ts';
import { call, KEY, newVolume, runToEnd, startSandbox } from './container.ts';
import { engine, tryEngine } from './engine.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Record<string, string>;
  readonly volumes?: readonly string[];
  readonly [key: string]: unknown;
}

const file = parse(await readFile('compose.yaml', 'utf8')) as {
  readonly services: { readonly sandbox: Service; readonly validator: Service; readonly example: Service };
  readonly volumes: Record<string, unknown>;
};
const { sandbox, validator, example } = file.services;

/** What compose does itself, and no flag of `run`. */
const BY_COMPOSE = ['image', 'build', 'ports', 'profiles', 'depends_on', 'command', 'environment'];

/** The engine's flags for a service. Ports are left out: tests take free ones. */
function flagsOf(service: Service, volumes: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(service).flatMap(([key, value]) => {
    if (BY_COMPOSE.includes(key)) return [];
    if (key === 'read_only') return value === true ? ['--read-only'] : [];
    if (key === 'cap_drop') return (value as string[]).map((each) => `--cap-drop=${each}`);
    if (key === 'security_opt') return (value as string[]).map((each) => `--security-opt=${each}`);
    if (key === 'working_dir') return [`--workdir=${value}`];
    if (key === 'volumes')
      return (value as string[]).map((each) => {
        const [source, ...rest] = each.split(':') as [string, ...string[]];
        return `--volume=${[source.startsWith('.') ? path.resolve(source) : volumes[source], ...rest].join(':')}`;
      });
    throw new Error(`compose.yaml: ${key} is not translated here`);
  });
}

test('the sandbox is healthy, with the preconfigured keys of the environment and its volume', async () => {
  expect(sandbox.environment).toEqual({ SANDBOX_API_KEYS: `\${SANDBOX_API_KEYS:-}` });
  const volumes = Object.fromEntries(
    await Promise.all(Object.keys(file.volumes).map(async (name) => [name, await newVolume()] as const)),
  );
  const running = await startSandbox({ flags: flagsOf(sandbox, volumes), env: { SANDBOX_API_KEYS: KEY } });
  expect((await call(running, '/v1/pets', { body: { name: 'Waffle', categoryId: 3 } })).status).toBe(201);
  const mounted = await engine('exec', running.name, 'sh', '-c', 'ls /data/sandboxes | wc -l');
  expect(mounted.trim()).toBe('1');
});

test("the example client's tests pass against it, and fail where there is none", async () => {
  const { name } = await startSandbox();
  const options = {
    image: example.image,
    // Compose gives the sandbox a name; here the two share one network.
    env: { ...example.environment, SANDBOX_URL: 'http://127.0.0.1:4020/v1' },
    args: example.command ?? [],
  };
  const passed = await runToEnd({ ...options, flags: [...flagsOf(example), `--network=container:${name}`] });
  expect(passed.stdout).toMatch(/pass 3\n/);
  expect(passed.code).toBe(0);
  const alone = await runToEnd({ ...options, flags: flagsOf(example) });
  expect(alone.code).not.toBe(0);
});

test('the validator passes good traffic on, and turns a breach of the specification into an error', async () => {
  const running = await startSandbox({ env: { SANDBOX_API_KEYS: KEY } });
  const port = await freePort();
  const version = /:(\d+\.\d+\.\d+)$/.exec(validator.image)?.[1];
  const installed = JSON.parse(await readFile('node_modules/@stoplight/prism-cli/package.json', 'utf8')) as {
    version: string;
  };
  expect(version).toBe(installed.version);
  const args = (validator.command ?? []).map((arg) =>
    arg
      .replace('/spec/', `${path.resolve('spec')}/`)
      .replace('http://sandbox:4020', running.url)
      .replace('--host=0.0.0.0', '--host=127.0.0.1')
      .replace('--port=4010', `--port=${port}`),
  );
  expect(args).toContain(`--port=${port}`);
  const prism = spawn(process.execPath, ['node_modules/@stoplight/prism-cli/dist/index.js', ...args], {
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    prism.kill();
    await once(prism, 'exit');
  });
  const before = { url: `http://127.0.0.1:${port}` };
  const answer = () =>
    fetch(before.url).then(
      (response) => response.text(),
      () => undefined,
    );
  await expect.poll(answer, { timeout: limit(20_000) }).toBeDefined();
  expect((await call(before, '/pets?limit=1')).status).toBe(200);
  expect((await call(before, '/pets', { body: { name: 'Waffle', categoryId: 3 } })).status).toBe(201);
  const rejected = await call(before, '/pets', { body: { name: 5 } });
  expect(JSON.stringify(rejected.body)).toMatch(/UNPROCESSABLE_ENTITY|VIOLATIONS|validation/i);
  expect(rejected.status).not.toBe(400);
});

test('compose itself takes the file, where the engine has it', async () => {
  if ((await tryEngine('compose', 'version')).code !== 0) {
    process.stdout.write('image: the engine has no compose; compose.yaml is checked by running its services\n');
    return;
  }
  await engine('compose', '--file', 'compose.yaml', '--profile', '*', 'config', '--quiet');
});
