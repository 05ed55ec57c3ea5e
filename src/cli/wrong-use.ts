/** Messages for wrong usage, where commander's own would be wrong or reveal too much. */

import type { Command } from 'commander';
import { KEY_SHAPE } from '../base/api/credential.ts';
import { ownCommand } from '../base/own-command.ts';
import { isAndGiven, suggestionFor } from '../base/text.ts';
import { PREFIX } from './terminal.ts';

/** What to use instead of commands, flags, variables and files that other tools have: no similar name of ours is meant. */
const INSTEAD = new Map([
  ['replay', 'open shows a recording; export --format curl writes its requests as a script'],
  ['conform', 'use Schemathesis for a real server, or send the tests of your client to it through "prism proxy"'],
  ['init', 'copy the job and the first test of docs/start/ci.md'],
  ['--setup', 'use --api-key, --fixtures and commands, as in docs/operate/docker.md#prepare-sandboxes'],
  [
    'SANDBOX_SETUP',
    'use SANDBOX_API_KEYS, SANDBOX_FIXTURES and commands, as in docs/operate/docker.md#prepare-sandboxes',
  ],
  ['--source-file', 'leave it out: annotations belong to the run of the job'],
  ['--delay-deviation', 'use --delay and --delay-to for a range'],
  ['--delay-p90', 'use --delay and --delay-to for a range'],
  ['--sequence', 'read the order from requests list --json'],
  ['.sarif', 'name a .xml file for JUnit, or a .github.txt file for annotations'],
]);

/** `; use … instead`, or else `; did you mean …?`, if that is clear. */
export function hintFor(written: string, names: readonly string[] = []): string {
  const instead = INSTEAD.get(written);
  return instead === undefined ? suggestionFor(written, names) : `; ${instead}`;
}

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
      command.error(`error: unknown command '${name}'${hintFor(name, known)}`);
    }
    command = below;
  }
}

/** For the arguments of the default command, which takes none: `--port 4021 genrate`. */
export function rejectArguments(program: Command, serve: Command, isNamed: boolean): void {
  const [name] = serve.args;
  if (name === undefined) return;
  if (isNamed) serve.error(`error: serve takes flags only; got ${JSON.stringify(name)}`);
  rejectUnknownCommand(program, serve.args);
  program.error(`error: ${commandFirst(name)}`);
}

const commandFirst = (name: string): string => `the command comes first: ${ownCommand(name)} …`;

/**
 * An error message of commander's as this program writes it. Commander repeats an unknown flag with its value, which
 * may be a secret: `--admin-tokn=…`.
 */
export function wrongUseMessage(text: string, program: Command, args: readonly string[]): string {
  return text
    .replace(/^error: unknown option '(--?[^=']+)(?:=.*)?'(?:\n\(Did you mean .*\))?/s, (_, flag: string) => {
      const misplaced = args[0]?.startsWith('-') ? args.find((each) => commandNamed(program, each)) : undefined;
      const called = calledBy(program, args);
      const hint =
        misplaced === undefined
          ? hintFor(flag, flagsOf(called)) + ownFlagHint(called, args)
          : `; ${commandFirst(misplaced)}`;
      return `error: unknown option '${flag}'${hint}`;
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
    ? `; if it belongs to your command, put -- before that${isYarn1() ? ' and call npx petstore-sandbox: Yarn 1 takes -- for itself' : ''}`
    : '';

/** Package managers say who they are to what they run. */
const isYarn1 = (): boolean => process.env['npm_config_user_agent']?.startsWith('yarn/1.') === true;
