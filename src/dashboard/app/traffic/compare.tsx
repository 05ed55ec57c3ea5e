/** A request beside the last good one of its operation: what differs in request and response. */
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { useLoaded } from '../kit/action.ts';
import { Choice } from '../kit/form.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { useSession } from '../session.ts';
import type { Summary } from './kept.ts';
import { headerLines, jsonLines, type Line, plainLines, targetLines } from './lines.ts';
import { LinesOf } from './message.tsx';

type Exchange = Schema<'Exchange'>;

/** Requests to choose from. */
const MOST = 100;

/** @param exchanges all, newest first */
export function Compare({ exchange, exchanges }: { exchange: Exchange; exchanges: readonly Summary[] }) {
  const { client } = useSession();
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const others = exchanges.filter((each) => each.id !== exchange.id && kindOf(each) === kindOf(exchange));
  const older = others.filter((each) => each.at <= exchange.at);
  const before = others.find(({ id }) => id === picked) ?? older.find(isGood) ?? older[0];
  const { value, error, reload } = useLoaded(
    async () => before && client.request('GET /requests/{requestId}', { params: { requestId: before.id } }),
    [client, before?.id],
  );
  if (!before) return <p class="hint">The request log holds no earlier request like this.</p>;
  return (
    <div class="compare">
      <Choice
        label={`Compared with the ${isGood(before) ? 'good' : 'other'} request`}
        value={before.id}
        onChange={setPicked}
      >
        {others
          .slice(0, MOST)
          .map(({ id, at, status, method, target }) => [
            id,
            `${timeOfDay(at)} ${status || 'cut'} ${method} ${visible(target)}`,
          ])}
      </Choice>
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

const isGood = ({ status, violations }: Summary): boolean => status >= 200 && status < 400 && violations.length === 0;

/** Requests of one operation are compared; without an operation, those of the same method and path. */
const kindOf = ({ operation, method, target }: Pick<Summary, 'operation' | 'method' | 'target'>): string =>
  operation ?? `${method} ${target.split('?')[0]}`;

/** Headers that differ between any two requests. */
const ALWAYS_DIFFERENT = new Set(['date', 'sandbox-request-id', 'traceparent', 'content-length']);

const requestLines = ({ method, target, request }: Exchange): Line[] => [
  ...targetLines(method, target),
  ...linesOf(request),
];

const responseLines = ({ status, response }: Exchange): Line[] => [
  ...plainLines(status === 0 ? 'No response was sent.' : String(status)),
  ...linesOf(response),
];

function linesOf({ headers, body }: Exchange['request'] | Exchange['response']): Line[] {
  const compared = Object.entries(headers).filter(([name]) => !ALWAYS_DIFFERENT.has(name.toLowerCase()));
  return [
    ...headerLines(Object.fromEntries(compared as [string, string][])),
    ...(body ? (jsonLines(body) ?? plainLines(body)) : []),
  ];
}

/** A comma at the end says nothing about the member before it. */
const textOf = ({ indent, pieces }: Line): string =>
  `${indent} ${pieces
    .map(({ text }) => text)
    .join('')
    .replace(/,$/, '')}`;

/** Equal lines that are shown beside a difference. */
const CONTEXT = 3;
const SIGNS = { same: [' ', ''], before: ['−', 'before: '], after: ['+', 'now: '] } as const;

function Side({ title, before, after }: { title: string; before: readonly Line[]; after: readonly Line[] }) {
  const all = differenceOf(before, after);
  const isNear = (at: number): boolean =>
    all.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ look }) => look !== 'same');
  const shown = all.flatMap((each, at) => (isNear(at) ? [each] : []));
  return (
    <section class="message" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span class="hint">
          {shown.length === 0 ? 'the same' : shown.length < all.length && many(all.length - shown.length, 'equal line')}
        </span>
      </header>
      <LinesOf label={title} lines={shown} before={(index) => <Sign look={shown[index]?.look ?? 'same'} />} />
    </section>
  );
}

const Sign = ({ look }: Pick<DiffLine, 'look'>) => (
  <>
    <span aria-hidden="true">{SIGNS[look][0]}</span>
    <span class="unseen">{SIGNS[look][1]}</span>
  </>
);

interface DiffLine extends Line {
  readonly look: keyof typeof SIGNS;
}

/** Beyond this many lines of either text, the rest is not compared: the table grows with their product. */
const MAX_LINES = 1_200;

/** The difference of two texts, line by line: the longest common subsequence stays. */
function differenceOf(before: readonly Line[], after: readonly Line[]): DiffLine[] {
  const [old, now] = [before.slice(0, MAX_LINES), after.slice(0, MAX_LINES)].map((lines) => lines.map(textOf)) as [
    string[],
    string[],
  ];
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] as number;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push({ ...(after[column] as Line), look: 'same' });
      row += 1;
      column += 1;
    } else if (row < old.length && (column === now.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ ...(before[row] as Line), look: 'before' });
      row += 1;
    } else {
      lines.push({ ...(after[column] as Line), look: 'after' });
      column += 1;
    }
  }
  return lines;
}
