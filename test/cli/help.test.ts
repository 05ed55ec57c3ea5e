/** The command table: every row is complete, and the program's own parser takes its examples. */
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { controlFields, faultFields } from '../../src/base/generated/facts.ts';
import { buildProgram, commandPathOf } from '../../src/cli/program.ts';
import { COMMANDS, EXAMPLES, FIRST, GROUPS } from '../../src/cli/table.ts';
import { runInProcess } from '../support/in-process.ts';

const commandsFrom = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsFrom)];

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
      path = commandPathOf(command);
    });
  }
  await program.parseAsync(args, { from: 'user' });
  return path;
}

it('each example is a call that the parser takes, and the first calls the command itself', async () => {
  // Each `--out` names a file in the present folder, where the check of `--out` finds no fault.
  for (const { name, examples } of [{ name: '', examples: EXAMPLES }, ...COMMANDS]) {
    expect([name, [2, 3].includes(examples.length)]).toEqual([name, true]);
    for (const [at, [about, line]] of examples.entries()) {
      const command = await called(argumentsOf(line));
      expect([line, command]).toEqual([line, at === 0 && name !== '' ? name : expect.stringMatching(/./)]);
      expect(about).not.toBe('');
    }
  }
  await expect(called(argumentsOf('petstore-sandbox keys create --lable x'))).rejects.toThrow(/--lable/);
});

it('every row has a summary and helps of its flags, and every group has a summary and a command', () => {
  for (const { name, summary, flags } of COMMANDS)
    for (const text of [summary, ...Object.values(flags).map(({ help }) => help)])
      expect([name, text]).toEqual([name, expect.stringMatching(/^[\w'].{7}/)]);
  const groups = COMMANDS.flatMap(({ name }) => (name.includes(' ') ? name.split(' ').slice(0, 1) : []));
  expect(Object.keys(GROUPS).sort()).toEqual([...new Set(groups)].sort());
});

it('a row that names a control has flags for its fields, of the type and with the values of the specification', () => {
  const program = buildProgram([], {});
  for (const { name, control, flags } of COMMANDS.filter((row) => row.control !== undefined)) {
    const fields: Record<string, { type?: string; enum?: readonly string[] }> =
      controlFields[control as keyof typeof controlFields];
    const options = commandsFrom(program).find((each) => commandPathOf(each) === name)?.options ?? [];
    const found = Object.keys(flags).filter((flag) => Object.hasOwn(fields, flag));
    expect(found, name).not.toEqual([]);
    for (const flag of found) {
      const option = options.find((each) => each.attributeName() === flag);
      expect([name, flag, option?.isBoolean()]).toEqual([name, flag, fields[flag]?.type === 'boolean']);
      expect([name, flag, option?.argChoices]).toEqual([name, flag, fields[flag]?.enum]);
    }
  }
});

it('faults add has a flag for every field of a rule', () => {
  const flags = COMMANDS.find(({ name }) => name === 'faults add')?.flags ?? {};
  expect(faultFields.filter((field) => !Object.hasOwn(flags, field))).toEqual([]);
});

it('the help shows every command, five of them first', async () => {
  const { stdout } = await runInProcess(['--help']);
  const shownIn = (part = '') => [...part.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, name]) => name);
  const [, first, others] = stdout.split(/^(?:More commands|Commands|Examples):$/m);
  expect(shownIn(first).sort()).toEqual([...FIRST, 'help'].sort());
  const known = new Set(COMMANDS.map(({ name }) => name.split(' ')[0]));
  expect(new Set(shownIn(first).concat(shownIn(others)))).toEqual(known.add('help'));
});
