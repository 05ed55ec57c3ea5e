/** The program as installed. All its commands are in one bundle, which test/cli runs: here are those that read other files of the package. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packed } from './packed.ts';
import { serve, succeed } from './run.ts';

const { alone, nodes } = await packed();
const program = join(alone, 'node_modules/.bin/petstore-sandbox');
const installed = join(alone, 'node_modules/petstore-sandbox');

let url = '';
let key = '';
let stop: () => Promise<void>;

/** Runs the command of the project that has the package alone. */
const command = (args: readonly string[], { node = process.execPath, input = '' } = {}) =>
  succeed(program, args, { cwd: alone, environment: { SANDBOX_URL: url, SANDBOX_KEY: key }, node, input });

beforeAll(async () => {
  const args = ['serve', '--port', '0', '--data', join(alone, 'data')];
  const { match, ...served } = await serve(program, args, /API +(http:\/\/[^/\s]+)\//, { cwd: alone });
  [url, stop] = [match[1] as string, served.stop];
  ({ key } = JSON.parse(await command(['keys', 'create', '--json'])));
});
afterAll(() => stop());

const get = `fetch(process.env.SANDBOX_URL + '/pets', { headers: { Authorization: 'Bearer ' + process.env.SANDBOX_KEY } })`;
const client = ['--', process.execPath, '-e', `${get}.then(({ ok }) => process.exit(ok ? 0 : 1))`];
const recording = join(alone, 'recording.jsonl');
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

/** In this order: each with what it prints, and what it reads. */
const CASES: readonly (readonly [args: readonly string[], printed: RegExp, input?: string])[] = [
  [['wait'], /is healthy/],
  [['pets', 'generate', '--count', '3'], /3/],
  [['fixtures', 'list'], /^default +12 pets/m],
  [['fixtures', 'check', join(installed, 'fixtures')], /default/],
  [['exec', '--start', ...client], /^$/],
  [['drill', '--start', '--only', 'outage', ...client], /drills passed/],
  [['report'], /contract check passed/],
  [['preview', '--spec', join(installed, 'spec/openapi.yaml')], /preview passed/],
  [['export', '--out', recording], /^/],
  [['preview', '--in', recording], /2030-12-05/],
  [['mcp'], /"name":"petstore/, `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`],
];

describe('as installed, the program', () => {
  test('runs each of them', async () => {
    await fetch(`${url}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } });
    for (const [args, printed, input = ''] of CASES)
      expect([args, await command(args, { input })]).toEqual([args, expect.stringMatching(printed)]);
    expect(await (await fetch(`${url}/`)).text()).toContain('<script');
  });

  test.each(Object.entries(nodes))('serves, waits and validates on Node %s', async (_, node) => {
    expect(await command(['exec', '--start', ...client], { node })).toBe('');
    expect(await command(['wait'], { node })).toContain('is healthy');
  });
});
