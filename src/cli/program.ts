/** The command line: makes the commands of the table, with their help, and runs the one that is called. */

import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { SpecificationError } from '../base/api/errors.ts';
import { readFieldText } from '../base/api/fault-text.ts';
import { controlFields } from '../base/generated/facts.ts';
import { ownCommand } from '../base/own-command.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { version } from '../base/shipped.ts';
import type { Call, Command as Row } from './command.ts';
import type { Flag } from './flags.ts';
import { COMMANDS, EXAMPLES, FIRST, GROUPS } from './table.ts';
import { checkOut, complainOf, EXIT, screenBehind } from './terminal.ts';
import { rejectUnknownCommand, wrongUseMessage } from './wrong-use.ts';

/** Runs the program for these arguments; sets the exit code. 2: wrong usage. */
export async function runProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const program = buildProgram(args, environment);
  try {
    rejectUnknownCommand(program, args[0] === 'help' ? args.slice(1) : args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof SettingsError || error instanceof SpecificationError) complainOf(error);
    else if (!(error instanceof CommanderError)) throw error;
    else if (error.exitCode === 0) return;
    process.exitCode = EXIT.wrongUse;
  }
}

/** All commands and flags. Help, examples and error messages are made from them. */
export function buildProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Command {
  const program = new Command(ownCommand('').trim())
    .description('A stateful mock server for the petstore service, for tests.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureOutput({
      getOutHelpWidth: () => screenBehind(process.stdout).width,
      outputError: (text, write) => write(wrongUseMessage(text, program, args)),
    })
    .exitOverride();
  addHelp(program, EXAMPLES);
  for (const row of COMMANDS) {
    const [name = '', below] = row.name.split(' ');
    const parent = below === undefined ? program : groupOf(program, name);
    const command = parent
      .command(below ?? name, { isDefault: name === 'serve' })
      .summary(row.summary)
      .description([row.summary, row.about ?? []].flat().join('\n\n'));
    if (below === undefined) command.helpGroup(helpGroupOf(name));
    for (const [form, help] of row.arguments ?? []) command.addArgument(new Argument(form, help));
    for (const [flag, about] of Object.entries(row.flags)) command.addOption(optionOf(flag, about, row));
    addHelp(command, row.examples);
    command.hook('preAction', () => check(command));
    command.action(async () => {
      const code = await run(row, { flags: command.opts(), args: command.args, environment });
      if (code !== undefined) process.exitCode = code;
    });
  }
  return program;
}

async function run(row: Row, call: Pick<Call, 'flags' | 'args' | 'environment'>): Promise<number | undefined> {
  const isOffline = row.offline?.some((name) => (call.flags as Record<string, unknown>)[name] !== undefined) ?? false;
  if (row.as === undefined || isOffline) return row.run(call as Call);
  return (await import('./connection.ts')).runConnected(row, call);
}

/** Where the help of the program shows a command. */
const helpGroupOf = (name: string): string => (FIRST.includes(name) ? 'Commands:' : 'More commands:');

/** The name of a command below the program: `keys create`; empty for the program itself. */
export const commandPathOf = (command: Command): string =>
  command.parent === null ? '' : `${commandPathOf(command.parent)} ${command.name()}`.trim();

/** The command above others: `keys`. Its help shows the first example of each. */
function groupOf(program: Command, name: string): Command {
  const found = program.commands.find((each) => each.name() === name);
  if (found) return found;
  const below = COMMANDS.filter((row) => row.name.startsWith(`${name} `));
  const group = program
    .command(name)
    .description(GROUPS[name] ?? '')
    .helpGroup(helpGroupOf(name));
  addHelp(
    group,
    below.flatMap(({ examples }) => examples.slice(0, 1)),
  );
  return group;
}

/** Adds the examples to the help of a command, and the line that follows an error. */
function addHelp(command: Command, examples: Row['examples']): void {
  const lines = examples.flatMap(([about, line]) => [
    `  # ${about}`,
    `  ${line.replace('petstore-sandbox ', ownCommand(''))}`,
  ]);
  command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
  command.showHelpAfterError(`See ${ownCommand(`${commandPathOf(command)} --help`.trim())}.`);
}

/** What the specification says of the flag, if it is a field of the command's control. */
const controlFieldOf = (name: string, { control }: Row) =>
  (controlFields as Readonly<Record<string, Readonly<Record<string, ControlField>>>>)[control ?? '']?.[name];

interface ControlField {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
}

function optionOf(name: string, flag: Flag, row: Row): Option {
  const field = controlFieldOf(name, row);
  const option = new Option(flag.flag, flag.help).conflicts([...(flag.conflicts ?? [])]);
  // Commander names an option after its flag; the table has its own names.
  option.attributeName = () => name;
  option.makeOptionMandatory(field?.required ?? false);
  const choices = flag.choices ?? field?.enum;
  if (choices) return option.choices(choices);
  if (flag.default !== undefined) option.default(flag.default);
  const read = (text: string): unknown => readText(text, flag, flag.type ? flag : field);
  if (flag.many) option.argParser((text: string, before: readonly unknown[] = []) => [...before, read(text)]);
  else if (option.required) option.argParser(read);
  return option;
}

/** The words for the types of fields, and for the placeholders of flags. */
const FORMS: Readonly<Record<string, string>> = {
  integer: 'an integer',
  number: 'a number like 0.2',
  file: 'a file',
  dir: 'a directory',
};

function readText(text: string, flag: Flag, { type, properties = {} }: ControlField = {}): unknown {
  const { from = -Infinity, to = Infinity, pattern = /^/ } = flag;
  const value = readFieldText({ ...(type && { type }), properties }, text);
  const [, placeholder = ''] = /<(.*)>/.exec(flag.flag) ?? [];
  const isBlankPath = (placeholder === 'file' || placeholder === 'dir') && text.trim() === '';
  const isWithin = !(Number(value) < from || Number(value) > to);
  if (value !== undefined && isWithin && !isBlankPath && pattern.test(text)) return value;
  const range = flag.from === undefined ? '' : flag.to === undefined ? `, ${from} or more` : `, from ${from} to ${to}`;
  throw new InvalidArgumentError(`It must be ${flag.form ?? FORMS[type ?? placeholder] ?? placeholder}${range}.`);
}

/** Checks what commander does not, before the command runs. */
async function check(command: Command): Promise<void> {
  const values = command.opts();
  // Usually from an unset variable: `exec -- "$TESTS"`.
  if (command.args[0] === '')
    command.error(`error: argument '${command.registeredArguments[0]?.name()}' is empty; give a value`);
  if (values['out'] !== undefined) await checkOut(values['out']);
}
