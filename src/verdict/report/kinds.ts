/**
 * Each kind of finding, and how to show it: a row of the report's table, or of what else finds some. The enum in
 * `spec/control-api.yaml` is generated from these rows, so a kind without a row doesn't compile.
 */

import type { components } from '../../base/generated/control-api.d.ts';
import { groupedBy } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { OverallVerdict } from './results.ts';

/** Described in `spec/control-api.yaml`. */
export type Finding = components['schemas']['Finding'];
export type FindingKind = Finding['kind'];
export type ReportKind = Exclude<keyof components['schemas']['ReportCounts'], 'exchanges'>;

interface KindRow {
  readonly says: string;
  /** Its effect on the verdict, and on a strict one if that differs. */
  readonly level: Finding['level'];
  readonly strictLevel?: 'error' | 'incomplete';
  /** All findings of this kind, in one sentence or a few: a reason of the verdict, or a figure; what has none is counted elsewhere. */
  readonly words?: readonly [one: string, many: string] | ((findings: readonly Finding[]) => string[]);
  /** Where it is listed. Without a heading it is a note, a reason alone, or accepted. */
  readonly heading?: string;
  readonly isNote?: true;
  /** Its name in the list of issues, if it is listed there: a mistake of the client, or a note on what the sandbox did. */
  readonly issue?: string;
  /** What stands in place of its operation, if it has none. */
  readonly subject?: string;
}

const messagesOf = (findings: readonly Finding[]): string[] => findings.map(({ message }) => message);

/** Of the contract report, the most serious first. */
const OF_REPORT: Readonly<Record<ReportKind, KindRow>> = {
  violation: {
    says: 'a request broke the specification',
    level: 'error',
    words: ['violation of the specification', 'violations of the specification'],
    heading: 'Failures',
    issue: 'Violation',
  },
  noOperation: {
    says: 'no operation matches a request',
    level: 'error',
    words: ['request matches no operation', 'requests match no operation'],
    heading: 'Failures',
    issue: 'No operation',
    subject: 'no operation',
  },
  malformed: {
    says: 'a request is not HTTP as RFC 9112 defines it',
    level: 'error',
    words: ["request isn't HTTP", "requests aren't HTTP"],
    heading: 'Failures',
    issue: 'Not HTTP',
    subject: 'no operation',
  },
  rounded: {
    says: 'an id came back rounded to a double',
    level: 'error',
    words: ['large integer came back rounded', 'large integers came back rounded'],
    heading: 'Failures',
    issue: 'Rounded integer',
  },
  droppedFailure: {
    says: 'a request broke the specification, and is no longer in the request log',
    level: 'error',
    words: ['failure is no longer in the log', 'failures are no longer in the log'],
  },
  notCounted: {
    says: 'a failed report could not be merged with the others',
    level: 'error',
    words: messagesOf,
  },
  nothingSeen: {
    says: 'no request or no documented response was seen',
    level: 'incomplete',
    words: messagesOf,
  },
  rejected: {
    says: 'the API rejected a valid request unexpectedly',
    level: 'incomplete',
    strictLevel: 'error',
    words: ['request was rejected unexpectedly', 'requests were rejected unexpectedly'],
    heading: 'Unexpected rejections',
    issue: 'Rejected',
  },
  brokenResponse: {
    says: 'a response broke the specification, which is a bug of the server',
    level: 'incomplete',
    words: ['response of the server broke the specification', 'responses of the server broke the specification'],
    heading: 'Bugs in the server',
    issue: 'Bug of the server',
  },
  notValidated: {
    says: 'a request could not be validated',
    level: 'incomplete',
    words: notValidatedWords,
    isNote: true,
    issue: 'Not validated',
  },
  unmatched: {
    says: 'a request came without a usable key or outside the base path, and the query asked for these (`unmatched`)',
    level: 'incomplete',
    words: unmatchedWords,
    heading: 'Unexpected rejections',
    issue: 'No sandbox',
    subject: 'no sandbox',
  },
  untriggeredFault: {
    says: 'no request triggered a fault rule, so the case that it sets up was not tested',
    level: 'incomplete',
    words: messagesOf,
  },
  incomplete: {
    says: 'requests are missing or were not examined, for the reason in the message',
    level: 'incomplete',
    words: messagesOf,
  },
  warning: {
    says: 'a request is allowed, but probably a mistake',
    level: 'warning',
    strictLevel: 'error',
    words: ['warning', 'warnings'],
    heading: 'Warnings',
    issue: 'Warning',
  },
  deprecated: {
    says: 'a deprecated operation was used',
    level: 'warning',
    strictLevel: 'error',
    words: ['use of a deprecated operation', 'uses of deprecated operations'],
    heading: 'Warnings',
    issue: 'Warning',
  },
  behavior: {
    says: 'several requests, each of which may be valid, show a mistake',
    level: 'warning',
    strictLevel: 'error',
    // Each is about many requests.
    words: (findings) => [counted(findings.length, 'behavior warning')],
    heading: 'Warnings',
    issue: 'Behavior',
    subject: 'several operations',
  },
  unsearched: {
    says: 'older requests had left the log, so only the others were searched for behavior warnings',
    level: 'note',
    strictLevel: 'incomplete',
    words: (findings) => messagesOf(findings.filter(({ level }) => level !== 'note')),
    isNote: true,
  },
  expectedInvalid: {
    says: 'a request was invalid, as it was expected to be',
    level: 'note',
  },
  injectedFault: {
    says: 'a fault was injected',
    level: 'note',
    words: ['injected fault', 'injected faults'],
    isNote: true,
    issue: 'Fault',
  },
  untriggeredByChance: {
    says: 'no request triggered a fault rule that depends on chance or a limit',
    level: 'note',
    isNote: true,
  },
};

