/** Puts what happened in a case into the order of its effects. */
import type { Case, CaseExchange, CaseStep } from '../cases/case.ts';

/** An exchange, and whether it overlapped another so that their order is not known for certain. */
export interface Sent {
  readonly exchange: CaseExchange;
  readonly overlapped: boolean;
}

/** What a replay does, in order; `before` are exchanges from before the start of the case. */
export interface Plan {
  readonly before: readonly CaseExchange[];
  readonly deeds: readonly (Sent | { readonly step: CaseStep })[];
}

/** Creations are in the order of their ids; anything else in the order of its arrival. */
export function planOf({ exchanges, start }: Case): Plan {
  const own = exchanges.filter(({ startMs }) => startMs >= start.atMs).toSorted((a, b) => a.startMs - b.startMs);
  const sent = inOrderOfIds(own);
  const overlapping = overlapsIn(own);
  const deeds: Plan['deeds'][number][] = sent.map((exchange) => ({ exchange, overlapped: overlapping.has(exchange) }));
  for (const step of start.steps) {
    const at = deeds.findIndex((deed) => 'exchange' in deed && deed.exchange.startMs > step.atMs);
    deeds.splice(at < 0 ? deeds.length : at, 0, { step });
  }
  return { before: exchanges.filter(({ startMs }) => startMs < start.atMs), deeds };
}

const firstId = ({ effect }: CaseExchange): bigint | undefined => {
  const [id] = effect?.created ?? [];
  return id === undefined ? undefined : BigInt(id);
};

/** The places of creations stay, and get the creations by ascending id. */
function inOrderOfIds(exchanges: readonly CaseExchange[]): CaseExchange[] {
  const creations = exchanges
    .filter((each) => firstId(each) !== undefined)
    .toSorted((a, b) => ((firstId(a) as bigint) < (firstId(b) as bigint) ? -1 : 1));
  return exchanges.map((each) => (firstId(each) === undefined ? each : (creations.shift() as CaseExchange)));
}

/** Exchanges that were under way together, at least one of which changed something or met a fault. */
function overlapsIn(inArrival: readonly CaseExchange[]): ReadonlySet<CaseExchange> {
  const found = new Set<CaseExchange>();
  const hasEffect = ({ effect, injected }: CaseExchange): boolean => effect !== null || injected !== null;
  let open: CaseExchange[] = [];
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
