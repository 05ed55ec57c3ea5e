/** One side of an exchange: its lines with their findings. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../kit/visible.tsx';
import { referenceLink } from '../route.ts';
import { beside, type DiffLine, jsonLines, type Line, plainLines, type RequestFinding } from './lines.ts';

interface MessageProps {
  readonly title: string;
  /** The part before the body. */
  readonly head: readonly Line[];
  readonly body: string | null;
  /** Why the body is incomplete. */
  readonly note: string | undefined;
  readonly findings: readonly RequestFinding[];
  readonly operation: string | null;
}

export function Message({ title, head, body, note, findings, operation }: MessageProps) {
  const [isRaw, setRaw] = useState(false);
  const formatted = body === null ? [] : jsonLines(body);
  const lines = [...head, ...(formatted === undefined || isRaw ? plainLines(body ?? '') : formatted)];
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
      <LinesOf label={title} lines={lines.map((line, index) => (found.has(index) ? { ...line, look: 'found' } : line))}>
        {(index) => found.get(index)?.map((finding, at) => <Note key={at} finding={finding} operation={operation} />)}
      </LinesOf>
      {note && <p class="hint">{note}</p>}
    </section>
  );
}

interface LinesProps {
  readonly label: string;
  readonly lines: readonly Line[];
  /** What stands before and below a line. */
  readonly before?: (index: number) => ComponentChildren;
  readonly children?: (index: number) => ComponentChildren;
}

export const LinesOf = ({ label, lines, before, children }: LinesProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  <div class="lines" tabIndex={0} role="group" aria-label={`${label}, line by line`}>
    {lines.map(({ location, look, indent, pieces }, index) => (
      <div key={index} class={`line ${look ?? ''} ${location.startsWith('body') ? '' : 'short'}`}>
        {before?.(index)}
        <code style={{ paddingInlineStart: `${indent * 1.5}em` }}>
          {pieces.map(({ kind, text }, at) => (
            <span key={at} class={kind}>
              {text}
            </span>
          ))}
        </code>
        {children?.(index)}
      </div>
    ))}
  </div>
);

/** A finding in one sentence; what the specification says opens below it. */
export function Note({ finding, operation }: { finding: RequestFinding; operation: string | null }) {
  const { kind, title, expected, instead, specification, pointer, message } = finding;
  const isMissing = specification?.rule.startsWith('required');
  return (
    <div class={`note ${kind}`}>
      <details>
        <summary title={message}>
          {visible(expected === null ? title : `${expected}${isMissing ? ', required' : ''}`)}
        </summary>
        {expected !== null && <p>{visible(title)}</p>}
        {instead !== null && (
          <p>
            Send <code>{visible(instead)}</code>
          </p>
        )}
        {specification && (
          <p>
            <code>{specification.rule}</code> {specification.description && <q>{specification.description}</q>}{' '}
            <small>{pointer}</small>
          </p>
        )}
        {operation !== null && <a href={referenceLink(operation)}>{operation} in the reference</a>}
      </details>
    </div>
  );
}

const SIGNS = { same: [' ', ''], before: ['−', 'before: '], after: ['+', 'now: '] } as const;

/** In front of a line of a comparison. */
export const Sign = ({ look }: Pick<DiffLine, 'look'>) => (
  <>
    <span aria-hidden="true">{SIGNS[look][0]}</span>
    <span class="unseen">{SIGNS[look][1]}</span>
  </>
);
