/** What happened when: the request, the fault's delay, the effect, the response, and what the client did next. */
import type { Schema } from '../../../client/routes.ts';
import { duration, many } from '../kit/time.ts';
import { addressOf } from '../route.ts';
import type { Summary } from './kept.ts';

type Exchange = Schema<'Exchange'>;

interface Step {
  /** Milliseconds since the request arrived; `undefined` where it is not known. */
  readonly at: number | undefined;
  readonly kind: 'good' | 'bad' | 'fault' | '';
  readonly text: string;
  /** Another exchange that it is about. */
  readonly request?: string;
}

export const Timeline = ({ exchange, later }: { exchange: Exchange; later: readonly Summary[] }) => (
  <ol class="timeline" aria-label="Timeline">
    {stepsOf(exchange, later).map(({ at, kind, text, request }) => (
      <li key={text} class={kind}>
        <span class="at">{at === undefined ? '' : at === 0 ? '0 ms' : `+ ${duration(at)}`}</span>
        <span class="step">
          {text} {request && <a href={addressOf('traffic', request)}>{request}</a>}
        </span>
      </li>
    ))}
  </ol>
);

function stepsOf(exchange: Exchange, requestLog: readonly Summary[]): Step[] {
  const { at, method, status, durationMs, delayMs, injectedFault, changes, disconnectedAt } = exchange;
  const since = (time: string): number => Date.parse(time) - Date.parse(at);
  const created = changes?.created ?? [];
  const pets = created.length === 1 ? `Pet ${created[0]} was created` : `${many(created.length, 'pet')} were created`;
  const isTold = status === 201 && disconnectedAt === null && !injectedFault?.includes('connection=');
  return [
    { at: 0, kind: '', text: `The ${method} request arrived.` },
    ...(created.length === 0
      ? []
      : [
          {
            at: undefined,
            kind: isTold ? ('good' as const) : ('bad' as const),
            text: `${pets}${isTold ? '' : '; the client was not told'}.`,
          },
        ]),
    ...(injectedFault === null
      ? []
      : [{ at: undefined, kind: 'fault' as const, text: `A fault was triggered: ${injectedFault}.` }]),
    ...(delayMs > 0
      ? [{ at: undefined, kind: 'fault' as const, text: `It held the response for ${duration(delayMs)}.` }]
      : []),
    ...(disconnectedAt === null
      ? []
      : [{ at: since(disconnectedAt), kind: 'bad' as const, text: 'The client left before the response.' }]),
    status === 0
      ? { at: durationMs, kind: 'bad', text: 'The connection ended without a response.' }
      : { at: durationMs, kind: status < 400 ? 'good' : '', text: `${status} was sent.` },
    ...retryOf(exchange, requestLog, since),
  ];
}

/** The next request for the same: the same pet to create, or the same target. */
function retryOf(exchange: Exchange, requestLog: readonly Summary[], since: (time: string) => number): Step[] {
  const retry = requestLog.findLast(
    (each) =>
      each.at > exchange.at &&
      each.id !== exchange.id &&
      each.method === exchange.method &&
      each.target === exchange.target &&
      each.petName === exchange.petName &&
      !each.fromDashboard,
  );
  if (!retry || (exchange.status >= 200 && exchange.status < 300 && exchange.disconnectedAt === null)) return [];
  const [id] = retry.changes?.created ?? [];
  const result = retry.status === 0 ? 'no response was sent' : `${retry.status} was sent`;
  const isTwice = id !== undefined && exchange.changes !== null;
  return [
    {
      at: since(retry.at),
      kind: isTwice ? 'bad' : '',
      text: `The client tried again, and ${id === undefined ? result : `created pet ${id}`}${isTwice ? ': now there are two' : ''}.`,
      request: retry.id,
    },
  ];
}
