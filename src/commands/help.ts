/** What the help of every command shows below its flags. */
import type { Command } from 'commander';

/** The name of a command below the program: `keys create`; empty for the program itself. */
export const pathOf = (command: Command): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();

/** Adds the line that follows an error, to a command and to all below it. */
export function addHints(command: Command): void {
  command.showHelpAfterError(`See ${`petstore-sandbox ${pathOf(command)}`.trim()} --help.`);
  for (const below of command.commands) addHints(below);
}

/** Adds the examples, if these arguments ask for help: other calls need not load them. */
export async function addExamples(program: Command, args: readonly string[]): Promise<void> {
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
