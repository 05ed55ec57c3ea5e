/** Adds the examples to the help of every command. */
import type { Command } from 'commander';
import { EXAMPLES } from './examples.ts';

/** The name of a command below the program: `keys create`; empty for the program itself. */
export const pathOf = (command: Command): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();

/** Adds examples to a command and to all below it, and the line that follows an error. */
export function addExamples(command: Command): void {
  const path = pathOf(command);
  command.addHelpText('after', examplesText(EXAMPLES[path] ?? []));
  command.showHelpAfterError(`See ${`petstore-sandbox ${path}`.trim()} --help.`);
  for (const below of command.commands) addExamples(below);
}

const examplesText = (examples: (typeof EXAMPLES)[string]): string =>
  ['', 'Examples:', ...examples.flatMap(([about, line]) => [`  # ${about}`, `  ${line}`])].join('\n');
