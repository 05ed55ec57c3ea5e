/** docs/cli.md: it names every command with every flag, and none that there is not; its lines work when pasted. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { CLI, runProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const page = await readFile('docs/cli.md', 'utf8');
const SHARED = ['--url', '--key', '--admin-token', '--sandbox', '--json', '--cacert', '--help'];

/** The lines of a help text under a heading. */
const helpLines = (help: string, heading: string): string[] =>
  (help.split(`\n${heading}:\n`)[1]?.split('\n\n')[0] ?? '').split('\n');

/** The commands below a command, by their names. */
async function commandsBelow(...path: string[]): Promise<string[]> {
  const { stdout } = await runProgram([...path, '--help']);
  const names = helpLines(stdout, 'Commands').flatMap((line) => /^ {2}(\S+)/.exec(line)?.[1] ?? []);
  const below = await Promise.all(names.filter((name) => name !== 'help').map((name) => commandsBelow(...path, name)));
  return below.length === 0 ? [path.join(' ')] : below.flat();
}

const sections = new Map(
  [...page.matchAll(/^### `(.+)`\n((?:(?!^#)[\s\S])*)/gm)].map(([, name = '', text = '']) => [name, text]),
);

it(
  'has a section for every command',
  async () => {
    expect([...sections.keys()].sort()).toEqual((await commandsBelow()).sort());
  },
  limit(60_000),
);

it(
  'names the flags of each command, and no others',
  async () => {
    for (const [command, text] of sections) {
      if (command === 'serve') continue;
      const { stdout } = await runProgram([...command.split(' '), '--help']);
      const flags = helpLines(stdout, 'Options').flatMap((line) => /^ {2}(?:-\w, )?(--[a-z-]+)/.exec(line)?.[1] ?? []);
      const own = flags.filter((flag) => !SHARED.includes(flag));
      const named = [...text.matchAll(/`(--[a-z-]+)`/g)].map(([, flag]) => flag);
      expect([command, [...new Set(named)].sort()]).toEqual([command, own.sort()]);
    }
  },
  limit(60_000),
);

it(
  'works when pasted',
  async () => {
    const server = await startTestServer();
    const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
    const program = `petstore-sandbox() { '${process.execPath}' '${CLI}' "$@"; }`;
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', [program, ...blocks].join('\n')],
      {
        cwd: folder,
        env: { PATH: process.env['PATH'], SANDBOX_URL: server.url },
      },
    );
    expect(stdout).toContain('saved twenty: 20 pets');
    expect(stdout).toContain('to snapshot twenty: 20 pets, next id 21');
    expect(stderr).toMatch(/^contract check passed\n/);
    expect(await readFile(join(folder, 'contract.xml'), 'utf8')).toContain('<testsuites');
  },
  limit(60_000),
);
