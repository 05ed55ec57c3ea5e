/**
 * Which requests of a client stop working with another specification: that of a date, or a draft. A preview is the
 * findings of these requests by that specification, without those that they have today.
 */
import { pathOfTarget, pointerTo } from '../../base/address.ts';
import { type Exchange, isSkipped, requestHeader, type Violation } from '../../base/api/exchange.ts';
import { operationAt, removalOf } from '../../base/api/specification.ts';
import type { components } from '../../base/generated/control-api.d.ts';
import { basePath, type OperationName, operationNames, operations } from '../../base/generated/facts.ts';
import { counted, shorten } from '../../base/text.ts';
import { isoTime, startOfDay } from '../../base/time.ts';
import { type AccountEntry, accountKindOf, accountOf, mergedAccounts } from '../../traffic/account.ts';
import type { Found } from '../../traffic/groups.ts';
import { correctionText } from '../../traffic/instead.ts';
import { SentParts } from '../../traffic/request-parts.ts';
import { Tally } from '../../traffic/tally.ts';
import { itemsOf, resultsOf } from '../report/finding-results.ts';
import { advised, daysUntil, foundAbout, leveled, some } from '../report/findings.ts';
import { KINDS, reasonsOf, upTo, verdictOf } from '../report/kinds.ts';
import type { Results } from '../report/results.ts';
import { type DraftDate, type DraftOutput, type DraftViolation, whyNotExaminable } from './draft.ts';

/** Described in `spec/control-api.yaml`. */
export type Preview = components['schemas']['Preview'];

/** The requests of a client. */
export interface PreviewRequests {
  readonly exchanges: readonly Exchange[];
  /** Earlier requests that are no longer there. */
  readonly dropped: number;
  /** Why not every request is in them. */
  readonly gaps?: readonly string[];
  /** What else came in, such as entries of a HAR that aren't requests of this API. */
  readonly others?: readonly AccountEntry[];
  /** A sandbox, or a file. */
  readonly source: string;
  /** Real time, and the time from which days are counted, in milliseconds since 1970. */
  readonly now: number;
  readonly countedFrom: number;
}

/** A request, and what another specification says of it. */
interface Examined {
  readonly exchange: Exchange;
  /** By that specification. */
  readonly violations: readonly DraftViolation[];
  /** Why that says not all, with what to do. */
  readonly unknown?: string | undefined;
  /** The request to send instead, if it violates that specification. */
  readonly instead?: string | undefined;
  /** What else to do. */
  readonly advice?: string | undefined;
}

/** Another specification. */
interface Other {
  readonly date: string | null;
  readonly draft: string | null;
  /** The operations that it removes, and those that it changes. */
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** What requests do not show. */
  readonly others: readonly Found[];
}

/** Requests that are listed. */
const MAX_FAILING = 1_000;
const MAX_AGENTS = 5;
const MAX_AGENT = 200;

/** The next date on which the API changes; `undefined` if none is announced. @param now in milliseconds since 1970 */
export const nextChange = (now: number): string | undefined =>
  operationNames
    .filter((name) => (removalOf(name) ?? 0) > now)
    .map((name) => operations[name].sunset as string)
    .sort()[0];

/** The operations that are removed on a date, or before. */
const removedBy = (date: string | undefined): OperationName[] => {
  const time = (date === undefined ? undefined : startOfDay(date)) ?? Number.NEGATIVE_INFINITY;
  return operationNames.filter((name) => (removalOf(name) ?? Number.POSITIVE_INFINITY) <= time);
};

/**
 * The preview of a date: its specification is today's without the operations that are removed by then. As with all previews,
 * it takes seconds over long requests, and yields where it may pause.
 */
export function* previewAt(date: string | undefined, requests: PreviewRequests): Generator<void, Preview> {
  const names = removedBy(date);
  const examined: Examined[] = [];
  for (const exchange of requests.exchanges) {
    const name = names.find((each) => each === exchange.operation);
    // What the specification still has does not change.
    examined.push(
      name === undefined
        ? { exchange, violations: [] }
        : {
            ...{ exchange, violations: [removalOfOperation(name, `is removed on ${operations[name].sunset}`)] },
            ...replacementOf(exchange),
          },
    );
    yield;
  }
  const other = { date: date ?? null, draft: null, removed: names, changed: [], others: [] };
  return yield* previewOf(examined, other, requests);
}

