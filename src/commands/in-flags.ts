/** Messages of the control API in the words of the command line: flags instead of fields, commands instead of endpoints. */
import { didYouMean } from '../core/text.ts';
import type { Command } from './command.ts';

/** Endpoints that messages name. */
const COMMAND_OF: Readonly<Record<string, string>> = {
  'GET /_sandbox/fixtures': 'fixtures list',
  'GET /_sandbox/keys': 'keys list',
  'POST /_sandbox/keys': 'keys create',
  'GET /_sandbox/faults': 'faults list',
  'PUT /_sandbox/clock with now': 'clock set',
};

/** `--retry-after` of `retryAfter`, where the command has that flag. */
const flagOf = (name: string, { flags }: Command): string | undefined =>
  Object.hasOwn(flags, name) ? flags[name]?.flag.split(' ')[0] : undefined;

/** A message of the server for the user of a command: `--status must be an integer …` of `body/status: must be …`. */
export function inFlags(message: string, row: Command): string {
  // The words of a specification are no fields of a call: `in` is that of a parameter.
  if ('spec' in row.flags && message.startsWith('body: ')) return message.replace('body', '--spec');
  return message
    .replaceAll(/(?:GET|POST|PUT) \/_sandbox\/\w+(?: with now)?/g, (endpoint) =>
      COMMAND_OF[endpoint] === undefined ? endpoint : `"petstore-sandbox ${COMMAND_OF[endpoint]}"`,
    )
    .split(/(?<=; )(?=(?:body|query|path)\b)/)
    .map((part) => partInFlags(part, row))
    .join('');
}

function partInFlags(part: string, row: Command): string {
  const [, name, below = '', rest = ''] = /^(?:body|query|path)(?:\/(\w+)((?:\/[^\s:]+)?))?: (.*)$/s.exec(part) ?? [];
  if (rest === '') return part;
  const [argument] = row.arguments ?? [];
  const subject = name === undefined ? undefined : (flagOf(name, row) ?? argument?.[0]);
  if (name !== undefined && subject === undefined) return part;
  // What comes after `since` is a reason, in words.
  const [head = '', ...reasons] = rest.split(/(?=, since )/);
  const words = head.replaceAll(/\b[a-z][A-Za-z0-9]*\b/g, (word) => {
    const isField = name === undefined || /[A-Z]/.test(word);
    return (isField && flagOf(word, row)) || word;
  });
  const what = `${words}${reasons.join('')}`;
  if (subject === undefined) return what.startsWith('must ') ? `${row.name} ${what}` : what;
  return `${subject}${placeIn(name, below)} ${what}${hintIn(what)}`;
}

/** A place below a flag, with a blank before it. An element of a list, `field,ordr`, stands for itself. */
function placeIn(flag: string | undefined, below: string): string {
  const [, step, rest = ''] = /^\/(\d+)(?:\/(.*))?$/s.exec(below) ?? [];
  if (flag === 'sequence' && step !== undefined) return `, step ${Number(step) + 1}${rest && `, ${rest}`}:`;
  return /^(?:\/\d+)?$/.test(below) ? '' : ` ${below.slice(1)}:`;
}

/** The value that was probably meant, for one that is not on a list. */
function hintIn(what: string): string {
  const [, values = '', given = ''] = /^must be one of ([^;]+); got "([^"]*)"$/.exec(what.replace(/; $/, '')) ?? [];
  const meant = values === '' ? undefined : didYouMean(given, values.split(', '));
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
