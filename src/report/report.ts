/**
 * The contract report of one sandbox: the operations that its client used, the violations, and a verdict. This is the
 * data; `report-results.ts` prepares it for the formats.
 */

import { ApiError } from '../api/errors.ts';
import { type Exchange, isExpectedInvalid, isSkipped } from '../api/exchange.ts';
import { removalOf } from '../api/specification.ts';
import { version } from '../core/shipped.ts';
import { notKnown } from '../core/text.ts';
import { isoTime } from '../core/time.ts';
import type { components } from '../generated/control-api.d.ts';
import {
  basePath,
  operations as described,
  interfaceVersion,
  type OperationName,
  operationNames,
  specificationDigest,
} from '../generated/facts.ts';
import { type AccountEntry, accountOf, OPTIONS_REASON } from '../requests/account.ts';
import { inOrder } from '../requests/attempts.ts';
import { MAX_GROUP_REQUESTS, occurrenceLineOf, sampleOf } from '../requests/groups.ts';
import { malformedFix } from '../requests/malformed.ts';
import type { OperationTally, Tallies } from '../requests/tallies.ts';
import {
  type Unattributed,
  type UnmatchedRequest,
  type UnmatchedSince,
  unattributedReasons,
} from '../requests/unmatched-requests.ts';
import { describeRule } from '../sandbox/faults.ts';
import type { FaultRecord } from '../store/record.ts';
import {
  type BehaviorWarning,
  behaviorIn,
  isLost,
  knownLostAt,
  lossOf,
  MAX_REPORTED,
  REORDERED_MS,
} from './behavior.ts';
import { daysUntil, found, isOfRequest, type Occurrences, some, violationsIn } from './findings.ts';
import { advised } from './rules.ts';

type Schemas = components['schemas'];

/** Described in `spec/control-api.yaml`. */
export type Report = Schemas['Report'];
/** One operation of the specification with its counts and findings. */
export type OperationReport = Schemas['ReportOperation'];

export interface ReportInput {
  readonly sandbox: { readonly id: string; readonly label: string | null };
  readonly tallies: Tallies;
  readonly strict: boolean;
  /** Responses that the client causes by violating the specification on purpose. */
  readonly expectedInvalid?: ExpectedInvalidStatuses;
  /** Unmatched requests that belong to this client, because no other was active. */
  readonly unmatched?: UnmatchedSince | undefined;
  /** Others that may be of this client. */
  readonly unattributed?: Unattributed | undefined;
  /** The request log's exchanges and the number of evicted ones: behavior warnings are searched in these. */
  readonly requestLog: { readonly exchanges: readonly Exchange[]; readonly dropped: number };
  /** Why not every request is in them, besides those that the tallies miss. */
  readonly gaps?: readonly string[];
  /** The fault rules of the sandbox. */
  readonly rules?: readonly FaultRecord[];
  /** Real time, and the sandbox's own, in milliseconds since 1970. */
  readonly now: number;
  readonly sandboxNow: number;
  /** What responded, in words: the sandbox, if it is not given. */
  readonly server?: string;
}

