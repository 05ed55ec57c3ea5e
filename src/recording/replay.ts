/** Sends the requests of a recording again, and compares the responses with those that were recorded. */

import { basePath } from '../generated/facts.ts';
import type { RecordingExchange } from '../requests/shown.ts';
import type { ControlStep } from '../store/control-history.ts';
import { type Arrived, differenceOf, type ReplayDifference } from './compare.ts';
import type { Recording } from './recording.ts';

/** What the requests go to. */
export interface ReplayTarget {
  send(exchange: RecordingExchange): Promise<Arrived>;
  /** Does what a control did; `undefined` for a server of others, which has no such controls. */
  step?(step: ControlStep): Promise<void>;
  /** Called before each request with the time at which it was sent. */
  at?(time: number): void;
}

interface ReplayOptions {
  /** For a server of others: only GET requests, unless creating is allowed. */
  readonly foreign?: { readonly allowCreate: boolean } | undefined;
}

export type ReplayOutcome = 'same' | 'differs' | 'incomplete' | 'skipped';

/** What became of one exchange. */
export interface Replayed {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly outcome: ReplayOutcome;
  /** Why it is incomplete or was skipped. */
  readonly reason?: string;
  readonly difference?: ReplayDifference;
}

/** `incomplete`: nothing differs for certain, but not everything could be compared. */
export interface Replay {
  readonly verdict: 'same' | 'differs' | 'incomplete';
  readonly counts: Readonly<Record<ReplayOutcome, number>>;
  /** Requests that are not in the recording. */
  readonly dropped: number;
  readonly results: readonly Replayed[];
}

export async function replay(found: Recording, target: ReplayTarget, { foreign }: ReplayOptions = {}): Promise<Replay> {
  const { before, actions } = planOf(found);
  const results = before.map((each) =>
    replayedOf(each, { outcome: 'skipped', reason: 'it came before the last reset' }),
  );
  const hasRules = [found.state.controls, ...found.state.controls.steps].some(
    (at) => 'faults' in at && at.faults.length > 0,
  );
  /** The first exchange whose effect the target lacks. */
  let lacking: RecordingExchange | undefined;
  for (const action of actions) {
    if ('step' in action) {
      await target.step?.(action.step);
      continue;
    }
    const { exchange } = action;
    const why = whyNot(exchange, foreign);
    if (why) {
      results.push(replayedOf(exchange, why));
      const counted = hasRules && (exchange.status !== 401 || exchange.injectedFault !== null);
      if (counted || !(await isMadeUpFor(exchange, target))) lacking ??= exchange;
      continue;
    }
    target.at?.(Date.parse(exchange.at));
    const outcome = comparedResponse(action, await target.send(exchange));
    const reason = `${lacking?.id} before it was not sent`;
    results.push(
      replayedOf(exchange, lacking && outcome.difference ? { ...outcome, outcome: 'incomplete', reason } : outcome),
    );
  }
  return summaryOf(results, found.dropped);
}

/** Creates the pets of an exchange that is not sent, so that those after it get the ids that they had. */
async function isMadeUpFor({ changes, startMs }: RecordingExchange, target: ReplayTarget): Promise<boolean> {
  const created = (changes?.created ?? []).map(BigInt);
  const [first, last] = [created[0], created.at(-1)];
  if (first === undefined || last === undefined) return true;
  await target.step?.({ pets: [first, last], ms: startMs });
  return target.step !== undefined;
}

type ResponseComparison = Pick<Replayed, 'outcome' | 'reason' | 'difference'>;

const replayedOf = ({ id, method, target }: RecordingExchange, found: ResponseComparison): Replayed => ({
  id,
  method,
  target,
  ...found,
});

function whyNot(exchange: RecordingExchange, foreign: ReplayOptions['foreign']): ResponseComparison | undefined {
  const { request, method, target, status, injectedFault, disconnectedAt } = exchange;
  if (request.truncated || request.unread || !isAsSent(exchange))
    return { outcome: 'incomplete', reason: 'its body is not in the recording' };
  if (!hasItsHeaders(exchange)) return { outcome: 'incomplete', reason: 'a header of it is cut in the recording' };
  if (disconnectedAt !== null) return { outcome: 'incomplete', reason: 'its client left before the response' };
  if (status === 401 && injectedFault === null)
    return { outcome: 'incomplete', reason: 'its key did not open the sandbox' };
  if (!foreign) return undefined;
  if (injectedFault !== null) return { outcome: 'skipped', reason: 'a fault answered it' };
  if (!isPathOfApi(target)) return { outcome: 'skipped', reason: `its path is not below ${basePath}` };
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method !== 'POST') return { outcome: 'skipped', reason: 'the petstore API has no such method' };
  return foreign.allowCreate ? undefined : { outcome: 'skipped', reason: 'it may create; see --allow-create' };
}

