/**
 * What the contract report, and drills found, in one shape: plain data, which knows no format. Each of
 * them has one file that makes it, and each format of `formats/` is one file that renders it.
 */
import type { Schema } from '../../client/routes.ts';
import { type Account, accountInWords } from '../../traffic/account.ts';

/** `warned`: it has findings that do not count. `error`: it could not be decided. `accepted`: known, or on purpose. */
export type Status = 'passed' | 'warned' | 'failed' | 'error' | 'skipped' | 'accepted';

/** `incomplete`: nothing failed, but not everything could be decided. Each in a word, as a status, and as a sign of Markdown. */
export const VERDICTS = {
  pass: { word: 'passed', status: 'passed', sign: '✅' },
  fail: { word: 'failed', status: 'failed', sign: '❌' },
  incomplete: { word: 'incomplete', status: 'error', sign: '⚠️' },
} as const satisfies Readonly<Record<string, { word: string; status: Status; sign: string }>>;
export type OverallVerdict = keyof typeof VERDICTS;

/** As texts for people show them. */
export const SIGNS = { passed: '✓', warned: '!', failed: '✗', error: '?', skipped: '-', accepted: '~' };

export interface Results {
  /** In one word: `contract`. JUnit names its file by it. */
  readonly kind: string;
  readonly verdict: OverallVerdict;
  /** The verdict in words: `contract check failed (strict)`. */
  readonly title: string;
  /** Why the verdict is not `pass`, where there is more to say than the findings. */
  readonly reasons: readonly string[];
  /** Every request that came in, in one count each. */
  readonly account: Account;
  /** Further counts, in words: `3 warnings`. */
  readonly figures: readonly string[];
  /** What was examined, and how. */
  readonly about: readonly string[];
  /** ISO 8601, in UTC. */
  readonly startedAt?: string;
  readonly endedAt: string;
  /** The headings of findings, in the order in which they are shown. */
  readonly headings: readonly string[];
  readonly groups: readonly Group[];
  /** What the reader should know, and no verdict depends on. */
  readonly notes: readonly string[];
  /** What the JSON format contains: the outcome as its own documentation describes it. */
  readonly data: unknown;
}

/** What belongs together: an operation, a drill, a section. JUnit calls it a suite. */
export interface Group {
  readonly name: string;
  /** The outcome in a few words, where the items alone do not say it. */
  readonly summary?: string;
  /** What the group is about, as a sentence or an address. */
  readonly about?: string;
  readonly items: readonly Item[];
  /** Requests, to be drawn on a time line. */
  readonly timeline?: readonly Schema<'ExchangeSummary'>[];
}

/** One thing that was checked. JUnit calls it a case. */
export interface Item {
  /** The same in every run: CI systems recognize a case by it. */
  readonly name: string;
  readonly status: Status;
  /** Why it was skipped or not decided, or what else there is to say. */
  readonly remarks?: readonly string[];
  readonly findings?: readonly ResultFinding[];
}

export interface ResultFinding {
  /** One of the headings. */
  readonly heading: string;
  readonly level: 'error' | 'warning' | 'note';
  /** The id of its rule, or of a drill's check. */
  readonly rule: string;
  /** The operation, check or request that it concerns. With rule and location it is the same in every run. */
  readonly subject: string;
  /** Location in a message: `query/limit`. */
  readonly location?: string;
  readonly message: string;
  /** The message in words that are the same in every run, where it contains an id, a time or what was measured. */
  readonly summary?: string;
  /** What shows it. */
  readonly sample?: ResultSample;
  /** How to correct it, as a sentence. */
  readonly fix?: string;
  /** The same as parts of a request. */
  readonly correction?: ResultCorrection;
  /** Location in the specification. */
  readonly pointer: string;
  readonly requests?: FoundIn;
  /** `known`, where it is accepted. */
  readonly accepted?: string;
}

/** The requests of a finding: their number, the ids of the first ones, and that of the last. */
interface FoundIn {
  readonly count: number;
  readonly ids: readonly string[];
  readonly last: string;
  /** The first and the last, each in one line with its id: the request log may be gone. */
  readonly lines?: readonly string[];
}

interface ResultCorrection {
  /** What is to be replaced or left out. */
  readonly sent?: string | undefined;
  readonly send?: string | undefined;
  /** What else to do, as sentences. */
  readonly advice?: string | undefined;
}

interface ResultSample {
  /** `GET /v1/pets?limit=500 → 400` */
  readonly request?: string;
  readonly sent?: string;
  readonly expected?: string;
  readonly got?: string;
  /** Where it is required. */
  readonly source?: string;
}

/** All counts, in words: the account of the requests first. */
export const figuresInWords = ({ account, figures }: Results): string[] => [accountInWords(account), ...figures];

/** A verdict with its reasons. */
export const verdictInWords = ({ title, reasons }: Results): string =>
  `${title}${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`;

/** A verdict with its reasons and figures, in one line that needs no other. */
export const summaryInWords = (results: Results): string =>
  `${verdictInWords(results)} (${figuresInWords(results).join(', ')})`;

export const findingsOf = ({ groups }: Results): ResultFinding[] =>
  groups.flatMap(({ items }) => items.flatMap(({ findings = [] }) => findings));

/** The findings below a heading, those of a rule together. */
export function findingsBelow(heading: string, results: Results): ResultFinding[] {
  const found = findingsOf(results).filter((finding) => finding.heading === heading);
  const order = [...new Set(found.map(({ rule }) => rule))];
  return found.sort((a, b) => order.indexOf(a.rule) - order.indexOf(b.rule));
}

/** `listPets, query/limit` */
export const placeOf = ({ subject, location }: ResultFinding): string => [subject, location ?? []].flat().join(', ');

/** `req_1 req_2 … req_12` */
export const idsOf = ({ count, ids, last }: FoundIn): string =>
  [...ids, ...(count > ids.length && !ids.includes(last) ? ['…', last] : [])].join(' ');

/** The worst status of a group; `skipped` where nothing else is in it. */
export const statusOf = ({ items }: Group): Status =>
  (['failed', 'error', 'accepted'] as const).find((status) => items.some((item) => item.status === status)) ??
  (items.length > 0 && items.every(({ status }) => status === 'skipped') ? 'skipped' : 'passed');