/** The current report. Pending exchanges must be settled first. */
export function reportOf(options: ReportInput): Report {
  const {
    sandbox,
    tallies,
    strict,
    requestLog,
    rules = [],
    gaps = [],
    now,
    sandboxNow,
    expectedInvalid = new Map(),
    unmatched: { requests: unmatched, ...gone } = NONE_UNMATCHED,
    unattributed,
    server,
  } = options;
  const operations = operationNames.map((name) =>
    operationReport(name, tallies.operations.get(name), { sandboxNow, meant: expectedInvalid.get(name), server }),
  );
  const ofClient = requestLog.exchanges.filter((exchange) => !isSkipped(exchange));
  const isMeant = (each: Exchange): boolean =>
    isExpectedInvalid(each) || expectedInvalid.get(each.operation ?? '')?.has(each.response.status) === true;
  const notMeant = ofClient.filter((each) => !isMeant(each));
  const behavior = behaviorIn(notMeant).map((each) => advised(each.rule, each));
  const noOperationStatuses = [...tallies.noOperationStatuses].map(([status, count]) => ({ status, count }));
  const noOperation = found(tallies.noOperation).map((each) => advised('no-operation', each));
  const malformed = found(tallies.malformed).map(malformedFinding);
  const findings: Findings = {
    ...{ program: version, specification: `${interfaceVersion}+${specificationDigest}`, strict },
    ...{
      sandbox: sandbox.id,
      label: sandbox.label,
      run: null,
      lastRun: null,
      since: isoTime(tallies.since),
      createdAt: isoTime(now),
    },
    account: accountOf([
      ...accountedIn(tallies, expectedInvalid),
      ...unmatched.map(unmatchedEntry),
      { kind: 'dropped', count: gone.dropped, reason: `unmatched, and ${LEFT}` },
      { kind: 'skipped', count: gone.droppedPreflights, reason: OPTIONS_REASON },
    ]),
    ...{ operations, noOperationStatuses, noOperation, malformed, unmatched: unmatchedIn(unmatched) },
    behavior: {
      exchanges: ofClient.length,
      dropped: requestLog.dropped,
      found: behavior,
      lostCreations: lostCreationsIn(notMeant, behavior),
    },
    untriggeredFaults: rules
      .filter(({ triggered }) => triggered === 0)
      .map((rule) => ({
        rule: `${rule.id} (${describeRule(rule)})`,
        byChance: rule.limit !== undefined || (rule.probability ?? 1) < 1,
      })),
  };
  const conclusion = conclusionOf(findings, server);
  return concluded(findings, {
    ...conclusion,
    gaps: [
      ...conclusion.gaps,
      ...tallies.incompleteReasons,
      ...gaps,
      ...unattributedReasons(unattributed, sandbox.id),
      ...some(gone.dropped, `unmatched request is ${LEFT}`, `unmatched requests are ${LEFT}`),
    ],
  });
}

/** A report without what follows from the rest. */
export type Findings = Omit<Report, 'verdict' | 'reasons' | 'incompleteReasons' | 'totals' | 'coverage'>;

/** What findings alone say against a `pass`. */
export interface Conclusion {
  readonly totals: Report['totals'];
  /** How the client failed the contract check. */
  readonly broken: readonly string[];
  /** Why nothing can be said for sure. */
  readonly gaps: readonly string[];
}

/** @param server what responded, in words */
export function conclusionOf(findings: Findings, server = 'sandbox'): Conclusion {
  const { strict, operations, noOperationStatuses, noOperation, malformed, unmatched, behavior, untriggeredFaults } =
    findings;
  const totals = {
    ...totalsOf(operations, noOperationStatuses),
    noOperation: countIn(noOperation),
    malformed: countIn(malformed),
    unmatched: countIn(unmatched),
    behavior: behavior.found.length,
  };
  const isAnySeen = operations.some(({ responses }) => responses.some(({ seen }) => seen > 0));
  const skipped = operations.reduce((sum, each) => sum + each.skipped, 0);
  const gaps = [
    ...gapsIn(totals, isAnySeen, skipped, server),
    ...unmatchedGaps(unmatched),
    ...untriggeredFaults.flatMap(({ rule, byChance }) =>
      byChance ? [] : `no request triggered the fault rule ${rule}`,
    ),
    ...(strict && behavior.dropped > 0 ? [searchedIn(behavior)] : []),
  ];
  return { totals, broken: brokenBy(totals, strict), gaps };
}

/** Where behavior warnings were looked for, if not in all requests: they do not count without `strict`. */
export const searchedIn = ({ exchanges, dropped }: Report['behavior']): string =>
  `behavior warnings were looked for in the last ${exchanges} requests; the request log had dropped ${dropped}`;

/** The whole report. */
export function concluded(findings: Findings, { totals, broken, gaps }: Conclusion): Report {
  return {
    // Certain failures take precedence over uncertainty.
    verdict: broken.length > 0 ? 'fail' : gaps.length > 0 ? 'incomplete' : 'pass',
    reasons: [...broken, ...gaps],
    incompleteReasons: [...gaps],
    ...findings,
    totals,
    coverage: coverageOf(findings.operations),
  };
}

