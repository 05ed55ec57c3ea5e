/** Every command of the program, as installed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packed } from './packed.ts';
import { serve, succeed } from './run.ts';

const { alone, nodes } = await packed();
const program = join(alone, 'node_modules/.bin/petstore-sandbox');

let url = '';
let key = '';
let secondId = '';
let stop: () => Promise<void>;

/** Runs the command of the project that has the package alone. */
const command = (args: readonly string[], { node = process.execPath, input = '' } = {}) =>
  succeed(program, args, { cwd: alone, environment: { SANDBOX_URL: url, SANDBOX_KEY: key }, node, input });

/** Starts a command that serves on a free port, and says where. */
async function start(...args: readonly string[]): Promise<{ url: string; stop: () => Promise<void> }> {
  const { match, stop } = await serve(program, args, /API +(http\S+)\/v1/, { cwd: alone });
  return { url: match[1] as string, stop };
}

beforeAll(async () => {
  ({ url, stop } = await start('serve', '--port', '0', '--data', join(alone, 'data')));
  ({ key } = JSON.parse(await command(['keys', 'create', '--fixture', 'empty', '--json'])));
  ({ id: secondId } = JSON.parse(await command(['keys', 'share', '--json'])));
});
afterAll(() => stop());

const client = ['--', process.execPath, '-e'];
const get = `fetch(process.env.SANDBOX_URL + '/pets', { headers: { Authorization: 'Bearer ' + process.env.SANDBOX_KEY } })`;
const fields = "'Content-Type': 'application/json', Authorization: 'Bearer ' + process.env.SANDBOX_KEY";
const post = `fetch(process.env.SANDBOX_URL + '/pets', { method: 'POST', headers: { ${fields} },
  body: JSON.stringify({ name: process.env.SANDBOX_PET_NAME, categoryId: 1 }) })`;

/** In this order: each with what it prints. A function is asked when it is its turn. */
const CASES: readonly (readonly [string, readonly string[] | (() => readonly string[]), RegExp])[] = [
  ['wait', [], /is healthy/],
  ['dashboard', [], /#\/sign-in\//],
  ['keys list', [], /./],
  ['pets generate', ['--count', '3', '--seed', '7'], /3/],
  ['snapshots save', ['three'], /three/],
  ['snapshots list', [], /three/],
  ['reset', ['--snapshot', 'three'], /./],
  ['snapshots delete', ['three'], /^/],
  ['fork', ['--json'], /petsbx_/],
  ['clock set', ['2030-12-05T00:00:00Z'], /2030-12-05/],
  ['clock advance', ['P1D'], /2030-12-06/],
  ['clock show', [], /2030-12-06/],
  ['clock reset', [], /./],
  ['faults add', ['--operation', 'listPets', '--status', '503', '--times', '1'], /503/],
  ['faults list', [], /503/],
  ['faults clear', [], /^/],
  ['requests list', ['--json'], /"requests"/],
  ['requests verify', ['--operation', 'listPets', '--at-least', '0'], /./],
  ['requests clear', [], /^/],
  ['fixtures check', [join(alone, 'node_modules/petstore-sandbox/fixtures')], /default/],
  ['fixtures list', [], /^default +12 pets/m],
  ['fixtures save', [join(alone, 'saved.json')], /saved\.json/],
  ['exec', [...client, get], /^/],
  ['drill', ['--only', 'lost-create', ...client, post], /./],
  ['conform', () => ['--url', `${url}/v1`, '--specification-only'], /./],
  ['keys revoke', () => [secondId], /^/],
  ['init', ['--runner', 'node', '--ci', 'github'], /wrote test\/petstore\.test\.mjs/],
];

/** `keys create` and `keys share` above; the others read a stream or serve, and test/commands runs them from the same bundle. */
const ELSEWHERE = ['keys create', 'keys share', 'requests show', 'requests tail', 'ready', 'mcp', 'open'];
const OF_A_REQUEST = ['report', 'preview', 'export', 'replay'];

describe('as installed, the program', () => {
  test('has a recording here for each of its commands', async () => {
    const sections = (await readFile('docs/reference/cli.md', 'utf8')).split(/^### /m).slice(1);
    const commands = sections.flatMap((section) => {
      const [name = ''] = section.split('\n', 1);
      const withNouns = [...section.matchAll(/^- `([a-z]+ [a-z]+)/gm)].map(([, each]) => each);
      return withNouns.length > 0 ? withNouns : [name];
    });
    expect([...CASES.map(([name]) => name), ...ELSEWHERE, ...OF_A_REQUEST].sort()).toEqual(commands.sort());
  });

  test('runs each of them', async () => {
    for (const [name, args, printed] of CASES) {
      const given = typeof args === 'function' ? args() : args;
      expect([name, await command([...name.split(' '), ...given])]).toEqual([name, expect.stringMatching(printed)]);
    }
  });

  test('reports on a request, and sends it again', async () => {
    // Conform and the drill sent invalid requests on purpose.
    await command(['requests', 'clear']);
    await fetch(`${url}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } });
    expect(await command(['report'])).toContain('contract check passed');
    expect(await command(['preview'])).toContain('2030-12-05');
    await command(['export', '--out', join(alone, 'recording.jsonl')]);
    expect(await command(['replay', join(alone, 'recording.jsonl')])).toMatch(/the replay is the same \(.*\b1 same/);
  });

  test('serves coding agents over its standard streams', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;
    const said = await command(['mcp'], { input });
    expect(JSON.parse(said).result.serverInfo.name).toMatch(/petstore/);
  });

  test.each(Object.entries(nodes))('serves, waits and validates on Node %s', async (_, node) => {
    const other = await command(['exec', '--start', ...client, get], { node });
    expect(other).toBe('');
    expect(await command(['wait'], { node })).toContain('is healthy');
  });
});
