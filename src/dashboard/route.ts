/**
 * The current place, as a fragment: `#/live/req_…/response?status=400`. It can be sent to a colleague, and never
 * contains a secret. The part after `?` is the filter of the list, which stays while the view changes.
 */
import { useEffect, useState } from 'preact/hooks';

const VIEWS = ['live', 'pets', 'drills', 'ready', 'setup'] as const;
const TABS = ['request', 'response', 'edit'] as const;

export type ViewName = (typeof VIEWS)[number];
export type Tab = (typeof TABS)[number];

interface ViewAddress {
  readonly view: ViewName;
  /** The open request, or `new` for one that is being written. */
  readonly request: string | undefined;
  /** The chosen side of it. */
  readonly tab: Tab | undefined;
  /** What a new request or a fault begins with: the name of an operation. */
  readonly operation: string | undefined;
  /** The open drill. */
  readonly drill: string | undefined;
  /** The filter, as a query. */
  readonly query: string;
}

export const REFERENCE = 'docs/reference/petstore-api.md';

/** An operation of the API in the reference. */
export const referenceLink = (operation: string): string => `${REFERENCE}#${operation}`;

/** With the filter of the present place. */
export function addressOf(view: ViewName, ...parts: readonly (string | undefined)[]): string {
  const given = parts.filter((part) => part !== undefined);
  const { query } = placeNow();
  return `#/${[view, ...given].join('/')}${query === '' ? '' : `?${query}`}`;
}

/** The name in a link's query of the sandbox that it is about. */
const SANDBOX = 'sandbox';

/** A link for somebody else: it names its sandbox, so that the page can say which key it needs. */
export function linkTo(sandbox: string, view: ViewName, ...parts: readonly string[]): string {
  const [path, query] = addressOf(view, ...parts).split('?', 2);
  const wanted = new URLSearchParams(query);
  wanted.set(SANDBOX, sandbox);
  return `${location.href.split('#')[0]}${path}?${wanted}`;
}

/** The sandbox that a link names; `undefined` without one. */
export const linkedSandbox = (): string | undefined => new URLSearchParams(placeNow().query).get(SANDBOX) ?? undefined;

/** The code of a link that signs in, which leaves the address and the browser's history at once; `undefined` without one. */
export function takeSignInCode(): string | undefined {
  const [, code] = /^#\/sign-in\/(\w+)$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, '', '#/live');
  return code;
}

/** What the list is narrowed to, the selected run, and which of its mistakes are shown. */
const FILTERS = ['contains', 'failures', 'run', 'change'] as const;
export type Filter = { readonly [Name in (typeof FILTERS)[number]]?: string };

export function filterIn(query: string): Filter {
  const given = new URLSearchParams(query);
  return Object.fromEntries(FILTERS.map((name) => [name, given.get(name)]).filter(([, value]) => value));
}

/** In place of the name of a run: all of them. */
export const ALL_RUNS = 'all';

/** Changes the filter, without an entry in the browser's history. */
export function setFilter(filter: Filter): void {
  const [path] = location.hash.split('?', 1);
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();
  location.replace(`${path === '' ? '#/live' : path}${query === '' ? '' : `?${query}`}`);
}

/** The current place; `usePlace` follows a moment later. */
export function placeNow(): ViewAddress {
  const [path = '', query = ''] = location.hash.split(/\?(.*)/s, 2);
  const [, name = '', ...rest] = path.split('/');
  const view = VIEWS.find((each) => each === name) ?? 'live';
  const [request = '', tab] = view === 'live' ? rest : [];
  const [drill = ''] = view === 'drills' ? rest : [];
  return {
    view,
    request: /^(req_[A-Za-z0-9]+|new)$/.test(request) ? request : undefined,
    tab: TABS.find((each) => each === tab),
    operation: request === 'new' ? tab : view === 'setup' ? rest[0] : undefined,
    drill: /^[a-z0-9-]+$/.test(drill) ? drill : undefined,
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
