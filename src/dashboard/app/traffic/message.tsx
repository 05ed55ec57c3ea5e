/** One side of an exchange: its lines with their findings. */
import { useState } from 'preact/hooks';
import { addressOf, referenceOf } from '../route.ts';
import { fixOf } from './fix.ts';
import { beside, type Finding, jsonLines, type Line, plainLines } from './lines.ts';
import { wordsAt } from './words.ts';

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
  const words = finding.kind === 'violation' ? wordsAt(specification, finding.pointer, finding.place) : undefined;
  const fix = fixOf(finding, line, words);
  return (
    <div class={`note ${finding.kind}`}>
      {fix && <p class="fix">{fix}</p>}
      <p>
        {finding.kind === 'violation' ? 'Violation' : 'Warning'} <code>{finding.place}</code> {finding.message}
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
