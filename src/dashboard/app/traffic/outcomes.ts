/** Figures of the request log: outcomes over time, and how long the responses took. */
import type { Summary } from './kept.ts';

/** Counts of one span of time. */
export interface Span {
  readonly start: number;
  good: number;
  bad: number;
  fault: number;
}

interface Figures {
  readonly spans: readonly Span[];
  /** Of the responses without a fault, in milliseconds; `undefined` without any. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  /** The last request with a violation, or to no operation. */
  readonly failure: Summary | undefined;
  /** The number of requests that the figures are about. */
  readonly kept: number;
}

const SPANS = 48;

/** @param exchanges newest first; those of this page are left out */
export function figuresOf(exchanges: readonly Summary[]): Figures {
  const ofClient = exchanges.filter(({ fromDashboard }) => !fromDashboard);
  const times = ofClient
    .filter(({ injectedFault, delayMs }) => injectedFault === null && delayMs === 0)
    .map(({ durationMs }) => durationMs)
    .sort((a, b) => a - b);
  return {
    spans: spansOf(ofClient),
    p50: times[Math.ceil(times.length * 0.5) - 1],
    p95: times[Math.ceil(times.length * 0.95) - 1],
    failure: ofClient.find((each) => outcomeOf(each) === 'bad'),
    kept: ofClient.length,
  };
}

function spansOf(exchanges: readonly Summary[]): Span[] {
  const start = Date.parse(exchanges.at(-1)?.at ?? '') || 0;
  const end = Date.parse(exchanges[0]?.at ?? '') || 0;
  const length = Math.max(1, end - start);
  const spans = Array.from({ length: SPANS }, (_, index) => ({
    start: start + (length * index) / SPANS,
    ...{ good: 0, bad: 0, fault: 0 },
  }));
  for (const exchange of exchanges) {
    const index = Math.min(SPANS - 1, Math.floor(((Date.parse(exchange.at) - start) / length) * SPANS));
    (spans[index] as Span)[outcomeOf(exchange)] += 1;
  }
  return spans;
}

/** A violation is the client's, whatever a fault did to its response. */
function outcomeOf({ violations, injectedFault, operation }: Summary): 'good' | 'bad' | 'fault' {
  if (violations.length > 0 || operation === null) return 'bad';
  return injectedFault === null ? 'good' : 'fault';
}
