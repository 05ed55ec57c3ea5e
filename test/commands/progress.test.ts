/** The line on a terminal that says how far a command is. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { StatusLine } from '../../src/commands/terminal.ts';
import { CLI } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

/** Moves to the beginning of the line, and clears it; shown as « here. */
const CLEAR = '\r\u001b[K';
const readable = (text: string): string => text.replaceAll(CLEAR, '«');

/** A stream that remembers what was written. */
function stream(isTTY: boolean): { to: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  return { to: { isTTY, columns: 20, write: (text: string) => written.push(text) } as never, written };
}

it('fits the terminal, replaces itself, and is cleared once', () => {
  const { to, written } = stream(true);
  const line = new StatusLine({}, to);
  line.show('check 1 of 100: a\u0007 long name');
  line.show('check 2 of 100');
  line.clear();
  line.clear();
  expect(written.map(readable)).toEqual(['«check 1 of 100: a\\u', '«check 2 of 100', '«']);
});

it.each([
  ['a file', false, {}],
  ['CI', true, { CI: 'true' }],
  ['a terminal that cannot move back', true, { TERM: 'dumb' }],
] as const)('nothing is written to %s', async (_, isTTY, environment) => {
  const { to, written } = stream(isTTY);
  const line = new StatusLine(environment, to);
  line.show('check 1 of 100');
  expect(await line.during('adding pets', Promise.resolve(7))).toBe(7);
  line.clear();
  expect(written).toEqual([]);
});

it('work that takes long shows its seconds, until it is done', { timeout: limit(10_000) }, async () => {
  const { to, written } = stream(true);
  const line = new StatusLine({}, to);
  const shown = new Promise<void>((resolve) => {
    to.write = ((text: string) => {
      written.push(text);
      resolve();
      return true;
    }) as never;
  });
  await line.during('adding pets', shown);
  expect(readable(written.join(''))).toMatch(/^(?:«adding pets, \d+ s)+«$/);
});

/** What a call prints on a pseudo terminal. */
const printed = async (call: string, environment: Record<string, string>): Promise<string> => {
  const env = { PATH: process.env['PATH'], TERM: 'xterm', ...environment };
  return (await promisify(execFile)('script', ['-qec', call, '/dev/null'], { env })).stdout;
};

const hasScript = spawnSync('script', ['--version']).status === 0;

it.skipIf(!hasScript)('conform shows it on a pseudo terminal', { timeout: limit(30_000) }, async () => {
  const server = await startTestServer();
  const { key = '' } = await server.sandbox();
  const call = `'${process.execPath}' '${CLI}' conform --url ${server.url}/v1 --specification-only`;
  const run = (environment: Record<string, string>): Promise<string> =>
    printed(call, { SANDBOX_KEY: key, ...environment });
  expect(readable(await run({}))).toMatch(/«check 1 of \d+: .*«[^«]*conforms/s);
  expect(await run({ CI: 'true' })).not.toContain(CLEAR);
});
