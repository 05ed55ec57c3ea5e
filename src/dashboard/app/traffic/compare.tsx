/** An exchange beside the last good one of its operation: what differs in request and response. */
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { useLoaded } from '../kit/async.ts';
import { timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { useSession } from '../session.ts';
import type { Summary } from './kept.ts';
import { headerLines, jsonLines, type Line, plainLines } from './lines.ts';
import { LineText } from './message.tsx';

type Exchange = Schema<'Exchange'>;

interface CompareProps {
  readonly exchange: Exchange;
  /** Newest first. */
  readonly exchanges: readonly Summary[];
}

export function Compare({ exchange, exchanges }: CompareProps) {
  const { client } = useSession();
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const others = exchanges.filter((each) => each.id !== exchange.id && kindOf(each) === kindOf(exchange));
  const older = others.filter((each) => each.at <= exchange.at);
  const before = others.find(({ id }) => id === picked) ?? older.find(isGood) ?? older[0];
  const { value, error, reload } = useLoaded(
    async () => before && client.request('GET /requests/{requestId}', { params: { requestId: before.id } }),
    [client, before?.id],
  );
  if (!before)
    return (
      <p class="hint">
        The request log holds no earlier request {exchange.operation ? `of ${exchange.operation}` : 'like this'}.
      </p>
    );
  return (
    <div class="compare">
      <label>
        <span>Compared with the {isGood(before) ? 'good' : 'other'} request</span>
        <select value={before.id} onChange={({ currentTarget }) => setPicked(currentTarget.value)}>
          {others.slice(0, MOST).map((each) => (
            <option key={each.id} value={each.id}>
              {timeOfDay(each.at)} {each.status || 'cut'} {each.method} {visible(each.target)}
            </option>
          ))}
        </select>
      </label>
      <Trouble error={error} retry={reload} />
      {value?.id === before.id && (
        <>
          <Side title="Request" before={requestLines(value)} after={requestLines(exchange)} />
          <Side title="Response" before={responseLines(value)} after={responseLines(exchange)} />
        </>
      )}
    </div>
  );
}

/** Requests to choose from. */
const MOST = 100;

const isGood = ({ status, violations }: Summary): boolean => status >= 200 && status < 400 && violations.length === 0;

/** Requests of one operation are compared; without an operation, those of the same method and path. */
const kindOf = ({ operation, method, target }: Pick<Summary, 'operation' | 'method' | 'target'>): string =>
  operation ?? `${method} ${target.split('?')[0]}`;

/** Headers that differ between any two exchanges. */
const ALWAYS_DIFFERENT = new Set(['date', 'sandbox-request-id', 'traceparent', 'content-length']);

const plain = (text: string): Line => ({ location: '', indent: 0, pieces: [{ kind: 'key', text }] });

function requestLines({ method, target, request }: Exchange): Line[] {
  const [path, ...query] = target.split(/[?&]/);
  const pairs = query.map((pair): Line => ({ location: '', indent: 1, pieces: [{ kind: 'plain', text: pair }] }));
  return [plain(`${method} ${path}`), ...pairs, ...linesOf(request)];
}

const responseLines = ({ status, response }: Exchange): Line[] => [
  plain(status === 0 ? 'No response was sent.' : String(status)),
  ...linesOf(response),
];

function linesOf({ headers, body }: Exchange['request'] | Exchange['response']): Line[] {
  const compared = Object.entries(headers).filter(([name]) => !ALWAYS_DIFFERENT.has(name.toLowerCase()));
  const bodyLines = body ? (jsonLines(body) ?? plainLines(body)) : [];
  return [...headerLines(Object.fromEntries(compared as [string, string][])), ...bodyLines];
}

/** A comma at the end says nothing about the member before it. */
const textOf = ({ indent, pieces }: Line): string =>
  `${indent} ${pieces
    .map(({ text }) => text)
    .join('')
    .replace(/,$/, '')}`;

/** Equal lines that are shown beside a difference. */
const CONTEXT = 3;

function Side({ title, before, after }: { title: string; before: readonly Line[]; after: readonly Line[] }) {
  const all = differenceOf(before, after, textOf);
  const isSame = all.every(({ kind }) => kind === 'same');
  return (
    <section class="message" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {isSame && <span class="hint">the same</span>}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div class="lines" tabIndex={0} role="group" aria-label={`${title}, line by line`}>
        {isSame ? all.slice(0, 1).map(row) : folded(all).map(row)}
      </div>
    </section>
  );
}

type Folded = DiffLine<Line> | number;

/** Long runs of equal lines as their number. */
function folded(all: readonly DiffLine<Line>[]): Folded[] {
  const isNear = all.map((_, at) =>
    all.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== 'same'),
  );
  const rows: Folded[] = [];
  for (const [at, each] of all.entries()) {
    const last = rows.at(-1);
    if (isNear[at]) rows.push(each);
    else if (typeof last === 'number') rows[rows.length - 1] = last + 1;
    else rows.push(1);
  }
  return rows;
}

const SIGNS = { same: ' ', before: '−', after: '+' } as const;
const WORDS = { same: '', before: 'before: ', after: 'now: ' } as const;

const row = (each: Folded, index: number) =>
  typeof each === 'number' ? (
    <div key={index} class="line folded">
      <code>
        {each} equal {each === 1 ? 'line' : 'lines'}
      </code>
    </div>
  ) : (
    <div key={index} class={`line ${each.kind}`}>
      <div>
        <span class="sign" aria-hidden="true">
          {SIGNS[each.kind]}
        </span>
        <span class="unseen">{WORDS[each.kind]}</span>
        <LineText line={each.line} />
      </div>
    </div>
  );

/** The difference of two texts, line by line. */
interface DiffLine<T> {
  readonly kind: 'same' | 'before' | 'after';
  readonly line: T;
}

/** Lines of the differing parts beyond which they are not compared one by one. */
const MAX_LINES = 1_200;

/** @param textOf what makes two lines equal */
function differenceOf<T>(before: readonly T[], after: readonly T[], textOf: (line: T) => string): DiffLine<T>[] {
  const [old, now] = [before.map(textOf), after.map(textOf)];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const marked = (lines: readonly T[], kind: DiffLine<T>['kind']): DiffLine<T>[] =>
    lines.map((line) => ({ kind, line }));
  const [gone, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const middle =
    gone.length > MAX_LINES || fresh.length > MAX_LINES
      ? [...marked(gone, 'before'), ...marked(fresh, 'after')]
      : byLongestCommon(gone, fresh, textOf);
  return [...marked(after.slice(0, head), 'same'), ...middle, ...marked(after.slice(after.length - tail), 'same')];
}

/** The longest common subsequence stays; the textbook table. */
function byLongestCommon<T>(before: readonly T[], after: readonly T[], textOf: (line: T) => string): DiffLine<T>[] {
  const [old, now] = [before.map(textOf), after.map(textOf)];
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] as number;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine<T>[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push({ kind: 'same', line: after[column] as T });
      row += 1;
      column += 1;
    } else if (row < old.length && (column === now.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: 'before', line: before[row] as T });
      row += 1;
    } else {
      lines.push({ kind: 'after', line: after[column] as T });
      column += 1;
    }
  }
  return lines;
}
