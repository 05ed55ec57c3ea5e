/** What can follow each command, for the completion of shells: read from the program itself. */
import type { Command, Option } from 'commander';
import { SETTINGS } from '../../settings.ts';
import { pathOf } from '../help.ts';

/** The values that a flag or an argument takes: a closed list, or a kind that the shell completes. */
export type Values = readonly string[] | 'file' | 'directory' | 'command' | 'text';

export interface Flag {
  readonly name: string;
  readonly about: string;
  /** `undefined`: a switch. */
  readonly values: Values | undefined;
}

/** What can follow one command. */
export interface Completions {
  /** `keys create`; empty for the program itself, which also has the flags of its default command. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly flags: readonly Flag[];
  /** The first positional argument; `command`: what follows `--`. */
  readonly argument: Values | undefined;
}

/** One entry for the program and for each command below it. */
export function completionsOf(command: Command): Completions[] {
  const help = command.createHelp();
  const path = pathOf(command);
  const flags = help.visibleOptions(command).flatMap(flagOf);
  const byDefault = path === '' ? command.commands.find((each) => each.name() === 'serve') : undefined;
  const more = (byDefault?.options ?? []).flatMap(flagOf);
  const commands = help
    .visibleCommands(command)
    .map((below) => ({ name: below.name(), about: shortened(below.description()) }));
  const [argument] = command.registeredArguments;
  const own = {
    path,
    commands,
    flags: [...flags, ...more],
    argument: argument && (argument.argChoices ?? kindOf(argument.name())),
  };
  return [own, ...command.commands.flatMap(completionsOf)];
}

function flagOf(option: Option): Flag[] {
  const { long, description } = option;
  if (!long) return [];
  const about = shortened(description);
  if (option.isBoolean()) return [{ name: long, about, values: undefined }];
  const choices = option.argChoices ?? Object.values(SETTINGS).find(({ flag }) => flag === option.flags)?.choices;
  return [{ name: long, about, values: choices ?? kindOf(/<(.+)>/.exec(option.flags)?.[1]) }];
}

/** The name of an argument says what it is: `<file>`. */
function kindOf(argument: string | undefined): Values {
  if (argument === 'file' || argument === 'command') return argument;
  return argument === 'dir' ? 'directory' : 'text';
}

/** Without what stands in parentheses at the end. */
const shortened = (text: string): string => text.replace(/ \([^()]*\)$/, '');
