/** docs/reference/cli.md: it names every command with every flag, and none that there is not. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram, pathOf } from '../../src/commands/program.ts';

const SHARED = ['--url', '--key', '--admin-token', '--sandbox', '--json', '--cacert', '--help'];

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
const commands = new Map(leavesOf(buildProgram([], {})).map((command) => [pathOf(command), command]));

const page = await readFile('docs/reference/cli.md', 'utf8');
const sections = new Map(
  [...page.matchAll(/^### `(.+)`\n((?:(?!^#)[\s\S])*)/gm)].map(([, name = '', text = '']) => [name, text]),
);

it('has a section for every command', () => {
  expect([...sections.keys()].sort()).toEqual([...commands.keys()].sort());
});

// `serve` has a page of its own.
it.each([...sections].filter(([command]) => command !== 'serve'))(
  'names the flags of %s, and no others',
  (name, text) => {
    const [, options = ''] = commands.get(name)?.helpInformation().split('\nOptions:\n') ?? [];
    const flags = [...(options.split('\n\n')[0] ?? '').matchAll(/^ {2}(?:-\w, )?(--[a-z0-9-]+)/gm)].map(
      ([, flag]) => flag,
    );
    const named = [...text.matchAll(/`(--[a-z0-9-]+)`/g)].map(([, flag]) => flag);
    const own = flags.filter((flag = '') => !SHARED.includes(flag));
    expect([...new Set(named)].sort()).toEqual(own.sort());
  },
);
