/** The report on a HAR, whose requests are validated here. */

import {
  type CutBodies,
  type Exchange,
  isExpectedInvalid,
  isToBeValidated,
  type Verdict,
} from '../../base/api/exchange.ts';
import { realClock } from '../../base/clock.ts';
import { MAX_EXCHANGES } from '../../base/limits.ts';
import { counted } from '../../base/text.ts';
import type { AccountEntry } from '../../traffic/account.ts';
import { createRedact, redactedJson } from '../../traffic/redact.ts';
import { cutBodies } from '../../traffic/request-log.ts';
import { Tally } from '../../traffic/tally.ts';
import { type Report, reportOf } from '../report/report.ts';
import { reportResults } from '../report/report-results.ts';
import type { Results } from '../report/results.ts';
import type { Lack } from './har-exchange.ts';
import { ELSEWHERE, exchangesIn, HarCounts } from './har-read.ts';
import type { Har } from './har-source.ts';

/** The verdict on an exchange, as the validator of a server gives it. */
export type ValidateExchange = (exchange: Exchange) => Verdict;

/** The requests of a HAR with their verdicts, the last ones in order. */
export interface HarTraffic {
  readonly tally: Tally;
  /** The last exchanges, without the bodies of responses; those of requests are cut. */
  readonly exchanges: readonly Exchange[];
  /** Those before them. */
  readonly dropped: number;
  readonly counts: HarCounts;
}

/**
 * Validates the requests of a HAR while it is read.
 * @param bases the base addresses of the API; recognized if there are none
 * @throws {HarError}
 */
export function validatedHar(har: Har, bases: readonly string[], validate: ValidateExchange): HarTraffic {
  const counts = new HarCounts();
  const tally = new Tally();
  const last: Exchange[] = [];
  let seen = 0;
  for (const { exchange, lack } of exchangesIn(har, bases, counts)) {
    seen += 1;
    last.push(exchange);
    if (last.length > MAX_EXCHANGES) last.shift();
    const validated = isToBeValidated(exchange) ? validate(exchange) : undefined;
    const verdict = validated && isRedirect(exchange) ? ofRequest(validated) : validated;
    exchange.verdict = withLack(exchange, verdict, lack);
    tally.add(exchange);
    // Whatever is asked of these exchanges from now on is about requests.
    if (lack?.side === 'response') exchange.verdict = verdict;
    cutBodies(exchange, (text) => text);
    exchange.response = { ...exchange.response, body: '' };
    exchange.truncated = { ...(exchange.truncated as CutBodies), response: true };
  }
  return { tally, exchanges: last, dropped: seen - last.length, counts };
}

/** A redirect is of HTTP, by a proxy for example, and a response to a conditional request is in the client's cache: no rule has them. */
const isRedirect = ({ response: { status } }: Exchange): boolean => status >= 300 && status < 400;

/** What the file lacks breaks nothing; the rest of the request may. */
function withLack(exchange: Exchange, verdict: Verdict | undefined, lack: Lack | undefined): Verdict | undefined {
  if (lack === undefined || verdict === undefined) return verdict;
  const certain = ofRequest(verdict);
  // A violation that is expected fails nothing, so it does not outweigh what is unknown.
  const isFailing = certain.violations.length > 0 && !isExpectedInvalid(exchange);
  return isFailing ? certain : { ...certain, validationError: lack.why };
}

const ofRequest = ({ violations, warnings }: Verdict): Verdict => ({
  violations: violations.filter(({ side }) => side === 'request'),
  warnings,
});

/** The contract report of a HAR, without a credential. @param source a file, or a sandbox */
export function harResults({ tally, counts }: HarTraffic, source: string, strict: boolean): Results {
  const now = realClock.now();
  const report = reportOf({
    sandbox: { id: source, label: basesLabel(counts) },
    ...{ tally, strict, dropped: { requests: 0, failures: 0 }, since: now },
    gaps: gapsIn(counts),
    others: othersIn(counts),
    now,
    sandboxNow: now,
  });
  const redact = createRedact([]);
  const all = JSON.parse(redactedJson(report, redact)) as Report;
  const results = reportResults(all);
  return { ...results, notes: [...notesOf(counts, all).map(redact), ...results.notes] };
}

/** Base addresses that are named in one line. */
const MAX_NAMED_BASES = 5;

/** `https://api.example.com/v1`; null if no request is one of the API. */
function basesLabel({ bases }: HarCounts): string | null {
  const all = [...bases.keys()];
  const more = all.length > MAX_NAMED_BASES ? [`${all.length - MAX_NAMED_BASES} more`] : [];
  return all.length === 0 ? null : [...all.slice(0, MAX_NAMED_BASES), ...more].join(', ');
}

/** The entries that aren't exchanges. With them, the counts add up to those of the file. */
export const othersIn = ({ skipped, unknown, missing }: HarCounts): readonly AccountEntry[] => [
  { kind: 'dropped', count: missing, reason: NOT_IN_FILE },
  ...[...skipped].map(([reason, count]): AccountEntry => {
    return reason === ELSEWHERE ? { kind: 'otherAddress', count } : { kind: 'skipped', reason, count };
  }),
  ...[...unknown].map(([reason, count]): AccountEntry => ({ kind: 'notValidated', reason, count })),
];

const NOT_IN_FILE = 'not in the file: malformed, or dropped before it was saved';

/** Why not every request is in the report. */
export const gapsIn = ({ unknown, missing }: HarCounts): string[] => [
  ...[...unknown].map(([reason, count]) => `${counted(count, 'request')} could not be validated: ${reason}`),
  ...(missing > 0 ? [`${counted(missing, 'request')} ${NOT_IN_FILE}`] : []),
];

/** What a HAR contains besides the requests of the API. */
function notesOf(counts: HarCounts, { account }: Report): string[] {
  const unvalidated = (why: string): number => account.reasons.find(({ reason }) => reason === why)?.count ?? 0;
  const { bases, skipped, lacking, withoutCredential } = counts;
  const others = skipped.get(ELSEWHERE) ?? 0;
  const when = (count: number, note: string): string[] => (count === 0 ? [] : [`${counted(count, 'request')} ${note}`]);
  return [
    ...(bases.size === 0 ? ['no request looks like one of this API; give its base address'] : []),
    ...(bases.size < 2
      ? []
      : [...bases].map(([base, count]) => `${count === 0 ? 'no request' : counted(count, 'request')} to ${base}`)),
    ...[...lacking].flatMap(([why, count]) => when(count - unvalidated(why), `validated only in part: ${why}`)),
    ...when(others, `to other addresses than ${basesLabel(counts) ?? 'the API'}`),
    ...when(withoutCredential, 'without a credential in the file, and accepted by the server: it was left out'),
  ];
}