/** Whether a server could read the path in no other way than as one of the API: `/v1/../admin` is none. */
function isPathOfApi(target: string): boolean {
  if (!URL.canParse(target, ANY_ORIGIN)) return false;
  const { origin, pathname } = new URL(target, ANY_ORIGIN);
  return origin === ANY_ORIGIN && (pathname === basePath || pathname.startsWith(`${basePath}/`));
}

const ANY_ORIGIN = 'http://api.invalid';

/** False where a secret was replaced, or where bytes were no UTF-8: their text has another length, or a U+FFFD. */
const isAsSent = ({ accepted, request: { body, bytes } }: RecordingExchange): boolean =>
  body === null || (Buffer.byteLength(body) === bytes && (accepted || !body.includes('\ufffd')));

/** False where the request log has only the beginning of a value: a mark behind it, which no value can have. */
const hasItsHeaders = ({ request: { headers } }: RecordingExchange): boolean =>
  Object.entries(headers as Record<string, string>).every(
    ([name, value]) => name === 'Authorization' || FIELD_VALUE.test(value),
  );

/** RFC 9110, section 5.5; bytes beyond ASCII are characters to U+00FF. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function comparedResponse({ exchange, overlapped }: SentExchange, arrived: Arrived): ResponseComparison {
  const difference = differenceOf(exchange, arrived);
  if (difference && overlapped) return { outcome: 'incomplete', reason: 'it overlapped another request', difference };
  if (difference) return { outcome: 'differs', difference };
  return exchange.response.truncated
    ? { outcome: 'incomplete', reason: 'its response is cut in the recording' }
    : { outcome: 'same' };
}

function summaryOf(results: readonly Replayed[], dropped: number): Replay {
  const counts = { same: 0, differs: 0, incomplete: 0, skipped: 0 };
  for (const { outcome } of results) counts[outcome]++;
  const verdict = counts.differs > 0 ? 'differs' : counts.incomplete + dropped > 0 ? 'incomplete' : 'same';
  // Where nothing was compared, nothing is known to be the same.
  return {
    verdict: verdict === 'same' && counts.same === 0 ? 'incomplete' : verdict,
    counts,
    dropped,
    results,
  };
}

/** An exchange, and whether it overlapped another so that their order is not known for certain. */
interface SentExchange {
  readonly exchange: RecordingExchange;
  readonly overlapped: boolean;
}

/** What a replay does, in order; `before` are exchanges from before the start of the recording. */
interface ReplayPlan {
  readonly before: readonly RecordingExchange[];
  readonly actions: readonly (SentExchange | { readonly step: ControlStep })[];
}

/** Creations are in the order of their ids; anything else in the order of its arrival. */
function planOf({ exchanges, state: { controls } }: Recording): ReplayPlan {
  const own = exchanges.filter(({ startMs }) => startMs >= controls.ms).toSorted((a, b) => a.startMs - b.startMs);
  const sent = inOrderOfIds(own);
  const overlapping = overlapsIn(own);
  const actions: ReplayPlan['actions'][number][] = sent.map((exchange) => ({
    exchange,
    overlapped: overlapping.has(exchange),
  }));
  for (const step of controls.steps) {
    const at = actions.findIndex((action) => 'exchange' in action && action.exchange.startMs > step.ms);
    actions.splice(at < 0 ? actions.length : at, 0, { step });
  }
  return { before: exchanges.filter(({ startMs }) => startMs < controls.ms), actions };
}

const firstId = ({ changes }: RecordingExchange): bigint | undefined => {
  const [id] = changes?.created ?? [];
  return id === undefined ? undefined : BigInt(id);
};

/** The places of creations stay, and get the creations by ascending id. */
function inOrderOfIds(exchanges: readonly RecordingExchange[]): RecordingExchange[] {
  const creations = exchanges
    .filter((each) => firstId(each) !== undefined)
    .toSorted((a, b) => ((firstId(a) as bigint) < (firstId(b) as bigint) ? -1 : 1));
  return exchanges.map((each) => (firstId(each) === undefined ? each : (creations.shift() as RecordingExchange)));
}

/** Exchanges that were under way together, at least one of which changed something or met a fault. */
function overlapsIn(inArrival: readonly RecordingExchange[]): ReadonlySet<RecordingExchange> {
  const found = new Set<RecordingExchange>();
  const hasEffect = ({ changes, injectedFault }: RecordingExchange): boolean =>
    changes !== null || injectedFault !== null;
  let open: RecordingExchange[] = [];
  for (const each of inArrival) {
    open = open.filter(({ startMs, durationMs }) => startMs + durationMs > each.startMs);
    for (const other of open) {
      if (!hasEffect(each) && !hasEffect(other)) continue;
      found.add(each);
      found.add(other);
    }
    open.push(each);
  }
  return found;
}
