/** A request next to the last good one of its operation: what differs in request and response. */

import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { pathOfTarget } from '../../../core/address.ts';
import { useLoaded } from '../kit/action.ts';
import { Choice } from '../kit/form.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { useSession } from '../session.ts';
import type { Summary } from './kept.ts';
import { differenceOf, headerLines, jsonLines, type Line, plainLines, targetLines } from './lines.ts';
import { LinesOf, Sign } from './message.tsx';

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
  if (!before) return <p class="hint">The request log has no earlier request like this.</p>;
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
  operation ?? `${method} ${pathOfTarget(target)}`;

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

/** Equal lines that are shown around a difference. */
const CONTEXT = 3;
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
