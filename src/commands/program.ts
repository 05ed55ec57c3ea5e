/**
 * The command line. Each command's implementation has its own file, which is imported only when the command is called,
 * so that a small command does not load the server.
 */
import { Command, CommanderError } from 'commander';
import { SpecificationError } from '../core/errors.ts';
import { version } from '../core/shipped.ts';
import { SettingsError } from '../server/settings.ts';
import { addControlCommands } from './control-commands.ts';
import { addLocalCommands, addWait } from './local-commands.ts';
import { EXIT } from './problems.ts';
import { addServe, SERVE_HELP } from './serve-command.ts';
import { messageOf, rejectUnknownCommand } from './wrong-use.ts';

/** All commands and flags. Help, examples and error messages are made from them. */
export function buildProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Command {
  const program = new Command('petstore-sandbox')
    .description('A stateful mock server for the petstore service, for tests.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureOutput({ outputError: (text, write) => write(messageOf(text, program, args)) })
    .exitOverride()
    .hook('preAction', async (_, command) => {
      const { out } = command.opts<{ out?: string }>();
      if (out !== undefined) await (await import('./write-out.ts')).checkOut(out);
    });
  addServe(program, environment, args[0] === 'serve');
  addWait(program, environment);
  addControlCommands(program, environment);
  addLocalCommands(program, environment);
  addHints(program);
  return program;
}

/** Runs the program for these arguments; sets the exit code. 2: wrong usage. */
export async function runProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const program = buildProgram(args, environment);
  await addExamples(program, args);
  program.addHelpText('after', SERVE_HELP);
  try {
    rejectUnknownCommand(program, args[0] === 'help' ? args.slice(1) : args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof SettingsError || error instanceof SpecificationError)
      (await import('./problems.ts')).complainOf(error);
    else if (!(error instanceof CommanderError)) throw error;
    else if (error.exitCode === 0) return;
    process.exitCode = EXIT.wrongUse;
  }
}

/** The name of a command below the program: `keys create`; empty for the program itself. */
export const pathOf = (command: Command): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();

/** Adds the line that follows an error, to a command and to all below it. */
function addHints(command: Command): void {
  command.showHelpAfterError(`See ${`petstore-sandbox ${pathOf(command)}`.trim()} --help.`);
  for (const below of command.commands) addHints(below);
}

/** Adds the examples, if these arguments ask for help: other calls need not load them. */
async function addExamples(program: Command, args: readonly string[]): Promise<void> {
  const [name] = args;
  const isGroup = program.commands.some((each) => each.name() === name && each.commands.length > 0);
  const asks = args.some((each) => ['help', '--help', '-h'].includes(each)) || (isGroup && args.length === 1);
  if (!asks) return;
  const { EXAMPLES } = await import('./examples.ts');
  const add = (command: Command): void => {
    command.addHelpText('after', examplesText(EXAMPLES[pathOf(command)] ?? []));
    for (const below of command.commands) add(below);
  };
  add(program);
}

const examplesText = (examples: readonly (readonly [string, string])[]): string =>
  ['', 'Examples:', ...examples.flatMap(([about, line]) => [`  # ${about}`, `  ${line}`])].join('\n');