/**
 * The preview of a draft.
 * @param at the date on which it applies: what its `x-sunset` removes by then is removed. By default, now
 */
export function* previewWith(output: DraftOutput, requests: PreviewRequests, at?: string): Generator<void, Preview> {
  const { draft, results, changes, dates } = output;
  const time = at === undefined ? requests.countedFrom : (startOfDay(at) as number);
  const removals = dates.filter(({ removedAt }) => removedAt <= time);
  const changed = new Set([...output.removed, ...output.changed, ...removals.map(({ operation }) => operation)]);
  const examined = requests.exchanges.map((exchange, index): Examined => {
    const result = results[index];
    const name = exchange.operation as OperationName;
    const gone = (message: string): Examined => ({
      exchange,
      violations: [removalOfOperation(name, message, `Ask what replaces ${name}, which the draft does not have`)],
      ...replacementIn(changed, exchange),
    });
    const removal = removals.find(({ operation }) => operation === exchange.operation);
    const isGone = result?.isRemoved || output.removed.includes(name);
    if (isGone && exchange.operation !== undefined && exchange.request.method !== 'HEAD')
      return gone('is not in the draft');
    if (removal) return gone(`is removed on ${removal.sunset} by the draft`);
    const unknown = whyNotExaminable(exchange) ?? result?.unknown;
    if (!result) return { exchange, violations: [], unknown: unknown ?? 'it could not be examined' };
    return { exchange, violations: result.violations, unknown, instead: result.instead };
  });
  const used = new Set(requests.exchanges.filter((each) => !isSkipped(each)).map(({ operation }) => operation));
  for (const { operation } of removals) used.delete(operation as OperationName);
  const notShown = changes
    .filter((each) => used.has(each.operation as OperationName))
    .map(({ operation, location, text }) => changeAt('change', operation, location, text));
  const dated = dates.flatMap((each) => {
    const user = requests.exchanges.find(({ operation }) => operation === each.operation);
    return user === undefined || removals.includes(each) ? [] : [dateOf(each, replacementIn(changed, user)?.instead)];
  });
  return yield* previewOf(
    examined,
    {
      date: at ?? null,
      draft,
      removed: [...output.removed, ...removals.map(({ operation }) => operation)],
      changed: output.changed,
      others: [...notShown, ...dated],
    },
    requests,
  );
}

/** A change that requests do not show. */
const changeAt = (
  kind: 'change' | 'harmlessChange',
  operation: string,
  location: string,
  message: string,
  fix?: string,
): Found => ({
  ...foundAbout(kind, 'api-change', message),
  ...{
    operation: operation as OperationName,
    location,
    pointer: pointerTo(operations[operation as OperationName]),
    fix,
  },
});

/** What no verdict depends on. */
const noteOf = (message: string): Found => foundAbout('note', 'note', message);

/** @param instead the request to send instead of one that uses it */
function dateOf({ operation, isDeprecated, sunset }: DraftDate, instead: string | undefined): Found {
  const removal = sunset === null ? [] : [`is to be removed on ${sunset}`];
  const message = [...(isDeprecated ? ['is deprecated'] : []), ...removal].join(' and ');
  const action = instead === undefined ? `Stop using ${operation}` : `Send ${instead}`;
  const fix = `${action}${sunset === null ? ', as it may be removed' : ` before ${sunset}`}.`;
  return changeAt('harmlessChange', operation, 'operation', message, fix);
}

/**
 * The list instead of one pet, if that is still there.
 * @param changed operations of which anything changes
 */
function replacementIn(changed: ReadonlySet<string>, exchange: Exchange): Replacement | undefined {
  const replacement = replacementOf(exchange);
  const [method, target = ''] = (replacement.instead ?? '').split(' ');
  const name = operationAt(method as string, pathOfTarget(target).slice(basePath.length));
  return name !== undefined && changed.has(name) ? undefined : replacement;
}

type Replacement = Pick<Examined, 'instead' | 'advice'>;

function replacementOf(exchange: Exchange): Replacement {
  const { instead, advice } = correctionText(new SentParts(exchange), { location: 'operation', rule: 'deprecated' });
  return { instead, advice };
}

