/** Messages for wrong usage, where commander's own would be wrong or reveal too much. */
import type { Command } from 'commander';
import { KEY_SHAPE } from '../sandbox/keys.ts';
import { didYouMean } from '../wording.ts';

/** Commander treats `genrate` as an excess argument of the default command. */
export function refuseUnknownCommand(program: Command, [name]: readonly string[]): void {
  if (name === undefined || name.startsWith('-')) return;
  const names = [...program.commands.map((command) => command.name()), 'help'];
  if (names.includes(name)) return;
  const suggestion = didYouMean(name, names);
  program.error(`error: unknown command '${name}'${suggestion === undefined ? '' : `\n(Did you mean ${suggestion}?)`}`);
}

/** For the arguments of the default command, which takes none: `--port 4021 genrate`. */
export function refuseArguments(program: Command, serve: Command, isNamed: boolean): void {
  const [name] = serve.args;
  if (name === undefined) return;
  if (isNamed) serve.error(`error: serve takes flags only; got ${JSON.stringify(name)}`);
  refuseUnknownCommand(program, serve.args);
  program.error(`error: the command comes first: petstore-sandbox ${name} …`);
}

/** Rejects a call without a flag. Commander would do so before it checks for unknown flags: `generate --cuont 3`. */
export const requireFlag =
  (flag: string) =>
  (command: Command): void => {
    const option = command.options.find(({ flags }) => flags === flag);
    if (option && command.opts()[option.attributeName()] !== undefined) return;
    command.error(`error: required option '${flag}' not specified`);
  };

/** Commander repeats an unknown flag with its value, which may be a secret: `--admin-tokn=…`. */
export function withoutSecrets(text: string, program: Command, args: readonly string[]): string {
  return text
    .replace(/^error: unknown option '(--[^=']+)=.*'(?:\n\(Did you mean .*\))?/, (_, flag: string) => {
      const flags = commandOf(program, args).options.flatMap(({ long }) => long ?? []);
      const suggestion = didYouMean(flag, flags);
      return `error: unknown option '${flag}'${suggestion === undefined ? '' : `\n(Did you mean ${suggestion}?)`}`;
    })
    .replace(KEY_SHAPE, '[key]');
}

/** The command that arguments call. */
function commandOf(program: Command, args: readonly string[]): Command {
  let command = program;
  for (const name of args) {
    const below = command.commands.find((each) => each.name() === name);
    if (!below) break;
    command = below;
  }
  return command === program ? (program.commands.find((each) => each.name() === 'serve') ?? program) : command;
}
