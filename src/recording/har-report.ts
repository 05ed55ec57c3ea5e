/** Traffic that was recorded anywhere: its requests, validated here, and the report on them. */
import { setImmediate } from 'node:timers/promises';
import { type Exchange, isToBeValidated, type Verdict } from '../api/exchange.ts';
import { realClock } from '../core/clock.ts';
import { silentLog } from '../core/log.ts';
import { counted } from '../core/text.ts';
import { type Report, reportOf } from '../report/report.ts';
import { reportResults } from '../report/report-results.ts';
import type { Results } from '../report/results.ts';
import { accountOf, mergedAccounts } from '../requests/account.ts';
import { Budget } from '../requests/allowance.ts';
import { createRedact, redactedJson } from '../requests/redact.ts';
import { cutBodies, MAX_EXCHANGES } from '../requests/request-log.ts';
import { Tallies } from '../requests/tallies.ts';
import { createValidator } from '../validator/validator.ts';
import { exchangesIn, HarCounts, type HarExchange } from './har-read.ts';

const MAX_FINDINGS_BYTES = 512 * 1024;
/** Of what waits for the validator, in characters: reading waits for it. */
const BOUNDS = { characters: 256 * 1024, input: 16 * 1024 * 1024 };

/** The requests of a HAR with their verdicts, the last ones in order. */
export interface HarTraffic {
  readonly tallies: Tallies;
  /** The last exchanges, without the bodies of responses; those of requests are cut. */
  readonly exchanges: readonly Exchange[];
  /** Those before them. */
  readonly dropped: number;
  readonly counts: HarCounts;
}

/**
 * Validates the requests of a HAR while it is read.
 * @param base the base address of the API; recognized if it is not given
 * @throws {HarError}
 */
export async function validatedHar(chunks: AsyncIterable<Buffer>, base: string | undefined): Promise<HarTraffic> {
  const counts = new HarCounts();
  counts.base = base;
  const tallies = new Tallies(realClock.now(), new Budget(MAX_FINDINGS_BYTES));
  const last: Exchange[] = [];
  let seen = 0;
  const lacking = new Map<Exchange, HarExchange['lacks']>();
  const settle = (exchange: Exchange): void => {
    exchange.verdict = withoutMissing(exchange.verdict, lacking.get(exchange));
    lacking.delete(exchange);
    tallies.count(exchange);
    // Whatever is asked of these exchanges from now on is about requests.
    (exchange as { response: Exchange['response'] }).response = { ...exchange.response, body: '' };
    cutBodies(exchange, (text) => text);
  };
  const validator = createValidator({ log: silentLog, onVerdict: settle, bounds: BOUNDS, maxRemembered: 128 * 1024 });
  try {
    await validator.ready;
    for await (const { exchange, lacks } of exchangesIn(chunks, counts)) {
      seen += 1;
      tallies.watch(exchange);
      last.push(exchange);
      if (last.length > MAX_EXCHANGES) last.shift();
      if (lacks !== undefined) lacking.set(exchange, lacks);
      if (isToBeValidated(exchange)) validator.submit(exchange);
      else settle(exchange);
      await validator.room(exchange.owner);
    }
    await validator.settled();
  } finally {
    await validator.close();
  }
  return { tallies, exchanges: last, dropped: seen - last.length, counts };
}

export interface HarReportOptions {
  /** The base address of the API, which can be parsed; recognized if it is left out. */
  readonly base?: string | undefined;
  readonly source: string;
  readonly strict?: boolean;
}

/** The contract report of a HAR that is in memory. @throws {HarError} */
export async function harReport(har: Buffer, { base, source, strict = false }: HarReportOptions): Promise<Results> {
  return harResults(await validatedHar(inParts(har), base && new URL(base).href), source, strict);
}

const PART = 64 * 1024;

/** So that other work comes between the parts. */
async function* inParts(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART) {
    await setImmediate();
    yield bytes.subarray(at, at + PART);
  }
}

/** A body that the file lacks breaks nothing; the rest of its request may. */
function withoutMissing(verdict: Verdict | undefined, lacks: HarExchange['lacks']): Verdict | undefined {
  if (!verdict || lacks === undefined) return verdict;
  const violations = verdict.violations.filter(({ side }) => side === 'request');
  if (violations.length > 0) return { ...verdict, violations };
  return { violations, warnings: verdict.warnings, validationError: `the HAR lacks the body of the ${lacks}` };
}

/** The contract report of a HAR, without a credential. @param source a file, or a sandbox */
export function harResults(
  { tallies, exchanges, dropped, counts }: HarTraffic,
  source: string,
  strict: boolean,
): Results {
  const now = realClock.now();
  const report = reportOf({
    sandbox: { id: source, label: counts.base ?? null },
    tallies,
    strict,
    requestLog: { exchanges, dropped },
    server: 'server',
    now,
    sandboxNow: now,
  });
  const known = JSON.parse(redactedJson(report, createRedact([...counts.credentials]))) as Report;
  const results = reportResults(withOthers(known, counts), 'server');
  return { ...results, notes: [...notesOf(counts), ...results.notes] };
}

/** What else the file contains. An entry that was not read may be one of the API. */
function withOthers(withoutOthers: Report, { tooLarge, others }: HarCounts): Report {
  const account = mergedAccounts([
    withoutOthers.account,
    accountOf([
      { kind: 'notValidated', count: tooLarge, reason: 'too large to be read' },
      { kind: 'otherAddress', count: others },
    ]),
  ]);
  const report = { ...withoutOthers, account };
  if (tooLarge === 0) return report;
  const why = `${tooLarge === 1 ? '1 entry was' : `${tooLarge} entries were`} too large to be read`;
  return {
    ...report,
    verdict: report.verdict === 'pass' ? 'incomplete' : report.verdict,
    reasons: [...report.reasons, why],
    incompleteReasons: [...report.incompleteReasons, why],
  };
}

/** What a HAR contains beside the requests of the API. */
const notesOf = ({ base, others, withoutCredential }: HarCounts): string[] => [
  ...(base === undefined ? ['no request looks like one of this API; give its base address'] : []),
  ...(others > 0 ? [`${counted(others, 'request')} to other addresses than ${base ?? 'the API'}`] : []),
  ...(withoutCredential > 0
    ? [
        `${counted(withoutCredential, 'request')} without a credential in the file, and accepted by the server: it was left out`,
      ]
    : []),
];
