/**
 * The contract report of one sandbox: the operations that its client used, the violations, and a verdict. This is the
 * data; `report-results.ts` prepares it for the formats.
 */

import { SANDBOX_PREFIX } from '../../base/address.ts';
import { removalOf } from '../../base/api/specification.ts';
import type { components } from '../../base/generated/control-api.d.ts';
import {
  basePath,
  operations as described,
  interfaceVersion,
  type OperationName,
  operationNames,
  specificationDigest,
} from '../../base/generated/facts.ts';
import { groupedBy } from '../../base/grouped.ts';
import { version } from '../../base/shipped.ts';
import { counted } from '../../base/text.ts';
import { isoTime } from '../../base/time.ts';
import { faultRuleText } from '../../sandbox/faults.ts';
import type { FaultRecord } from '../../sandbox/store/record.ts';
import { type AccountEntry, accountOf, OPTIONS_REASON } from '../../traffic/account.ts';
import { type CountedFinding, type Found, MAX_GROUP_REQUESTS } from '../../traffic/groups.ts';
import type { Dropped } from '../../traffic/request-log.ts';
import type { ExpectedInvalidStatuses, ResponseCounts, Tally } from '../../traffic/tally.ts';
import type { UnmatchedRequest, UnmatchedSince } from '../../traffic/unmatched-requests.ts';
import { behaviorIn } from './behavior.ts';
import { advised, daysUntil, foundAbout, leveled, some } from './findings.ts';
import { countIn, type Finding, type ReportKind, reasonsOf, reportKinds, verdictOf } from './kinds.ts';

type Schemas = components['schemas'];

/** Described in `spec/control-api.yaml`. */
export type Report = Schemas['Report'];
/** One operation of the specification with its responses. */
export type OperationReport = Schemas['ReportOperation'];

export interface ReportInput {
  readonly sandbox: { readonly id: string; readonly label: string | null };
  /** Of all requests that it is about. */
  readonly tally: Tally;
  /** Earlier requests that are no longer there. */
  readonly dropped: Dropped;
  /** Why not every request is counted. */
  readonly gaps: readonly string[];
  /** Since when they are counted. */
  readonly since: number;
  readonly strict: boolean;
  /** Unmatched requests that belong to this client, because no other was active. */
  readonly unmatched?: UnmatchedSince | undefined;
  /** What else came in, such as entries of a HAR that aren't requests of this API. */
  readonly others?: readonly AccountEntry[];
  /** The fault rules of the sandbox. */
  readonly rules?: readonly FaultRecord[];
  /** The name of the run, if it is about one. */
  readonly run?: string | null;
  /** Real time, and the sandbox's own, in milliseconds since 1970. */
  readonly now: number;
  readonly sandboxNow: number;
}

/** The report of some requests, all of them settled. Yields after each of its parts. */
export function* reportOf(input: ReportInput): Generator<void, Report> {
  const { sandbox, tally, dropped, gaps, since, strict, rules = [], others = [], run = null, now, sandboxNow } = input;
  const { requests: unmatched, ...gone } = input.unmatched ?? NONE_UNMATCHED;
  const behavior = yield* behaviorIn(tally.meant);
  const operations = operationNames.map((name) => operationReport(name, tally.responses.get(name)));
  const account = accountOf([
    ...tally.account,
    { kind: 'dropped', count: dropped.requests, reason: 'no longer in the request log' },
    ...unmatched.map(unmatchedEntry),
    { kind: 'dropped', count: gone.dropped, reason: `unmatched, and ${LEFT}` },
    { kind: 'skipped', count: gone.droppedPreflights, reason: OPTIONS_REASON },
    ...others,
  ]);
  yield;
  const incomplete = [
    ...gaps,
    ...tally.incompleteReasons,
    ...some(gone.dropped, `unmatched request is ${LEFT}`, `unmatched requests are ${LEFT}`),
  ];
  const isSandbox = sandbox.id.startsWith(SANDBOX_PREFIX);
  const found = [
    ...tally.findings.all().map((each) => (each.kind === 'deprecated' ? withDaysLeft(each, sandboxNow) : each)),
    // Each keeps its level: a failure is one even where it is not listed.
    ...[...tally.findings.ungrouped].map(([kind, count]) => ({ ...foundAbout(kind, 'incomplete', UNLISTED), count })),
    ...unmatchedIn(unmatched),
    ...(dropped.failures === 0 ? [] : [{ ...DROPPED_FAILURE, count: dropped.failures }]),
    ...rules.filter(({ triggered }) => triggered === 0).map(untriggered),
    ...incomplete.map((message) => foundAbout('incomplete', 'incomplete', message)),
    ...behavior,
  ].map(advised);
  yield;
  return concluded({
    ...{ program: version, specification: `${interfaceVersion}+${specificationDigest}`, strict },
    ...{ sandbox: sandbox.id, label: sandbox.label, run, outcome: null },
    ...{ since: isoTime(since), createdAt: isoTime(now), account },
    exchanges: tally.exchanges,
    operations,
    findings: found.map((each) => (each.kind === 'rejected' ? withDeclaration(each, isSandbox) : each)),
    behavior: { exchanges: tally.ofClient - tally.unsearched, dropped: tally.unsearched },
  });
}