const CHANGES = 'Changes that requests do not show';

/** Of a preview, which also has those of the report that are about the whole. */
const OF_PREVIEW = {
  stopsWorking: {
    says: 'in a preview, requests stop working',
    level: 'error',
    heading: 'Requests that stop working',
  },
  change: {
    says: "in a preview, something changes that the requests can't decide, such as a response: check whether the client copes with it",
    level: 'incomplete',
    words: changeWords,
    heading: CHANGES,
  },
  harmlessChange: {
    says: 'in a preview, something is deprecated, or changes without an effect on correct clients, such as a new response field',
    level: 'warning',
    heading: CHANGES,
  },
  unusedChange: {
    says: 'in a preview, an operation changes or is removed, and none of the requests use it',
    level: 'note',
    isNote: true,
  },
  note: {
    says: 'something to know that no verdict depends on, for the reason in the message',
    level: 'note',
    isNote: true,
  },
} satisfies Readonly<Record<string, KindRow>>;

/** Of drills. */
const OF_DRILLS = {
  failedCheck: {
    says: 'in a drill, a check of the level `must` failed: the client does harm',
    level: 'error',
    words: ['check failed', 'checks failed'],
    heading: 'Failed checks',
  },
  failedAdvice: {
    says: 'in a drill, a check of the level `should` failed',
    level: 'warning',
    strictLevel: 'error',
    words: ['warning', 'warnings'],
    heading: 'Warnings',
  },
  staleFailure: {
    says: 'a drill passes, but is in the list of known failures',
    level: 'error',
    words: messagesOf,
  },
  uncountedCheck: {
    says: 'in a drill, a check failed that does not count: the failure is known, or the client never met what goes wrong',
    level: 'note',
    heading: 'Checks that do not count',
  },
} satisfies Readonly<Record<string, KindRow>>;

export const KINDS: Readonly<Record<FindingKind, KindRow>> = { ...OF_REPORT, ...OF_PREVIEW, ...OF_DRILLS };

export const findingKinds = Object.keys(KINDS) as FindingKind[];
/** The kinds that a report counts. */
export const reportKinds = Object.keys(OF_REPORT) as ReportKind[];

