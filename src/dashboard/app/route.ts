/**
 * The current place, as a fragment: `#/traffic/req_…/response?status=4xx`. It can be sent to a colleague, and never
 * contains a secret. The part after `?` is the filter of the traffic, which stays while the view changes.
 */
import { useEffect, useState } from 'preact/hooks';

const VIEWS = ['traffic', 'pets', 'controls', 'drills', 'issues', 'specification'] as const;
/** Names that views had before: their addresses still open them. */
const FORMER: Readonly<Record<string, (typeof VIEWS)[number]>> = { contract: 'issues' };
const TABS = ['request', 'response', 'timeline', 'compare', 'edit', 'correct'] as const;

export type ViewName = (typeof VIEWS)[number];
export type Tab = (typeof TABS)[number];

export interface ViewAddress {
  readonly view: ViewName;
  /** The open request, in the traffic view. */
  readonly request: string | undefined;
  /** The chosen side of it. */
  readonly tab: Tab | undefined;
  /** A place in the specification, in its view: `components/schemas/NewPet/required`. */
  readonly pointer: string;
  /** The filter, as a query. */
  readonly query: string;
}

export const REFERENCE = '_sandbox/docs';

/** An operation of the API in the reference. */
export const referenceOf = (operation: string): string => `${REFERENCE}#petstore/${operation}`;

/** With the filter of the present place. */
export function addressOf(view: ViewName, ...parts: readonly (string | undefined)[]): string {
  const given = parts.filter((part) => part !== undefined);
  const { query } = placeNow();
  return `#/${[view, ...given].join('/')}${query === '' ? '' : `?${query}`}`;
}

/** Changes the filter, without an entry in the browser's history. */
export function setQuery(query: string): void {
  const [path] = location.hash.split('?', 1);
  location.replace(`${path === '' ? '#/traffic' : path}${query === '' ? '' : `?${query}`}`);
}

/** The current place; `usePlace` follows a moment later. */
export function placeNow(): ViewAddress {
  const [path = '', query = ''] = location.hash.split(/\?(.*)/s, 2);
  const [, name = '', ...rest] = path.split('/');
  const view = VIEWS.find((each) => each === name) ?? FORMER[name] ?? 'traffic';
  const [request = '', tab] = view === 'traffic' ? rest : [];
  return {
    view,
    request: /^req_[A-Za-z0-9]+$/.test(request) ? request : undefined,
    tab: TABS.find((each) => each === tab),
    pointer: view === 'specification' ? rest.join('/') : '',
    query,
  };
}

/** The current place; follows the address. */
export function usePlace(): ViewAddress {
  const [location, setPlace] = useState(placeNow);
  useEffect(() => {
    const follow = (): void => setPlace(placeNow());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return location;
}