/** The requests that a sandbox counted. @param expected statuses that the caller expects */
const accountedIn = ({ account, dropped }: Tallies, expected: ExpectedInvalidStatuses): AccountEntry[] => [
  ...account.entries.map(({ operation = '', status, ...entry }): AccountEntry => {
    const isExpected = entry.kind === 'validated' && expected.get(operation)?.has(status) === true;
    return isExpected ? { ...entry, kind: 'expectedInvalid' } : entry;
  }),
  { kind: 'dropped', count: dropped, reason: 'left the request log before it was recorded' },
];

const NONE_UNMATCHED: UnmatchedSince = { requests: [], dropped: 0, droppedPreflights: 0 };
const LEFT = 'no longer in their list, which holds the last 500';

/** A request of no sandbox. */
function unmatchedEntry({ expectedInvalid, reason, message }: UnmatchedRequest): AccountEntry {
  if (expectedInvalid) return { kind: 'expectedInvalid', count: 1 };
  if (reason === 'preflight') return { kind: 'skipped', count: 1, reason: OPTIONS_REASON };
  if (reason === 'malformed') return { kind: 'malformed', count: 1, reason: message };
  return { kind: reason === 'outside-base-path' ? 'notRecognized' : 'notValidated', count: 1, reason: message };
}

interface OperationContext {
  readonly sandboxNow: number;
  /** Statuses that the caller expects. */
  readonly meant: ReadonlySet<number> | undefined;
  readonly server: string | undefined;
}

function operationReport(
  operation: OperationName,
  tally: OperationTally | undefined,
  { sandboxNow, meant = new Set(), server }: OperationContext,
): OperationReport {
  const { method, path, deprecated, responses } = described[operation];
  const isMeant = (status: number): boolean => meant.has(status);
  const isNotMeant = (status: number): boolean => !meant.has(status);
  const descriptions: Readonly<Record<string, string>> = responses;
  const statuses = Object.keys(descriptions).map(Number);
  const counts = [...(tally?.responses ?? [])];
  return {
    operation,
    method: method.toUpperCase(),
    path: `${basePath}${path}`,
    deprecated,
    responses: statuses.map((status) => {
      const { served = 0, expected = 0, injectedFaults = 0 } = tally?.responses.get(status) ?? {};
      const unexpected = status < 400 || isMeant(status) ? 0 : served - expected;
      return { status, description: descriptions[status] ?? '', seen: served, unexpected, injectedFaults };
    }),
    otherResponses: counts
      .filter(([status]) => !statuses.includes(status))
      .map(([status, { served, injectedFaults }]) => ({ status, seen: served, injectedFaults })),
    skipped: tally?.skipped ?? 0,
    violations: violationsIn(tally, isNotMeant),
    rejected: found(tally?.rejected, isNotMeant).map((each) =>
      withDeclaration(advised(each.rule, each), operation, server),
    ),
    brokenResponses: found(tally?.violations)
      .filter((violation) => !isOfRequest(violation))
      .map((each) => advised(`response/${each.rule}`, each)),
    warnings: found(tally?.warnings, isNotMeant).map((each) =>
      advised(each.rule, withDaysLeft(each, operation, sandboxNow)),
    ),
    expectedInvalid: [
      ...found(tally?.expectedInvalid),
      ...found(tally?.violations, isMeant).filter(isOfRequest),
      ...found(tally?.rejected, isMeant),
      ...found(tally?.warnings, isMeant),
    ].map(({ location, rule, message, ...each }) => ({ location, rule, message, ...occurrencesOf(each) })),
    rounded: found(tally?.rounded).map(({ sent, handedOut, ...each }) =>
      advised('int64-rounded', {
        ...occurrencesOf(each),
        ...{ location: 'path/petId' as const, sent, handedOut },
        message: `the client was given ${handedOut} and came back with ${sent}: it reads int64 into a double`,
      }),
    ),
    injectedFaults: found(tally?.injectedFaults),
    validationFailures: found(tally?.validationFailures),
  };
}

