/** The package in a process whose globals a test has replaced. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { limit } from '../support/slow.ts';
import { packed } from './packed.ts';
import { run } from './run.ts';

const { tools, nodes } = await packed();
const folder = join(tools, 'fakes');

/** What each test does: a request, a control, a report. The request takes `http`, which no environment replaces. */
const STEPS = `
  const get = ({ url, key }, headers = {}) => new Promise((resolve, reject) => {
    const options = { headers: { Authorization: 'Bearer ' + key, ...headers } };
    http.get(url + '/pets?limit=1', options, (response) => response.resume().on('end', () => resolve(response.statusCode))).on('error', reject);
  });
  const DELAYED = { 'Sandbox-Fault': 'delay=100' };`;

/**
 * Replaces globals for parts of a server's life, and restores them each time. What the parts have in common is that the
 * server does not notice. What is loaded is loaded once, so the part that begins before it has a program of its own.
 */
const PROGRAM = `
  import http from 'node:http';
  const [, , library, first] = process.argv;
  const BROKEN = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate',
    'Date', 'performance', 'Intl', 'AbortController', 'AbortSignal', 'fetch', 'Request', 'Response', 'Headers', 'TextDecoder',
    'TextEncoder', 'structuredClone', 'crypto', 'URL', 'URLSearchParams', 'Event', 'EventTarget', 'MessageChannel',
    'ReadableStream', 'Blob', 'queueMicrotask'];
  const replace = {
    broken: () => {
      const before = BROKEN.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
      for (const name of BROKEN) {
        const value = function broken() { return {}; };
        Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
      }
      return () => before.forEach(([name, descriptor]) => Object.defineProperty(globalThis, name, descriptor));
    },
    sinon: async () => {
      const clock = (await import('sinon')).default.useFakeTimers({ now: 0, toNotFake: ['nextTick', 'queueMicrotask'] });
      return () => clock.restore();
    },
    'node:test': async () => {
      const { timers } = (await import('node:test')).mock;
      timers.enable({ now: 0 });
      return () => timers.reset();
    },
  }[library];
  const real = Date;
  ${STEPS}
  const replaced = async (part, work) => {
    const restore = await replace();
    const isReplaced = Date !== real;
    const seen = await work();
    await restore();
    process._rawDebug(JSON.stringify([part, isReplaced && Date === real, ...seen]));
  };
  let petstore;
  const load = async () => {
    petstore = { ...await import('petstore-sandbox'), ...await import('petstore-sandbox/testing') };
  };
  const use = async (server) => {
    const seen = [await get(server), await get(server, DELAYED)];
    await server.clock.advance('P30D');
    const sandbox = await petstore.openSandbox(server);
    seen.push(await get(sandbox));
    await petstore.expectContractPassed(sandbox);
    await sandbox.end();
    const [{ at: time }] = await server.requests();
    return [...seen, time < '2001'];
  };
  const live = async () => {
    const server = await petstore.startSandbox();
    const seen = await use(server);
    await server.close();
    return seen;
  };
  if (first === 'before the import')
    await replaced(first, async () => {
      await load();
      return live();
    });
  else {
    await load();
    await replaced('before the start', live);
    const server = await petstore.startSandbox();
    await replaced('after the start', () => use(server));
    const delayed = get(server, DELAYED);
    await replaced('during a request', async () => [await delayed, ...await use(server)]);
    await replaced('at the end', async () => [await server.close()]);
  }`;

/** A request of the environment's page. */
const OF_A_PAGE = `const status = await new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('GET', sandbox.url + '/pets?limit=1');
      request.setRequestHeader('Authorization', 'Bearer ' + sandbox.key);
      request.onload = () => resolve(request.status);
      request.onerror = () => reject(new Error('blocked'));
      request.send();
    });
    expect(status).toBe(200);`;

const vitestFile = (environment: string): string => `// ${'@vitest'}-environment ${environment}
  import http from 'node:http';
  import { expectContractPassed, test } from 'petstore-sandbox/vitest';
  import { afterEach, expect, vi } from 'vitest';
  ${STEPS}
  afterEach(() => void vi.useRealTimers());
  test('fake before, during and after a request', async ({ sandbox }) => {
    const delayed = get(sandbox, DELAYED);
    vi.useFakeTimers({ now: 0 });
    expect(await delayed).toBe(200);
    expect(await get(sandbox, DELAYED)).toBe(200);
    await sandbox.client.request('POST /clock/advance', { body: { duration: 'P30D' } });
    vi.useRealTimers();
    expect(await get(sandbox)).toBe(200);
    await expectContractPassed(sandbox);
  });
  ${
    environment === 'node'
      ? ''
      : `test('a page of the environment sends a request', async ({ sandbox }) => {
    ${OF_A_PAGE}
    await expectContractPassed(sandbox);
  });`
  }`;