/** A report without what follows from its findings. */
export interface Unconcluded extends Omit<Report, 'verdict' | 'reasons' | 'counts' | 'coverage' | 'findings'> {
  /** Requests with a key of this sandbox. */
  readonly exchanges: number;
  readonly findings: readonly Omit<Finding, 'level'>[];
}

/** A client that sent no requests proves nothing: its tests may not have run at all. */
export function nothingSeenIn({ exchanges, operations }: Pick<Unconcluded, 'exchanges' | 'operations'>) {
  if (exchanges === 0) return 'no request was seen';
  const isAnySeen = operations.some(({ responses }) => responses.some(({ seen }) => seen > 0));
  return isAnySeen ? undefined : 'no documented response was seen';
}

/** The whole report. */
export function concluded({ exchanges, findings: given, ...report }: Unconcluded): Report {
  const { strict, operations, behavior } = report;
  const nothing = nothingSeenIn({ exchanges, operations });
  const all = [
    ...(nothing === undefined ? [] : [advised(foundAbout('nothingSeen', 'nothing-seen', nothing))]),
    ...(behavior.dropped === 0 ? [] : [advised(foundAbout('unsearched', 'incomplete', searchedIn(behavior)))]),
    ...given,
  ];
  const findings = leveled(all, strict);
  const countOf = (kind: ReportKind): number => countIn(findings.filter((each) => each.kind === kind));
  return {
    verdict: verdictOf(findings),
    reasons: reasonsOf(findings),
    ...report,
    counts: {
      exchanges,
      ...(Object.fromEntries(reportKinds.map((kind) => [kind, countOf(kind)])) as Record<ReportKind, number>),
    },
    coverage: coverageOf(operations),
    findings,
  };
}

/** Where behavior warnings were looked for, if not in all requests. */
const searchedIn = ({ exchanges, dropped }: Report['behavior']): string =>
  `behavior warnings were looked for in the last ${counted(exchanges, 'request')}, and not in the ${dropped} before`;

const untriggered = (rule: FaultRecord): Found => {
  const isByChance = rule.limit !== undefined || (rule.probability ?? 1) < 1;
  const message = `no request triggered the fault rule ${rule.id} (${faultRuleText(rule)})`;
  return foundAbout(isByChance ? 'untriggeredByChance' : 'untriggeredFault', 'untriggered-fault', message);
};

const UNLISTED = 'there was no room to list where';

const DROPPED_FAILURE = foundAbout(
  'droppedFailure',
  'dropped-failure',
  'a request that broke the specification is no longer in the request log',
);

const NONE_UNMATCHED: UnmatchedSince = { requests: [], dropped: 0, droppedPreflights: 0 };
const LEFT = 'no longer in their list, which holds the last 500';

/** A request of no sandbox. */
function unmatchedEntry({ expectedInvalid, reason, message }: UnmatchedRequest): AccountEntry {
  if (expectedInvalid) return { kind: 'expectedInvalid', count: 1 };
  if (reason === 'preflight') return { kind: 'skipped', count: 1, reason: OPTIONS_REASON };
  if (reason === 'malformed') return { kind: 'malformed', count: 1, reason: message };
  return { kind: reason === 'outside-base-path' ? 'notRecognized' : 'notValidated', count: 1, reason: message };
}

function operationReport(operation: OperationName, counts: ResponseCounts | undefined): OperationReport {
  const { method, path, deprecated, responses } = described[operation];
  const descriptions: Readonly<Record<string, string>> = responses;
  const statuses = Object.keys(descriptions).map(Number);
  return {
    operation,
    method: method.toUpperCase(),
    path: `${basePath}${path}`,
    deprecated,
    responses: statuses.map((status) => {
      const { served = 0, expected = 0, injectedFaults = 0 } = counts?.get(status) ?? {};
      const unexpected = status < 400 ? 0 : served - expected;
      return { status, description: descriptions[status] ?? '', seen: served, unexpected, injectedFaults };
    }),
    otherResponses: [...(counts ?? [])]
      .filter(([status]) => !statuses.includes(status))
      .map(([status, { served, injectedFaults }]) => ({ status, seen: served, injectedFaults })),
  };
}

/** A test that provokes a rejection says so: in its request, because a file takes no `--expect-invalid`. */
function withDeclaration(found: Omit<Finding, 'level'>, isSandbox: boolean): Omit<Finding, 'level'> {
  const flag = isSandbox ? `, or \`--expect-invalid ${found.operation}:${found.sample?.status}\`` : '';
  return {
    ...found,
    fix: `${found.fix.replace(/\.$/, '')}. If your test does this on purpose, mark it: \`Sandbox-Expect: invalid\`${flag}`,
  };
}

