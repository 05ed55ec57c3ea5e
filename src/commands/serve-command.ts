/** `serve`, the default command: its flags are the settings. */
import { type Command, Option } from 'commander';
import { readLevel } from '../server/config.ts';
import { defaultInHelp, SETTINGS } from '../server/settings.ts';
import { rejectArguments } from './wrong-use.ts';

/**
 * The settings that most people need, for the help of the program: otherwise the default command's flags appear only in
 * its own help.
 */
export const SERVE_HELP = [
  '',
  'Flags of serve, the default command; serve --help lists all of them:',
  ...(['port', 'data', 'memory', 'fixtures', 'fixture', 'keys', 'adminToken', 'host', 'logFormat'] as const).map(
    (name) => {
      const { flag, help } = SETTINGS[name];
      const byDefault = defaultInHelp(SETTINGS[name]);
      return `  ${flag.padEnd(27)}  ${help}${byDefault === undefined ? '' : ` (default: ${byDefault})`}`;
    },
  ),
].join('\n');

/** @param isNamed whether the command was named; otherwise it is the default */
export function addServe(program: Command, environment: NodeJS.ProcessEnv, isNamed: boolean): void {
  const command = program.command('serve', { isDefault: true }).description('run the sandbox (the default command)');
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const { flag, variable, help, many } = setting;
    const byDefault = defaultInHelp(setting);
    const notes = [`env: ${variable}`, ...(byDefault === undefined ? [] : [`default: ${byDefault}`])];
    const option = new Option(flag, `${help} (${notes.join('; ')})`);
    // Commander names an option after its flag; the table has its own names.
    option.attributeName = () => name;
    if (many) option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
    command.addOption(option);
  }
  // An unknown command is an argument of the default one.
  command.allowExcessArguments();
  command.action(async (values: Record<string, unknown>) => {
    rejectArguments(program, command, isNamed);
    const { serve } = await import('./serve.ts');
    await serve(
      readLevel(values, ({ flag }) => flag.split(' ')[0] as string),
      environment,
    );
  });
}