/** What is said of requests for an operation that another specification lacks. */
const removalOfOperation = (name: OperationName, message: string, fix?: string): DraftViolation => ({
  ...{ side: 'request', location: 'operation', pointer: pointerTo(operations[name]), rule: REMOVED, message },
  ...(fix && { fix }),
});

const REMOVED = 'removed';

function* previewOf(
  judged: readonly Examined[],
  { date, draft, removed, changed, others: notShown }: Other,
  requests: PreviewRequests,
): Generator<void, Preview> {
  const { dropped, gaps = [], others = [], source, now, countedFrom } = requests;
  const all = judged.map(withNew);
  const examined = all.filter(({ exchange }) => !isSkipped(exchange));
  const failing = examined.filter(({ violations }) => violations.length > 0);
  const unread = others.filter(({ kind, count }) => kind === 'notValidated' && count > 0);
  const open = examined.filter(({ unknown }) => unknown !== undefined);
  const tally = yield* tallyOfFailing(failing);
  const ends = accountOf(all.map((each) => ({ ...endOf(each), count: 1 })));
  const gone = { kind: 'dropped', count: dropped, reason: 'no longer in the request log' } as const;
  const account = mergedAccounts([ends, accountOf([gone, ...others])]);
  const incomplete = [
    ...(examined.length > 0 && examined.every(({ exchange }) => failsToday(exchange)) && failing.length === 0
      ? ["no request was seen that keeps to today's specification"]
      : []),
    ...whyUndecided(ends),
    ...gaps,
    ...tally.incompleteReasons,
  ];
  const failingAlready = examined.filter(({ exchange }) => failsToday(exchange)).length;
  const used = new Set(examined.map(({ exchange }) => exchange.operation as string));
  const unusedOf = (names: readonly string[], message: string): Found[] =>
    [...new Set(names)]
      .filter((name) => !used.has(name))
      .map((name) => ({ ...foundAbout('unusedChange', 'api-change', message), operation: name as OperationName }));
  const findings = leveled(
    [
      ...stopsWorkingIn(failing, tally),
      ...(examined.length === 0 ? [foundAbout('nothingSeen', 'nothing-seen', 'no request was seen')] : []),
      ...incomplete.map((message) => foundAbout('incomplete', 'incomplete', message)),
      ...notShown,
      ...unusedOf(removed, 'removed, but none of these requests use it'),
      ...unusedOf(
        changed.filter((name) => !removed.includes(name)),
        'changed, but none of these requests use it',
      ),
      ...some(
        failingAlready,
        "request already breaks today's specification; see the contract report",
        "requests already break today's specification; see the contract report",
      ).map(noteOf),
      ...sendersOf(failing),
    ].map(advised),
    false,
  );
  return {
    verdict: verdictOf(findings),
    reasons: [...some(failing.length, 'request fails', 'requests fail'), ...reasonsOf(findings)],
    date,
    daysLeft: date === null ? null : daysUntil(startOfDay(date) as number, countedFrom),
    draft,
    source,
    createdAt: isoTime(now),
    account,
    requests: {
      total: examined.length,
      failing: failing.length,
      failingAlready,
      notExamined: open.length + unread.reduce((sum, { count }) => sum + count, 0),
    },
    failing: failing.slice(0, MAX_FAILING).map(({ exchange, violations, instead }) => ({
      request: exchange.id,
      message: placed(violations[0] as Violation, exchange),
      instead: instead ?? null,
    })),
    findings,
  };
}

const MAX_PREVIEW_REASONS = 20;

/** Why nothing is known of requests, with how many each reason has. */
const whyUndecided = ({ reasons, notRecognized, malformed }: Preview['account']): string[] => [
  ...upTo(
    MAX_PREVIEW_REASONS,
    reasons
      .filter(({ kind }) => kind === 'notValidated')
      .map(({ reason, count }) => `${counted(count, 'request')} could not be decided: ${reason}`),
  ),
  ...some(notRecognized, 'request matches no operation today', 'requests match no operation today'),
  ...some(malformed, "request isn't HTTP", "requests aren't HTTP"),
];