const occurrencesOf = ({ sample, count, requests, last, lines }: Occurrences): Occurrences => ({
  sample,
  count,
  requests,
  last,
  lines,
});

/** A test that provokes a rejection says so: in its request, because a file takes no `--expect-invalid`. */
const withDeclaration = <Found extends Occurrences & { readonly fix: string }>(
  found: Found,
  operation: string,
  server: string | undefined,
): Found => {
  const flag = server === undefined ? `, or \`--expect-invalid ${operation}:${found.sample.status}\`` : '';
  return {
    ...found,
    fix: `${found.fix.replace(/\.$/, '')}. If your test does this on purpose, mark it: \`Sandbox-Expect: invalid\`${flag}`,
  };
};

function totalsOf(
  operations: readonly OperationReport[],
  unmatched: Report['noOperationStatuses'],
): Omit<Report['totals'], 'noOperation' | 'malformed' | 'unmatched' | 'behavior'> {
  const sum = (countOf: (operation: OperationReport) => number): number =>
    operations.reduce((all, operation) => all + countOf(operation), 0);
  const responsesOf = (operation: OperationReport): number =>
    [...operation.responses, ...operation.otherResponses].reduce(
      (all, { seen, injectedFaults }) => all + seen + injectedFaults,
      0,
    );
  return {
    exchanges:
      sum((operation) => responsesOf(operation) + operation.skipped) +
      unmatched.reduce((all, { count }) => all + count, 0),
    violations: sum(({ violations }) => countIn(violations)),
    rejected: sum(({ rejected }) => countIn(rejected)),
    brokenResponses: sum(({ brokenResponses }) => countIn(brokenResponses)),
    warnings: sum(({ warnings }) => countIn(warnings.filter(({ rule }) => rule !== 'deprecated'))),
    deprecatedUses: sum(({ warnings }) => countIn(warnings.filter(({ rule }) => rule === 'deprecated'))),
    expectedInvalid: sum(({ expectedInvalid }) => countIn(expectedInvalid)),
    rounded: sum(({ rounded }) => countIn(rounded)),
    injectedFaults: sum(({ injectedFaults }) => countIn(injectedFaults)),
    validationFailures: sum(({ validationFailures }) => countIn(validationFailures)),
  };
}

const countIn = (findings: readonly Occurrences[]): number => findings.reduce((all, { count }) => all + count, 0);

/** How the client failed the contract check. */
function brokenBy(
  { violations, noOperation, malformed, rounded, rejected, warnings, deprecatedUses, behavior }: Report['totals'],
  strict: boolean,
): string[] {
  return [
    ...some(violations, 'violation of the specification', 'violations of the specification'),
    ...some(noOperation, 'request matches no operation', 'requests match no operation'),
    ...some(malformed, "request isn't HTTP", "requests aren't HTTP"),
    ...some(rounded, 'large integer came back rounded', 'large integers came back rounded'),
    ...(strict ? some(rejected, 'unexpected rejection', 'unexpected rejections') : []),
    ...(strict ? some(warnings, 'warning', 'warnings') : []),
    ...(strict ? some(deprecatedUses, 'use of a deprecated operation', 'uses of deprecated operations') : []),
    ...(strict ? some(behavior, 'behavior warning', 'behavior warnings') : []),
  ];
}

/** Why the totals are inconclusive. */
function gapsIn(
  { rejected, brokenResponses, exchanges }: Report['totals'],
  isAnySeen: boolean,
  skipped: number,
  server: string,
): string[] {
  return [
    // A client that sent no requests proves nothing: its tests may not have run at all.
    ...(exchanges === 0 ? ['no request was seen'] : []),
    ...(exchanges > 0 && !isAnySeen ? ['no documented response was seen'] : []),
    ...some(rejected, 'request was rejected unexpectedly', 'requests were rejected unexpectedly'),
    ...some(skipped, 'HEAD request was not validated', 'HEAD requests were not validated'),
    ...some(
      brokenResponses,
      `response of the ${server} broke the specification`,
      `responses of the ${server} broke the specification`,
    ),
  ];
}

