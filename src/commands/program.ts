/** The command line: commands and flags. */
import { Command, CommanderError, Option } from 'commander';
import { readLevel, SETTINGS, SettingsError } from '../config.ts';
import { version } from '../shipped.ts';
import { serve } from './serve.ts';

/** Runs the program for these arguments; sets the exit code. 2: it was called wrongly. */
export async function runProgram(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const program = new Command('petstore-sandbox')
    .description('A stateful stand-in for the petstore service, for tests.')
    .version(version)
    .showHelpAfterError('(--help lists the commands and flags)')
    .exitOverride();
  addServe(program, environment);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  }
}

function addServe(program: Command, environment: NodeJS.ProcessEnv): void {
  const command = program.command('serve', { isDefault: true }).description('run the sandbox (the default command)');
  for (const [name, { flag, variable, help, many, default: byDefault }] of Object.entries(SETTINGS)) {
    const notes = [`env: ${variable}`, ...(byDefault === undefined ? [] : [`default: ${byDefault}`])];
    const option = new Option(flag, `${help} (${notes.join('; ')})`);
    // Commander names an option after its flag; the table's names are ours.
    option.attributeName = () => name;
    if (many) option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
    command.addOption(option);
  }
  command.action(async (values: Record<string, unknown>) => {
    try {
      await serve(
        readLevel(values, ({ flag }) => flag.split(' ')[0] as string),
        environment,
      );
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      process.stderr.write(`petstore-sandbox: ${error.message}\n`);
      process.exitCode = 2;
    }
  });
}
