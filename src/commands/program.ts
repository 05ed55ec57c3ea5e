/**
 * The command line. Each command's implementation has its own file, which is imported only when the command is called,
 * so that a small command does not load the server.
 */
import { Command, CommanderError } from 'commander';
import { SettingsError } from '../settings.ts';
import { version } from '../shipped.ts';
import { SpecificationError } from '../specification-error.ts';
import { addControlCommands } from './control-commands.ts';
import { EXIT } from './exit-codes.ts';
import { addExamples, addHints } from './help.ts';
import { addLocalCommands, addWait } from './local-commands.ts';
import { addServe, SERVE_HELP } from './serve-command.ts';
import { messageOf, refuseUnknownCommand } from './wrong-use.ts';

/** All commands and flags. Help, examples and error messages are made from them. */
export function buildProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Command {
  const program = new Command('petstore-sandbox')
    .description('A stateful stand-in for the petstore service, for tests.')
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
    refuseUnknownCommand(program, args[0] === 'help' ? args.slice(1) : args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof SettingsError || error instanceof SpecificationError)
      (await import('./complain.ts')).complainOf(error);
    else if (!(error instanceof CommanderError)) throw error;
    else if (error.exitCode === 0) return;
    process.exitCode = EXIT.wrongUse;
  }
}