/** The effect of a kind on the verdict. */
export function levelOf(kind: FindingKind, strict: boolean): Finding['level'] {
  const { level, strictLevel = level } = KINDS[kind];
  return strict ? strictLevel : level;
}

/** The worst of their levels. */
export const verdictOf = (findings: readonly Pick<Finding, 'level'>[]): OverallVerdict => {
  // Certain failures take precedence over uncertainty.
  if (findings.some(({ level }) => level === 'error')) return 'fail';
  return findings.some(({ level }) => level === 'incomplete') ? 'incomplete' : 'pass';
};

/** Why a verdict is not `pass`. */
export const reasonsOf = (findings: readonly Finding[]): string[] => [
  ...wordsOf('error', findings),
  ...wordsOf('incomplete', findings),
];

/** Its operation, or what stands in place of one. */
export const subjectOf = ({ kind, operation }: Pick<Finding, 'kind' | 'operation'>): string =>
  operation ?? KINDS[kind].subject ?? 'the report';

/** The findings of a level, a phrase for each kind: `2 violations of the specification`. */
export const wordsOf = (level: Finding['level'], findings: readonly Finding[]): string[] =>
  findingKinds.flatMap((kind) => {
    const ofKind = findings.filter((each) => each.kind === kind && each.level === level);
    return ofKind.length === 0 ? [] : wordsOfKind(kind, ofKind);
  });

function wordsOfKind(kind: FindingKind, findings: readonly Finding[]): string[] {
  const { words } = KINDS[kind];
  if (words === undefined) return [];
  if (typeof words === 'function') return words(findings);
  const count = countIn(findings);
  return [`${count.toLocaleString('en')} ${words[count === 1 ? 0 : 1]}`];
}

/** How often findings occurred. */
export const countIn = (findings: readonly Finding[]): number => findings.reduce((all, { count }) => all + count, 0);

const countsByMessage = (findings: readonly Finding[]): [message: string, count: number][] =>
  groupedBy(findings, ({ message }) => message).map((all) => [all[0]?.message ?? '', countIn(all)]);

/** Reasons that are named in the verdict. */
const MAX_REASONS = 3;

/** `2 requests could not be validated: the file has no response to it` */
function notValidatedWords(findings: readonly Finding[]): string[] {
  const byReason = countsByMessage(findings);
  const rest = byReason.slice(MAX_REASONS).reduce((sum, [, count]) => sum + count, 0);
  const others = ['could not be validated for other reasons', rest] as const;
  return [...byReason.slice(0, MAX_REASONS), ...(rest > 0 ? [others] : [])].map(
    ([message, count]) => `${counted(count, 'request')} ${message}`,
  );
}

/** Changes that are named in the verdict. */
const MAX_CHANGES = 20;

/** `listPets query/limit/default changed: 20 → 10; look whether the client copes with it` */
function changeWords(findings: readonly Finding[]): string[] {
  const words = findings.map(
    ({ operation, location, message }) => `${operation} ${location} ${message}; look whether the client copes with it`,
  );
  return upTo(MAX_CHANGES, words);
}

/** The first texts, and how many more there are. */
export const upTo = (most: number, texts: readonly string[]): string[] =>
  texts.length <= most ? [...texts] : [...texts.slice(0, most), `and ${texts.length - most} more`];

/** `3 requests belong to no sandbox: 2 × no API key was sent, 1 × …; send …` */
function unmatchedWords(findings: readonly Finding[]): string[] {
  const count = countIn(findings);
  const reasons = countsByMessage(findings).map(([message, times]) => `${times} × ${message}`);
  const instead = [...new Set(findings.flatMap(({ sample }) => sample?.instead ?? []))].join(' or ');
  const belong = count === 1 ? 'request belongs' : 'requests belong';
  return [
    `${count.toLocaleString('en')} ${belong} to no sandbox: ${reasons.join(', ')}${instead === '' ? '' : `; send ${instead}`}`,
  ];
}
