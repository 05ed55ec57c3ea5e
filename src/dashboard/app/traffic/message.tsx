/** One side of an exchange: its lines with their findings. */
import { useState } from 'preact/hooks';
import { writeJson } from '../../../core/int64.ts';
import { visible } from '../kit/visible.ts';
import { addressOf, referenceOf } from '../route.ts';
import { beside, type Finding, jsonLines, type Line, plainLines } from './lines.ts';
import { type Words, wordsAt } from './words.ts';

interface MessageProps {
  readonly title: string;
  /** The part before the body. */
  readonly head: readonly Line[];
  readonly body: string | null;
  /** Why the body is incomplete. */
  readonly note: string | undefined;
  readonly findings: readonly Finding[];
  readonly operation: string | null;
  readonly specification: unknown;
}

export function Message({ title, head, body, note, findings, operation, specification }: MessageProps) {
  const [isRaw, setRaw] = useState(false);
  const formatted = body === null ? [] : jsonLines(body);
  const bodyLines = formatted === undefined || isRaw ? plainLines(body ?? '') : formatted;
  const lines = [...head, ...bodyLines];
  const found = beside(lines, findings);
  return (
    <section class="message" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {body && formatted && (
          <button type="button" class="plain" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            As sent
          </button>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div class="lines" tabIndex={0} role="group" aria-label={`${title}, line by line`}>
        {lines.map((line, index) => (
          <div key={index} class={classOf(line, found.has(index))}>
            <code style={{ paddingInlineStart: `${line.indent * 1.5}em` }}>
              {line.pieces.map(({ kind, text }, at) => (
                <span key={at} class={kind}>
                  {text}
                </span>
              ))}
            </code>
            {found.get(index)?.map((finding, at) => (
              <Note key={at} finding={finding} line={line} operation={operation} specification={specification} />
            ))}
          </div>
        ))}
      </div>
      {note && <p class="hint">{note}</p>}
    </section>
  );
}

const classOf = ({ isHead }: Line, isFound: boolean): string =>
  ['line', ...(isHead ? ['head'] : []), ...(isFound ? ['found'] : [])].join(' ');

interface NoteProps {
  readonly finding: Finding;
  readonly line: Line;
  readonly operation: string | null;
  readonly specification: unknown;
}

/** A finding: how to mend it, what it is, and the specification's text at its place. */
function Note({ finding, line, operation, specification }: NoteProps) {
  const words = finding.kind === 'violation' ? wordsAt(specification, finding.pointer, finding.location) : undefined;
  const fix = fixOf(finding, line, words);
  return (
    <div class={`note ${finding.kind}`}>
      {fix && <p class="fix">{fix}</p>}
      <p>
        {finding.kind === 'violation' ? 'Violation' : 'Warning'} <code>{finding.location}</code> {finding.message}
      </p>
      {finding.kind === 'violation' && (
        <p class="specification">
          The specification: {words ? <code>{words.rule}</code> : finding.rule}
          {words?.description && <q>{words.description.trim()}</q>}{' '}
          <small>
            <a href={addressOf('specification', finding.pointer.replace(/^#?\//, ''))}>{finding.pointer}</a>
            {operation !== null && (
              <>
                {' · '}
                <a href={referenceOf(operation)}>{operation} in the reference</a>
              </>
            )}
          </small>
        </p>
      )}
    </div>
  );
}

/** The beginning of a note: what was sent, and what was expected there. */
const MAX_SENT = 60;

/** `Got lost · expected available, pending or sold`. @param line the line beside which the finding stands */
function fixOf(finding: Finding, line: Line, words: Words | undefined): string | undefined {
  const name = visible(finding.location.split('/').at(-1) as string);
  if (finding.kind === 'warning') return suggestionIn(name, finding.message);
  const expected = words && expectation(finding.rule, words);
  if (finding.rule === 'required') return `Missing ${name}${words?.type ? ` · expected ${article(words.type)}` : ''}`;
  if (finding.rule === 'security') return 'Send Authorization: Bearer <API_KEY>';
  const sent = line.location === finding.location ? sentIn(line) : undefined;
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
