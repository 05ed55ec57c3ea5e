/** The examples of `--help`: the program's own parser takes each of them. */
import type { Command } from 'commander';
import { beforeAll, expect, it } from 'vitest';
import { EXAMPLES } from '../../src/commands/examples.ts';
import { buildProgram, pathOf } from '../../src/commands/program.ts';
import { runProgram } from '../support/program.ts';

const commandsFrom = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsFrom)];

const paths = commandsFrom(buildProgram([], {})).map(pathOf);

/** The arguments of a line's call of the program. */
const argumentsOf = (line: string): string[] => {
  const [, call = ''] = /petstore-sandbox ([^)|]*)/.exec(line) ?? [];
  return (call.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1'));
};

/** The command that is called with these arguments, which does not run. */
async function called(args: readonly string[]): Promise<string | undefined> {
  const program = buildProgram(args, {});
  let path: string | undefined;
  for (const command of commandsFrom(program)) {
    command.configureOutput({ writeErr: () => undefined });
    if (command.commands.length > 0) continue;
    command.action(() => {
      path = pathOf(command);
    });
  }
  await program.parseAsync(args, { from: 'user' });
  return path;
}

beforeAll(() => {
  // Each `--out` of an example names a file in the present folder, where the check of `--out` finds no fault.
  expect(Object.values(EXAMPLES).flat().join('\n')).not.toMatch(/--out \S*\//);
});

it('every command has two or three, and no other has', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual([...paths].sort());
  for (const examples of Object.values(EXAMPLES)) expect([2, 3]).toContain(examples.length);
});

it('each is a call that the parser takes, and the first calls the command itself', async () => {
  for (const [path, examples] of Object.entries(EXAMPLES)) {
    for (const [at, [about, line]] of examples.entries()) {
      const command = await called(argumentsOf(line));
      expect([line, command]).toEqual([line, expect.stringMatching(at === 0 ? `^${path}` : /./)]);
      expect(about).not.toBe('');
    }
  }
  await expect(called(argumentsOf('petstore-sandbox keys create --lable x'))).rejects.toThrow(/--lable/);
});

it('--help shows them below the flags', async () => {
  const { stdout } = await runProgram(['keys', 'create', '--help']);
  expect(stdout).toContain(
    '\nExamples:\n  # Create a key and keep it in a variable\n  export SANDBOX_KEY=$(petstore-sandbox keys create --quiet)\n',
  );
});
