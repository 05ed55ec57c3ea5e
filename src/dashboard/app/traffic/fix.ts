/** The beginning of a note: what was sent, and what was expected there. */
import { writeJson } from '../../../client/json.ts';
import { visible } from '../kit/visible.ts';
import type { Finding, Line } from './lines.ts';
import type { Words } from './words.ts';

const MAX_SENT = 60;

/** `Got lost · expected available, pending or sold`. @param line the line beside which the finding stands */
export function fixOf(finding: Finding, line: Line, words: Words | undefined): string | undefined {
  const name = visible(finding.place.split('/').at(-1) as string);
  if (finding.kind === 'warning') return suggestionIn(name, finding.message);
  const expected = words && expectation(finding.rule, words);
  if (finding.rule === 'required') return `Missing ${name}${words?.type ? ` · expected ${article(words.type)}` : ''}`;
  if (finding.rule === 'security') return 'Send Authorization: Bearer <API_KEY>';
  const sent = line.place === finding.place ? sentIn(line) : undefined;
  if (sent === undefined) return expected && `Expected ${expected}`;
  return `Got ${sent}${expected === undefined ? '' : ` · expected ${expected}`}`;
}

/** `Send categoryId in place of catgoryId`. */
function suggestionIn(name: string, message: string): string | undefined {
  const near = /did you mean `([^`]+)`/.exec(message)?.[1];
  return near === undefined ? undefined : `Send ${near} in place of ${name}`;
}

/** The value in a line: of a member, a parameter or a header. */
function sentIn({ pieces }: Line): string | undefined {
  const text = pieces
    .filter(({ kind }) => kind !== 'key' && kind !== 'mark')
    .map((piece) => (piece.kind === 'plain' ? piece.text.replace(/^(?:[?&]?[^=]*=|[\w-]+:) ?/, '') : piece.text))
    .join('');
  if (text === '') return undefined;
  return text.length > MAX_SENT ? `${text.slice(0, MAX_SENT)}…` : text;
}

/** @returns the constraint in words; `undefined` for a rule without any */
function expectation(rule: string, { value }: Words): string | undefined {
  const text = writeJson(value);
  switch (rule) {
    case 'enum':
      return Array.isArray(value) ? listed(value.map((each) => String(each))) : undefined;
    case 'type':
      return article(Array.isArray(value) ? value.join(' or ') : String(value));
    case 'maximum':
      return `at most ${text}`;
    case 'minimum':
      return `at least ${text}`;
    case 'format':
      return article(String(value));
    case 'maxLength':
      return `at most ${text} characters`;
    case 'minLength':
      return `at least ${text} characters`;
    default:
      return undefined;
  }
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
