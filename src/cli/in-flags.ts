/** Messages of the control API in the words of the command line: flags instead of fields, commands instead of endpoints. */
import { ownCommand } from '../base/own-command.ts';
import type { Command } from './command.ts';

/** Endpoints that messages name. */
const COMMAND_OF: Readonly<Record<string, string>> = {
  'GET /_sandbox/fixtures': 'fixtures list',
  'GET /_sandbox/keys': 'keys list',
  'POST /_sandbox/keys': 'keys create',
  'GET /_sandbox/faults': 'faults list',
  'PUT /_sandbox/clock with now': 'clock set',
};

/** A message of the server for the user of a command: `--status is an integer …` of `body/status is an integer …`. */
export function inFlags(message: string, { name: command, arguments: [argument] = [], flags }: Command): string {
  const flagOf = (name: string): string | undefined =>
    Object.hasOwn(flags, name) ? flags[name]?.flag.split(' ')[0] : undefined;
  // The words of a specification are no fields of a call: `in` is that of a parameter.
  if ('spec' in flags && message.startsWith('body: ')) return message.replace('body', '--spec');
  return message
    .replaceAll(/(?:GET|POST|PUT) \/_sandbox\/\w+(?: with now)?/g, (endpoint) =>
      COMMAND_OF[endpoint] === undefined ? endpoint : `"${ownCommand(COMMAND_OF[endpoint])}"`,
    )
    .replace(/^body(?= (?:needs|must not have) )/, command)
    .replaceAll(/\b(?:body|query|path)\/(\w+)/g, (place, name: string) => flagOf(name) ?? argument?.[0] ?? place)
    .replaceAll(/`(\w+)`/g, (text, name: string) => flagOf(name) ?? text);
}
