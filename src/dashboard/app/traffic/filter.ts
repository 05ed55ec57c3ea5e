/** The filter of the stream: in the address, so that it can be shared and outlives a reload. */
import type { Summary } from './kept.ts';

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
export const KINDS: Readonly<Record<string, readonly [label: string, test: (entry: Summary) => boolean]>> = {
  violations: ['Violations', ({ violations, operation }) => violations.length > 0 || operation === null],
  findings: [
    'Violations and warnings',
    ({ violations, warnings, operation }) => violations.length + warnings.length > 0 || operation === null,
  ],
  faults: ['Faults', ({ injectedFault, delayMs }) => injectedFault !== null || delayMs > 0],
  client: ['Without this page', ({ fromDashboard }) => !fromDashboard],
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
export function matches(filter: Filter, entry: Summary, inBodies: ReadonlySet<string>): boolean {
  const { operation, status, show, text } = filter;
  return (
    (operation === '' || (entry.operation ?? NONE) === operation) &&
    (status === '' ||
      (status.endsWith('xx') ? status[0] === String(entry.status)[0] : status === String(entry.status))) &&
    (KINDS[show]?.[1](entry) ?? true) &&
    (text === '' || inBodies.has(entry.id) || holdsText(entry, text))
  );
}

/** Whether the row itself holds the text. */
export const holdsText = (entry: Summary, text: string): boolean => textOf(entry).includes(text.toLowerCase());

const textOf = ({ method, status, id, target, petName, operation, remarks, changes, ...entry }: Summary): string =>
  [
    ...[method, status, id, target, petName ?? '', operation ?? ''],
    ...remarks.map(({ text }) => text),
    ...(changes?.created.map((created) => `pet ${created}`) ?? []),
    ...[...entry.violations, ...entry.warnings].flatMap(({ location, message }) => [location, message]),
  ]
    .join(' ')
    .toLowerCase();
