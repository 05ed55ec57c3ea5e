/** What the list can be narrowed to: each is a choice with its count, and a part of the address. */
import { pathOfTarget } from '../../../core/address.ts';
import type { Summary } from './kept.ts';

interface Word {
  /** After the number: `3 rejected`. */
  readonly words: string;
  readonly includes: (entry: Summary) => boolean;
}

export const hasViolation = ({ violations, operation }: Summary): boolean =>
  violations.length > 0 || operation === null;

/** Rejected without breaking a rule of the specification: no such pet, a removed operation. */
export const isRejected = ({ status, injectedFault, operation, violations }: Summary): boolean =>
  status >= 400 && injectedFault === null && operation !== null && violations.every(({ side }) => side === 'response');

/** Rejected because its operation is no more, which no retry changes. */
export const isRemoved = (entry: Summary): boolean => entry.status === 410 && isRejected(entry);

/** Requests of the client. Requests from this page are not its mistakes. */
const ofClient =
  (includes: Word['includes']): Word['includes'] =>
  (entry) =>
    !entry.fromDashboard && includes(entry);

const kind = (name: Summary['kind'], words: string): Word => ({ words, includes: (entry) => entry.kind === name });

/** What was found: a request may be in several. */
export const FINDINGS: Readonly<Record<string, Word>> = {
  violations: { words: 'with a violation', includes: ofClient(hasViolation) },
  rejected: { words: 'rejected', includes: ofClient(isRejected) },
  warnings: { words: 'with a warning', includes: ofClient(({ warnings }) => warnings.length > 0) },
};

/** What became of each request: every one is in exactly one. */
export const KINDS: Readonly<Record<string, Word>> = {
  validated: kind('validated', 'validated'),
  expectedInvalid: kind('expectedInvalid', 'expected invalid'),
  injected: kind('injected', 'with a fault'),
  notValidated: kind('notValidated', 'not validated'),
  notRecognized: kind('notRecognized', 'not recognized'),
  malformed: kind('malformed', 'malformed'),
  skipped: kind('skipped', 'by this page'),
};

export const WORDS = { ...FINDINGS, ...KINDS };

/** The parts of an address that narrow the list of a run. */
type Filter = { readonly [Name in 'operation' | 'status' | 'show']?: string };

/** The entries that a filter lets through. @param found ids of those that contain the text of the search */
export function narrowed(
  entries: readonly Summary[],
  { operation, status, show }: Filter,
  found: ReadonlySet<string> | undefined,
): readonly Summary[] {
  const word = show === undefined ? undefined : WORDS[show];
  return entries.filter(
    (entry) =>
      (operation === undefined || (entry.operation ?? 'none') === operation) &&
      (status === undefined || String(entry.status) === status) &&
      (word === undefined || word.includes(entry)) &&
      (found === undefined || found.has(entry.id)),
  );
}

/** Whether the client must change something because of it: what the number at "Live" counts. */
export const isFailing = (entry: Summary): boolean =>
  !entry.fromDashboard && entry.kind !== 'expectedInvalid' && (hasViolation(entry) || entry.kind === 'malformed');

/**
 * The requests of a run, newest first. What this page sent stands with the run that was going on. @param run `undefined`:
 * all of them
 */
export function inRun(entries: readonly Summary[], run: string | undefined): readonly Summary[] {
  if (run === undefined) return entries;
  let going: string | null = null;
  return entries
    .toReversed()
    .filter((entry) => {
      going = entry.run ?? going;
      return entry.run === null ? going === null || going === run : entry.run === run;
    })
    .reverse();
}

/** Rows of one mistake, from this number on, are one. */
const MOST_EQUAL = 2;

/** An entry of the list, and those with the same mistake that it stands for. */
export interface Row {
  readonly entry: Summary;
  /** Names the mistake; `undefined` where it stands for itself only. */
  readonly mistake: string | undefined;
  readonly count: number;
  readonly isUnfolded: boolean;
}

/** The rows of a list: equal mistakes are one, at the newest of them. @param unfolded names of mistakes @param open in sight in any case */
export function foldedIn(
  entries: readonly Summary[],
  unfolded: ReadonlySet<string>,
  open: string | undefined,
): readonly Row[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const mistake = mistakeOf(entry);
    if (mistake !== undefined) counts.set(mistake, (counts.get(mistake) ?? 0) + 1);
  }
  const seen = new Set<string>();
  return entries.flatMap((entry): Row[] => {
    const name = mistakeOf(entry);
    const count = counts.get(name ?? '') ?? 1;
    if (name === undefined || count <= MOST_EQUAL) {
      return [{ entry, mistake: undefined, count: 1, isUnfolded: false }];
    }
    const isFirst = !seen.has(name);
    seen.add(name);
    const isUnfolded = unfolded.has(name);
    if (!isFirst && !isUnfolded && entry.id !== open) return [];
    return [{ entry, mistake: isFirst ? name : undefined, count, isUnfolded }];
  });
}

function mistakeOf(entry: Summary): string | undefined {
  if (!isFailing(entry)) return undefined;
  const { run, method, target, status, violations, remarks } = entry;
  const places = violations.map(({ side, rule, location }) => `${side} ${rule} ${location}`);
  return [run, method, pathOfTarget(target), status, ...places, ...remarks.map(({ text }) => text)].join('\n');
}

/** The next older failure; after the last one, the newest. @param entries newest first @param open the id of a request */
export function failureAfter(entries: readonly Summary[], open: string | undefined): Summary | undefined {
  const at = entries.findIndex(({ id }) => id === open);
  return entries.slice(at + 1).find(isFailing) ?? entries.find(isFailing);
}

/** Requests that belong together: an attempt and the one after it that failed or whose response was lost. */
export interface Retry {
  readonly from: Summary;
  readonly to: Summary;
  /** `+105 ms, asked for 2 s`; `created twice: 14 and 15`. */
  readonly words: string;
  readonly isTwice: boolean;
}

/** @param entries newest first */
export function retriesIn(entries: readonly Summary[]): Retry[] {
  const last = new Map<string, Summary>();
  const retries: Retry[] = [];
  const chains = new Map<string, number>();
  for (const entry of entries.toReversed()) {
    const { run, method, target, petName, request, changes, at } = entry;
    const key = [run, method, target, petName, request.bytes].join('\n');
    const before = last.get(key);
    last.set(key, entry);
    if (!before || run === null || !mayBeRetried(before)) continue;
    const [one, two] = [before.changes?.created[0], changes?.created[0]];
    const isTwice = one !== undefined && two !== undefined;
    const asked = before.injectedFault?.retryAfter;
    const waited = `+${Math.max(0, Date.parse(at) - Date.parse(before.respondedAt)).toLocaleString('en-GB')} ms`;
    const words = isTwice ? `created twice: ${one} and ${two}` : `${waited}${asked ? `, asked for ${asked} s` : ''}`;
    // A chain of retries has one text, at its beginning.
    const head = chains.get(key);
    const first = head === undefined ? undefined : retries[head];
    const isChained = first !== undefined && retries.some(({ to }) => to === before) && !isTwice;
    if (isChained) retries[head as number] = { ...first, words: first.words.replace(/(, asked.*)?$/, `, ${waited}$1`) };
    else chains.set(key, retries.length);
    retries.push({ from: before, to: entry, words: isChained ? '' : words, isTwice });
  }
  return retries;
}

const mayBeRetried = ({ status, injectedFault, disconnectedAt }: Summary): boolean =>
  status === 0 || status === 429 || status >= 500 || disconnectedAt !== null || injectedFault !== null;