function coverageOf(operations: readonly OperationReport[]): Report['coverage'] {
  const all = operations.flatMap(({ operation, responses }) =>
    responses.map((response) => ({ operation, ...response })),
  );
  const untested = all
    .filter((response) => !isCovered(response))
    .map(({ operation, status, unexpected }) => ({ operation, status, hint: hintFor(status, unexpected > 0) }));
  return { documented: all.length, seen: all.length - untested.length, untested };
}

/** An error response covers nothing unless a request expected it: else every mistake would. */
export const isCovered = ({ seen, unexpected }: OperationReport['responses'][number]): boolean => seen > unexpected;

/** How to provoke a response. @param wasSent whether the sandbox sent it to a request that did not declare it */
function hintFor(status: number, wasSent: boolean): string {
  if (wasSent) return 'it came, but no request expected it with `Sandbox-Expect: invalid` or `--expect-invalid`';
  if (status === 400) return 'send a body that lacks a required field, or has an invalid value';
  // At `/v1`, a missing or unknown key belongs to no sandbox, and therefore to no report.
  if (status === 401) {
    return 'use a key of this sandbox that has expired or was revoked: SANDBOX_REVOKED_KEY in exec, revokedKey() in a test';
  }
  if (status === 404) return 'ask for an id that no pet has';
  return 'call it once with a valid request';
}

/**
 * Adds the days left to a warning about a deprecated operation; other warnings are unchanged. @param now in
 * milliseconds
 */
function withDaysLeft<Found extends { readonly rule: string; readonly location: string; readonly message: string }>(
  warning: Found,
  operation: OperationName,
  now: number,
): Found {
  const removedAt = removalOf(operation);
  if (warning.rule !== 'deprecated' || warning.location !== 'operation' || removedAt === undefined) return warning;
  const days = daysUntil(removedAt, now);
  const removed = warning.message.replace('will be removed', 'was removed');
  if (days <= 0) return { ...warning, message: `${removed}, by the sandbox's clock` };
  const left = `${days.toLocaleString('en')} ${days === 1 ? 'day is' : 'days are'} left`;
  return { ...warning, message: `${warning.message}; ${left} by the sandbox's clock` };
}

/**
 * Creations whose response was lost, and that nobody looked for afterward. The pet exists, and its client may not
 * know. To give up is no mistake, so these are notes; a client that creates the pet again has a behavior warning
 * (`duplicate-create`).
 */
type LostCreation = components['schemas']['ReportLostCreation'];

/** @param behavior warnings of the same exchanges: what they name is not named again */
function lostCreationsIn(exchanges: readonly Exchange[], behavior: readonly BehaviorWarning[]): LostCreation[] {
  const told = new Set(behavior.filter(({ rule }) => rule === 'duplicate-create').flatMap(({ requests }) => requests));
  const ordered = inOrder(exchanges);
  const lastLookAt = Math.max(...ordered.filter(looks).map(({ at }) => at), 0);
  return ordered
    .filter((each) => each.changes.created.length > 0 && (isLost(each) || each.disconnectedAt !== undefined))
    .filter((each) => !told.has(each.id) && lastLookAt < knownLostAt(each) - REORDERED_MS)
    .slice(0, MAX_REPORTED)
    .map((each) => ({
      operation: each.operation as OperationName,
      message: `pet ${each.changes.created[0]} was created by ${each.id}, whose ${lossOf(each)}; no later request looked for it`,
      sample: sampleOf(each, { location: 'body', rule: 'rejected' }),
      count: 1,
      requests: [each.id],
      last: each.id,
      lines: [occurrenceLineOf(each)],
    }));
}

/** Whether the client was shown pets. */
const looks = (each: Exchange): boolean =>
  each.operation !== undefined && each.request.method === 'GET' && !isLost(each);

/** With the fix of its cause, which is often a whole address. */
function malformedFinding(malformed: Omit<Report['malformed'][number], 'title' | 'fix'>): Report['malformed'][number] {
  const [method = '', target = ''] = malformed.sample.request.split(/ (.*)/s, 2);
  return { ...advised('malformed-http', malformed), fix: malformedFix(method, target, malformed.cause) };
}