// Vitest would take its own environment from the word.
const JEST = `/** ${'@jest'}-environment jsdom */
  const { startSandbox } = require('petstore-sandbox');
  const { expectContractPassed, openSandbox } = require('petstore-sandbox/testing');
  test('a request of the page, a control and a report', async () => {
    const server = await startSandbox();
    const sandbox = await openSandbox(server);
    ${OF_A_PAGE}
    expect((await server.clock.advance('P30D')).now).toBeInstanceOf(Date);
    await expectContractPassed(sandbox);
    await server.close();
  }, 60000);`;

const ENVIRONMENTS = ['node', 'jsdom', 'happy-dom'];
/** The environments in each pool: all of them where modules are loaded as usual, and in a context of their own. */
const POOLS = { forks: ENVIRONMENTS, vmThreads: ENVIRONMENTS, threads: ['jsdom'], vmForks: ['happy-dom'] };

beforeAll(async () => {
  await mkdir(join(folder, 'vitest'), { recursive: true });
  await mkdir(join(folder, 'jest'));
  await writeFile(join(folder, 'program.mjs'), PROGRAM);
  await writeFile(join(folder, 'vitest/package.json'), '{ "type": "module" }');
  const projects = Object.entries(POOLS).map(([pool, environments]) => {
    const include = environments.map((environment) => `${environment}.test.ts`);
    return { test: { name: pool, pool, include, testTimeout: limit(60_000) } };
  });
  const config = `export default { test: { projects: ${JSON.stringify(projects)} } };`;
  await writeFile(join(folder, 'vitest/vitest.config.ts'), config);
  for (const environment of ENVIRONMENTS)
    await writeFile(join(folder, `vitest/${environment}.test.ts`), vitestFile(environment));
  await writeFile(join(folder, 'jest/page.test.js'), JEST);
  const fakes = [{}, { enableGlobally: true }];
  const jest = { projects: fakes.map((fakeTimers, index) => ({ displayName: `fakes ${index}`, fakeTimers })) };
  await writeFile(join(folder, 'jest/package.json'), JSON.stringify({ jest }));
});

const USED = [200, 200, 200, false];
const PARTS: Readonly<Record<string, readonly unknown[]>> = {
  'before the import': [['before the import', true, ...USED]],
  'before the start': [
    ['before the start', true, ...USED],
    ['after the start', true, ...USED],
    ['during a request', true, 200, ...USED],
    ['at the end', true, null],
  ],
};

describe.each(Object.entries(nodes))('on Node %s', (_, node) => {
  test.each(
    ['broken', 'sinon', 'node:test'].flatMap((library) => Object.keys(PARTS).map((first) => [library, first] as const)),
  )(
    'globals are replaced by %s, first %s',
    async (library, first) => {
      const args = ['--no-warnings', 'program.mjs', library, first];
      const { code, stdout, stderr } = await run(node, args, { cwd: folder, node });
      const lines = PARTS[first]?.map((part) => `${JSON.stringify(part)}\n`) ?? [];
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: lines.join('') });
    },
    limit(60_000),
  );
});

test(
  'Vitest with fake timers, in each environment and each pool',
  async () => {
    const args = [join(tools, 'node_modules/vitest/vitest.mjs'), 'run'];
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: join(folder, 'vitest') });
    // One test where there is no page, else two.
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringContaining('14 passed (14)'),
      stderr: '',
    });
    for (const pool of Object.keys(POOLS)) expect(stdout).toContain(pool);
  },
  limit(180_000),
);

test(
  'Jest with jsdom, and with fake timers or without',
  async () => {
    const args = [join(tools, 'node_modules/jest/bin/jest.js')];
    const { code, stderr } = await run(process.execPath, args, { cwd: join(folder, 'jest') });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('2 passed, 2 total') });
  },
  limit(120_000),
);