function coverageOf(operations: readonly OperationReport[]): Report['coverage'] {
  const all = operations.flatMap(({ operation, responses }) =>
    responses.map((response) => ({ operation, ...response })),
  );
  const untested = all
    .filter((response) => !isCovered(response))
    .map(({ operation, status, unexpected }) => ({ operation, status, hint: wayToGet(status, unexpected > 0) }));
  return { documented: all.length, seen: all.length - untested.length, untested };
}

/** An error response covers nothing unless a request expected it: else every mistake would. */
export const isCovered = ({ seen, unexpected }: OperationReport['responses'][number]): boolean => seen > unexpected;

/** How to provoke a response. @param wasSent whether the sandbox sent it to a request that did not declare it */
function wayToGet(status: number, wasSent: boolean): string {
  if (wasSent) return 'it came, but no request expected it with `Sandbox-Expect: invalid` or `--expect-invalid`';
  if (status === 400) return 'send a body that lacks a required field, or has an invalid value';
  // At `/v1`, a missing or unknown key belongs to no sandbox, and therefore to no report.
  if (status === 401) {
    return 'use a key of this sandbox that has expired or was revoked: SANDBOX_REVOKED_KEY in exec, revokedKey() in a test';
  }
  if (status === 404) return 'ask for an id that no pet has';
  return 'call it once with a valid request';
}

/** Adds the days left to a use of a deprecated operation. @param now in milliseconds since 1970 */
function withDaysLeft<Use extends CountedFinding>(use: Use, now: number): Use {
  const removedAt = removalOf(use.operation as OperationName);
  if (use.location !== 'operation' || removedAt === undefined) return use;
  const days = daysUntil(removedAt, now);
  const left = days <= 0 ? 'the date is past' : `${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'} left`;
  return { ...use, message: `${use.message}; ${left} by the sandbox's clock` };
}

/** What to do about an `Authorization` that was sent, and opens nothing. */
const KEY_ADVICE: Partial<Record<UnmatchedRequest['reason'], string>> = {
  'not-bearer': 'The scheme is Bearer',
  'authorization-twice': 'Send the header once',
  'damaged-key': 'Send the whole key, as it was given',
  'unknown-key': 'Take a key of this server that was not deleted',
};

/** Requests with the same problem are one finding. A path may contain anything, so they are grouped by the path as shown. */
function unmatchedIn(requests: readonly UnmatchedRequest[]): Found[] {
  const meant = requests.filter(({ expectedInvalid, reason }) => !expectedInvalid && reason !== 'preflight');
  const keyOf = (each: UnmatchedRequest): string => `${each.method} ${each.path} ${each.reason} ${each.status}`;
  return groupedBy(meant, keyOf).map((newestFirst): Found => {
    const group = newestFirst.toReversed();
    const [first] = group as [UnmatchedRequest];
    const last = group.at(-1) as UnmatchedRequest;
    const { method, path, reason, message, instead, status } = first;
    return {
      ...{ kind: 'unmatched', rule: 'unmatched', operation: null, location: `${method} ${path}`, message },
      pointer: '#/components/securitySchemes',
      sample: { request: `${method} ${path}`, status, ...correctionOfUnmatched(first) },
      count: group.length,
      requests: group.slice(0, MAX_GROUP_REQUESTS).map(({ id }) => id),
      last: last.id,
      lines: [...new Set([first, last])].map(({ id, at }) => ({ id, at, request: `${method} ${path}`, status })),
      ...(reason === 'unset-variable' && { fix: `Set the variable that has the key before the request: ${instead}` }),
      ...(reason === 'malformed' && { fix: instead }),
    };
  });
}

/** By what was wrong: to add an `Authorization` where one was sent would be wrong again. */
function correctionOfUnmatched({ method, path, reason, instead }: UnmatchedRequest) {
  if (reason === 'malformed') return { sent: null, instead: null, action: 'other' as const };
  if (reason === 'outside-base-path') return { sent: `${method} ${path}`, instead, action: 'replace' as const };
  const advice = KEY_ADVICE[reason];
  return advice === undefined
    ? { sent: null, instead, action: 'add' as const }
    : { sent: 'Authorization: …', instead, action: 'replace' as const, advice };
}

/** Reads `createPet:400,getPet:404`. */
export function readExpectedInvalid(text: string): ExpectedInvalidStatuses {
  const expectedInvalid = new Map<string, Set<number>>();
  for (const each of text.split(',').filter((part) => part !== '')) {
    const [operation = '', status] = each.split(':');
    expectedInvalid.set(operation, (expectedInvalid.get(operation) ?? new Set()).add(Number(status)));
  }
  return expectedInvalid;
}
