/** One side of an exchange: its lines with their findings. */
import type { ComponentChildren } from 'preact';
import type { Schema } from '../../client/routes.ts';
import { visible } from '../kit/visible.tsx';
import { referenceLink } from '../route.ts';
import {
  beside,
  differenceOf,
  headerLines,
  jsonLines,
  type Line,
  plainLines,
  type RequestFinding,
  targetLines,
} from './lines.ts';

type Details = Schema<'RequestDetails'>;

interface SideProps {
  readonly exchange: Details;
  readonly side: 'request' | 'response';
}

/** Of a request that has a correction: what was sent, struck where it was wrong, with what to send beside it. */
export function Side({ exchange, side }: SideProps) {
  const { method, target, status, operation, corrected, request, [side]: message } = exchange;
  const title = side === 'request' ? 'Request' : 'Response';
  const start = side === 'request' ? targetLines(method, target) : [statusLine(status)];
  const lines =
    side === 'request' && corrected
      ? differenceOf(
          [...start, ...bodyLines(request.body)],
          [...targetLines(corrected.method, corrected.target), ...bodyLines(corrected.body)],
        )
      : [...start, ...headerLines(message.headers), ...bodyLines(message.body)];
  const found = beside(
    lines,
    exchange.findings.filter((each) => each.side === side),
  );
  return (
    <section class="message" aria-label={title}>
      <header>
        <h3>{title}</h3>
      </header>
      <LinesOf label={title} lines={lines.map((line, index) => (found.has(index) ? { look: 'found', ...line } : line))}>
        {(index) => found.get(index)?.map((finding, at) => <Note key={at} finding={finding} operation={operation} />)}
      </LinesOf>
      {side === 'request' && request.unread && <p class="hint">Its body was rejected without being read.</p>}
      {message.truncated && (
        <p class="hint">Only the beginning of its {message.bytes.toLocaleString('en-GB')} bytes was kept.</p>
      )}
    </section>
  );
}

const bodyLines = (text: string | null): Line[] => (text ? (jsonLines(text) ?? plainLines(text)) : []);

const statusLine = (status: number): Line => ({
  location: 'status',
  indent: 0,
  pieces: [{ kind: 'key', text: status === 0 ? 'No response was sent.' : String(status) }],
});

/** In front of a line of a comparison, and what is read out instead. */
const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  same: ['\u00a0', ''],
  before: ['−', 'before: '],
  after: ['+', 'now: '],
};

interface LinesProps {
  readonly label: string;
  readonly lines: readonly Line[];
  /** What stands below a line. */
  readonly children?: (index: number) => ComponentChildren;
}

export const LinesOf = ({ label, lines, children }: LinesProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  <div class="lines" tabIndex={0} role="group" aria-label={`${label}, line by line`}>
    {lines.map(({ location, look = '', indent, pieces }, index) => (
      <div key={index} class={`line ${look} ${location.startsWith('body') ? '' : 'short'}`}>
        <span class="code" aria-hidden="true">
          {SIGNS[look]?.[0]}
        </span>
        <span class="unseen">{SIGNS[look]?.[1]}</span>
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
function Note({ finding, operation }: { finding: RequestFinding; operation: string | null }) {
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