/** What to do about an `Authorization` that was sent, and opens nothing. */
const KEY_ADVICE: Partial<Record<UnmatchedRequest['reason'], string>> = {
  'not-bearer': 'The scheme is Bearer',
  'authorization-twice': 'Send the header once',
  'damaged-key': 'Send the whole key, as it was given',
  'unknown-key': 'Take a key of this server that was not deleted',
};

/** Those of one kind are one finding. A path may contain anything, so they are grouped by it as it is shown. */
function unmatchedIn(requests: readonly UnmatchedRequest[]): Report['unmatched'] {
  const meant = requests.filter(({ expectedInvalid, reason }) => !expectedInvalid && reason !== 'preflight');
  const groups = new Map<string, UnmatchedRequest[]>();
  for (const each of meant) {
    const key = `${each.method} ${each.path} ${each.reason} ${each.status}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].map((newestFirst) => {
    const group = newestFirst.toReversed();
    const [first] = group as [UnmatchedRequest];
    const { method, path, reason, message, instead, status } = first;
    const lines = group.map(({ id, at }) => ({ id, at, request: `${method} ${path}`, status }));
    const finding = advised('unmatched', {
      ...{ method, path, reason, message },
      sample: { request: `${method} ${path}`, status, ...correctionOfUnmatched(first) },
      count: group.length,
      requests: group.slice(0, MAX_GROUP_REQUESTS).map(({ id }) => id),
      last: (group.at(-1) as UnmatchedRequest).id,
      lines: group.length === 1 ? lines : [lines[0], lines.at(-1)].flatMap((each) => each ?? []),
    });
    if (reason === 'unset-variable')
      return { ...finding, fix: `Set the variable that has the key before the request: ${instead}` };
    return reason === 'malformed' ? { ...finding, fix: instead } : finding;
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

/** `3 requests came without a usable key: 2 × no API key was sent, 1 × …`, and the same of paths outside the API. */
function unmatchedGaps(findings: Report['unmatched']): string[] {
  const kindIn = ({ reason }: Report['unmatched'][number]): string =>
    reason === 'outside-base-path'
      ? 'to no path of the API'
      : reason === 'malformed'
        ? 'malformed'
        : 'without a usable key';
  const kinds = ['without a usable key', 'to no path of the API', 'malformed'];
  return kinds.flatMap((kind) =>
    gapOf(
      kind,
      findings.filter((each) => kindIn(each) === kind),
    ),
  );
}

function gapOf(what: string, findings: Report['unmatched']): string[] {
  if (findings.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { message, count } of findings) counts.set(message, (counts.get(message) ?? 0) + count);
  const reasons = [...counts].map(([message, count]) => `${count} × ${message}`).join(', ');
  const total = countIn(findings);
  const instead = [...new Set(findings.flatMap(({ sample }) => sample.instead ?? []))].join(' or ');
  const send = instead === '' ? '' : `; send ${instead}`;
  return [`${total} ${total === 1 ? 'request' : 'requests'} came ${what}: ${reasons}${send}`];
}

/** By operation: the statuses of rejections that are provoked on purpose. */
type ExpectedInvalidStatuses = ReadonlyMap<string, ReadonlySet<number>>;

/** Reads `createPet:400,getPet:404`. @throws {ApiError} `invalid_request` for an operation that is not described */
export function readExpectedInvalid(text: string): ExpectedInvalidStatuses {
  const expectedInvalid = new Map<string, Set<number>>();
  for (const each of text.split(',').filter((part) => part !== '')) {
    const [operation = '', status] = each.split(':');
    if (!operationNames.includes(operation as OperationName)) {
      throw new ApiError(
        'invalid_request',
        `query/expectedInvalid: ${operation} ${notKnown(operation, operationNames)}`,
      );
    }
    expectedInvalid.set(operation, (expectedInvalid.get(operation) ?? new Set()).add(Number(status)));
  }
  return expectedInvalid;
}
