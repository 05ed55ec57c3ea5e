/** The line on a terminal that says how far a command is. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { during } from '../../src/cli/terminal.ts';
import { Program } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

/** Moves to the beginning of the line, and clears it; shown as « here. */
const CLEAR = '\r\u001b[K';
const readable = (text: string): string => text.replaceAll(CLEAR, '«');

/** A stream that remembers what was written. */
function stream(isTTY: boolean): { to: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  return { to: { isTTY, write: (text: string) => written.push(text) } as never, written };
}

it.each([
  ['a file', false, {}],
  ['CI', true, { CI: 'true' }],
  ['a terminal that cannot move back', true, { TERM: 'dumb' }],
] as const)('nothing is written to %s', async (_, isTTY, environment) => {
  const { to, written } = stream(isTTY);
  expect(await during('adding pets', sleep(1_100, 7), environment, to)).toBe(7);
  expect(written).toEqual([]);
});

it('work that takes long shows its seconds, until it is done', { timeout: limit(10_000) }, async () => {
  const { to, written } = stream(true);
  const shown = expect.poll(() => written.length, { interval: 10, timeout: limit(10_000) }).toBeGreaterThan(0);
  await during('adding pets', Promise.resolve(shown), {}, to);
  expect(readable(written.join(''))).toMatch(/^(?:«adding pets, \d+ s)+«$/);
});

const hasScript = spawnSync('script', ['--version']).status === 0;

it.skipIf(!hasScript)('reset on a terminal says whether and how to undo it', { timeout: limit(30_000) }, async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm', SANDBOX_KEY: client.key ?? '' };
  const reset = async (...flags: string[]): Promise<string> => {
    const program = new Program(['reset', '--url', server.url, ...flags], { onTerminal: true, env });
    await program.ended();
    return program.stdout;
  };
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const [, undo = ''] =
    /next id 13\r?\nto undo it .*--snapshot (undo-\d+)\r?\n/.exec(await reset('--fixture', 'default')) ?? [];
  expect(await reset('--snapshot', undo)).toMatch(/: 13 pets, next id 14/);
  while ((await client.post('/_sandbox/snapshots', { name: `s${randomUUID()}` })).status === 201);
  expect(await reset()).toContain('it cannot be undone: there is no room for a snapshot');
});
