/** Messages for wrong usage, where commander's own would be wrong or reveal too much. */

import type { Command } from 'commander';
import { KEY_SHAPE } from '../base/api/credential.ts';
import { isAndGiven, suggestionFor } from '../base/text.ts';
import { PREFIX } from './terminal.ts';

const commandNamed = (commands: Command, name: string): Command | undefined =>
  commands.commands.find((each) => each.name() === name);

/**
 * Rejects an unknown command, at any depth. Commander treats `genrate` as an excess argument of the default command,
 * and ignores one after `help keys`.
 */
export function rejectUnknownCommand(program: Command, names: readonly string[]): void {
  let command: Command = program;
  for (const name of names) {
    if (name.startsWith('-') || command.commands.length === 0) return;
    if (name === 'help') continue;
    const below = commandNamed(command, name);
    if (!below) {
      const known = [...command.commands.map((each) => each.name()), 'help'];
      command.error(`error: unknown command '${name}'${suggestionFor(name, known)}`);
    }
    command = below;
  }
}

/**
 * An error message of commander's as this program writes it. Commander repeats an unknown flag with its value, which
 * may be a secret: `--admin-tokn=…`.
 */
export function wrongUseMessage(text: string, program: Command, args: readonly string[]): string {
  return text
    .replace(/^error: unknown option '(--?[^=']+)(?:=.*)?'(?:\n\(Did you mean .*\))?/s, (_, flag: string) => {
      const called = calledBy(program, args);
      return `error: unknown option '${flag}'${suggestionFor(flag, flagsOf(called))}${ownFlagHint(called, args)}`;
    })
    .replace(
      /^error: option '(--[\w-]+)[^']*' argument '(.*)' is invalid\. (?:Allowed choices are (.+)\.|It must be (.+)\.)$/m,
      (_, flag: string, text: string, choices: string | undefined, form: string | undefined) =>
        `error: ${flag} ${isAndGiven(form ?? `one of ${choices}`, text, 40)}${suggestionFor(text, choices?.split(', ') ?? [])}`,
    )
    .replace(/^error: /, PREFIX)
    .replace(KEY_SHAPE, '[key]');
}

/** The command that arguments call. */
function calledBy(program: Command, args: readonly string[]): Command {
  let command = program;
  for (const name of args) {
    const below = commandNamed(command, name);
    if (!below) break;
    command = below;
  }
  return command === program ? (commandNamed(program, 'serve') ?? program) : command;
}

const flagsOf = (called: Command): string[] => ['--help', ...called.options.flatMap(({ long }) => long ?? [])];

/** Of a command that runs another one: `exec sh -c …`. */
const ownFlagHint = ({ registeredArguments }: Command, args: readonly string[]): string =>
  registeredArguments.some(({ variadic }) => variadic) && !args.includes('--')
    ? '; if it belongs to your command, put -- before that'
    : '';
