/** The filter of the stream: in the address, so that it can be shared and outlives a reload. */
import type { KeptEntry } from './kept.ts';
import { findingOf } from './row-words.ts';
import { isUnmatched } from './unmatched.tsx';

export interface Filter {
  /** Text in the path, a body, the pet's name, an id, or a finding. */
  readonly text: string;
  readonly operation: string;
  /** `''` for all, `4xx` for a class, `404` for one. */
  readonly status: string;
  /** What kind of request; see KINDS. */
  readonly show: string;
}

/** The value for exchanges without a matching operation. */
export const NONE = 'none';

/** Kinds of requests, by their name in the address. */
export const KINDS: Readonly<Record<string, readonly [label: string, test: (entry: KeptEntry) => boolean]>> = {
  violations: ['Violations', (entry) => isUnmatched(entry) || entry.violations.length > 0],
  findings: [
    'Violations and warnings',
    (entry) => isUnmatched(entry) || entry.violations.length + entry.warnings.length > 0,
  ],
  faults: ['Faults', (entry) => !isUnmatched(entry) && (entry.injectedFault !== null || entry.delayMs > 0)],
  client: ['Without this page', (entry) => isUnmatched(entry) || !entry.fromDashboard],
  unmatched: ['Unmatched', isUnmatched],
};

const NAMES = { text: 'q', operation: 'operation', status: 'status', show: 'show' } as const;

/** @param query of the address */
export function filterIn(query: string): Filter {
  const given = new URLSearchParams(query);
  const of = (name: keyof Filter): string => given.get(NAMES[name]) ?? '';
  return { text: of('text'), operation: of('operation'), status: of('status'), show: of('show') };
}

export function queryOf(filter: Filter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value !== '') query.set(NAMES[name as keyof Filter], value);
  return query.toString();
}

/** @param inBodies the exchanges with the text in a body */
export function matches(filter: Filter, entry: KeptEntry, inBodies: ReadonlySet<string>): boolean {
  const { operation, status, show, text } = filter;
  const own = isUnmatched(entry) ? NONE : (entry.operation ?? NONE);
  return (
    (operation === '' || own === operation) &&
    (status === '' ||
      (status.endsWith('xx') ? status[0] === String(entry.status)[0] : status === String(entry.status))) &&
    (KINDS[show]?.[1](entry) ?? true) &&
    (text === '' || inBodies.has(entry.id) || holdsText(entry, text))
  );
}

/** Whether the row itself holds the text. */
export const holdsText = (entry: KeptEntry, text: string): boolean => textOf(entry).includes(text.toLowerCase());

function textOf(entry: KeptEntry): string {
  const parts = isUnmatched(entry)
    ? [entry.path, entry.message, entry.instead, entry.userAgent ?? '']
    : [
        entry.target,
        entry.petName ?? '',
        entry.operation ?? '',
        entry.injectedFault ?? '',
        findingOf(entry) ?? '',
        ...(entry.changes?.created.map((id) => `pet ${id}`) ?? []),
        ...[...entry.violations, ...entry.warnings].flatMap(({ location, message }) => [location, message]),
      ];
  return [entry.method, entry.status, entry.id, ...parts].join(' ').toLowerCase();
}