/** A request that is rejected today does not stop working, unless its operation is removed. One that does is not unknown. */
function withNew(each: Examined): Examined {
  const isFailing = failsToday(each.exchange);
  const violations = isFailing ? each.violations.filter(({ rule }) => rule === REMOVED) : each.violations;
  return { ...each, violations, unknown: isFailing || violations.length > 0 ? undefined : each.unknown };
}

/** In which count a request ends: a preview knows a fault or a declaration of today, and no verdict of another day. */
function endOf(each: Examined): ReturnType<typeof accountKindOf> {
  const today = accountKindOf(each.exchange);
  if (today.kind === 'skipped' || each.unknown === undefined) return today;
  return { kind: 'notValidated', reason: `${each.exchange.operation}: ${each.unknown}` };
}

const failsToday = ({ operation, verdict }: Exchange): boolean =>
  operation === undefined || (verdict?.violations.some(({ side }) => side === 'request') ?? false);

/** Counted by that specification. What requests declare of today's does not matter then. */
function* tallyOfFailing(failing: readonly Examined[]): Generator<void, Tally> {
  const tally = new Tally();
  for (const { exchange, violations } of failing) {
    const verdict = { violations, warnings: [] };
    tally.add({ ...exchange, requestHeaders: [], injectedFault: undefined, verdict });
    yield;
  }
  return tally;
}

/** What stops working, with the whole request to send instead. */
function stopsWorkingIn(failing: readonly Examined[], { findings }: Tally): Found[] {
  const replacements = new Map(failing.map((each) => [each.exchange.id, each]));
  const broken = findings.all().filter(({ kind }) => kind === 'violation');
  return broken.map((found): Found => {
    const { instead = null, advice } = replacements.get(found.requests[0] as string) ?? {};
    const { request, status } = found.sample as NonNullable<Found['sample']>;
    const action = instead === null ? 'other' : 'replace';
    return {
      ...found,
      kind: 'stopsWorking',
      sample: { request, sent: request, status, instead, action, ...(instead !== null && advice && { advice }) },
      fix: instead === null ? found.fix : undefined,
    };
  });
}

/** Which programs to change, if there are several. */
function sendersOf(failing: readonly Examined[]): Found[] {
  const agents = [...new Set(failing.map(({ exchange }) => requestHeader(exchange, 'User-Agent') ?? '(none)'))];
  if (agents.length < 2) return [];
  const shown = upTo(
    MAX_AGENTS,
    agents.map((agent) => shorten(agent, MAX_AGENT)),
  );
  return [noteOf(`requests that stop working are from ${shown.join(', ')}`)];
}

/** A message that stands alone. */
const placed = ({ location, message }: Violation, { operation }: Exchange): string =>
  `${location === 'operation' ? operation : `${location}:`} ${message}`;

/** A preview as results. */
export function previewResults(preview: Preview): Results {
  const { requests, findings, source, createdAt } = preview;
  const { total, failing } = requests;
  const listed = findings.filter(({ kind, operation }) => KINDS[kind].heading && operation !== null);
  const suiteOf = ({ kind, operation }: Preview['findings'][number]): string =>
    `${operation}${kind === 'stopsWorking' ? '' : ': other changes'}`;
  return resultsOf(preview, {
    ...{ kind: 'preview', name: 'preview', about: [source], endedAt: createdAt, notes: [] },
    figures: [dateInWords(preview), `${failing} of ${counted(total, 'request')} ${failing === 1 ? 'fails' : 'fail'}`],
    groups: [...new Set(listed.map(suiteOf))].map((name) => ({
      name,
      items: listed.filter((each) => suiteOf(each) === name).flatMap(itemsOf),
    })),
    complete: 'every request was examined',
  });
}

/** `on 2030-12-05 (1,474 days left)` */
function dateInWords({ date, daysLeft, draft }: Preview): string {
  const left =
    (daysLeft ?? 0) > 0 ? `${daysLeft?.toLocaleString('en')} ${daysLeft === 1 ? 'day' : 'days'} left` : 'no day left';
  const when = date === null ? [] : [`on ${date} (${left})`];
  if (draft !== null) return [`with the draft ${draft}`, ...when].join(' ');
  return when[0] ?? 'no change of the API is announced';
}
