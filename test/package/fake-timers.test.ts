/** The package in a process whose globals a test has replaced. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { limit } from '../support/slow.ts';
import { run } from './run.ts';

const { tools, nodes } = inject('packed');
const folder = join(tools, 'fakes');

/** What each test does: a request, a control, a report. The request takes `http`, which no environment replaces. */
const STEPS = `
  const get = ({ url, key }, headers = {}) => new Promise((resolve, reject) => {
    const options = { headers: { Authorization: 'Bearer ' + key, ...headers } };
    http.get(url + '/pets?limit=1', options, (response) => response.resume().on('end', () => resolve(response.statusCode))).on('error', reject);
  });
  const DELAYED = { 'Sandbox-Fault': 'delay=100' };`;

/** Replaces globals at a moment of a program. What the moments have in common is that the server does not notice. */
const PROGRAM = `
  import http from 'node:http';
  const [, , moment, library] = process.argv;
  const BROKEN = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate',
    'Date', 'performance', 'Intl', 'AbortController', 'AbortSignal', 'fetch', 'Request', 'Response', 'Headers', 'TextDecoder',
    'TextEncoder', 'structuredClone', 'crypto', 'URL', 'URLSearchParams', 'Event', 'EventTarget', 'MessageChannel',
    'ReadableStream', 'Blob', 'queueMicrotask'];
  const replace = {
    broken: () => {
      for (const name of BROKEN) {
        const value = function broken() { return {}; };
        Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
      }
    },
    sinon: async () => (await import('sinon')).default.useFakeTimers({ now: 0, toNotFake: ['nextTick', 'queueMicrotask'] }),
    'node:test': async () => (await import('node:test')).mock.timers.enable({ now: 0 }),
  }[library];
  const at = async (now) => { if (now === moment) await replace(); };
  ${STEPS}
  await at('before the import');
  const { startSandbox } = await import('petstore-sandbox');
  const { expectContractPassed, openSandbox } = await import('petstore-sandbox/testing');
  await at('before the start');
  const server = await startSandbox();
  await at('after the start');
  const seen = [await get(server)];
  const delayed = get(server, DELAYED);
  await at('during a request');
  seen.push(await delayed, await get(server, DELAYED));
  await server.clock.advance('P30D');
  const sandbox = await openSandbox(server);
  seen.push(await get(sandbox));
  await expectContractPassed(sandbox);
  await sandbox.end();
  const [{ at: time }] = await server.requests();
  await at('at the end');
  await server.close();
  process._rawDebug(JSON.stringify([...seen, time < '2001']));`;

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
  test('fake before the import', async () => {
    vi.useFakeTimers({ now: 0 });
    vi.resetModules();
    const { startSandbox } = await import('petstore-sandbox');
    const server = await startSandbox();
    expect(await get(server)).toBe(200);
    expect((await server.clock.advance('P30D')).now).toBeInstanceOf(Date);
    expect(vi.getTimerCount()).toBe(0);
    await server.close();
  });
  ${
    environment === 'node'
      ? ''
      : `test('a page of the environment sends a request', async ({ sandbox }) => {
    const status = await new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('GET', sandbox.url + '/pets?limit=1');
      request.setRequestHeader('Authorization', 'Bearer ' + sandbox.key);
      request.onload = () => resolve(request.status);
      request.onerror = () => reject(new Error('blocked'));
      request.send();
    });
    expect(status).toBe(200);
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
    const status = await new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('GET', sandbox.url + '/pets?limit=1');
      request.setRequestHeader('Authorization', 'Bearer ' + sandbox.key);
      request.onload = () => resolve(request.status);
      request.onerror = () => reject(new Error('blocked'));
      request.send();
    });
    expect(status).toBe(200);
    expect((await server.clock.advance('P30D')).now).toBeInstanceOf(Date);
    await expectContractPassed(sandbox);
    await server.close();
  }, 60000);`;

const ENVIRONMENTS = ['node', 'jsdom', 'happy-dom'];

beforeAll(async () => {
  await mkdir(join(folder, 'vitest'), { recursive: true });
  await mkdir(join(folder, 'jest'));
  await writeFile(join(folder, 'program.mjs'), PROGRAM);
  await writeFile(join(folder, 'vitest/package.json'), '{ "type": "module" }');
  const config = `export default { test: { testTimeout: ${limit(60_000)} } };`;
  await writeFile(join(folder, 'vitest/vitest.config.ts'), config);
  for (const environment of ENVIRONMENTS)
    await writeFile(join(folder, `vitest/${environment}.test.ts`), vitestFile(environment));
  await writeFile(join(folder, 'jest/page.test.js'), JEST);
});

describe.each(Object.entries(nodes))('on Node %s', (_, node) => {
  test.each(
    ['broken', 'sinon', 'node:test'].flatMap((library) =>
      ['before the import', 'before the start', 'after the start', 'during a request', 'at the end'].map((moment) => [
        library,
        moment,
      ]),
    ),
  )(
    'globals are replaced by %s %s',
    async (library, moment) => {
      const args = ['--no-warnings', 'program.mjs', moment as string, library as string];
      const { code, stdout, stderr } = await run(node, args, { cwd: folder, node });
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '[200,200,200,200,false]\n' });
    },
    limit(60_000),
  );
});

test.each(['forks', 'threads', 'vmThreads', 'vmForks'])(
  'Vitest with fake timers, in each environment and the pool %s',
  async (pool) => {
    const args = [join(tools, 'node_modules/vitest/vitest.mjs'), 'run', '--pool', pool];
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: join(folder, 'vitest') });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining('8 passed'), stderr: '' });
  },
  limit(180_000),
);

test.each(['{}', '{ "enableGlobally": true }'])(
  'Jest with jsdom, and fake timers %s',
  async (fakeTimers) => {
    await writeFile(join(folder, 'jest/package.json'), `{ "jest": { "fakeTimers": ${fakeTimers} } }`);
    const args = [join(tools, 'node_modules/jest/bin/jest.js')];
    const { code, stderr } = await run(process.execPath, args, { cwd: join(folder, 'jest') });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('1 passed, 1 total') });
  },
  limit(120_000),
);
