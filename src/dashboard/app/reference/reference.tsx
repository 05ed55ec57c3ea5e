/** The reference: Swagger UI for the chosen specification, with this tab's key, in the shell of the dashboard. */

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { parseDigits, writeJson } from '../../../core/int64.ts';
import { addressOf, DASHBOARD } from '../route.ts';
import { keepKey, keptKey, openSession, type Session, SessionContext } from '../session.ts';
import { Bar, Brand, Views } from '../shell/bar.tsx';
import { KeyGone, keyLossIn } from '../strip/lost.tsx';
import { StateContext, useStateOf } from '../strip/state.ts';
import { Strip } from '../strip/strip.tsx';
import { useLive } from '../traffic/live.ts';

/** The parts of Swagger UI that are used; it is loaded before this. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
}
declare const SwaggerUIBundle: (options: object) => SwaggerUi;

interface SentRequest {
  readonly url: string;
  readonly loadSpec?: boolean;
  readonly headers: Record<string, string>;
}

/** The security schemes of the two specifications that accept a key. */
const SCHEMES = ['apiKey', 'sandboxKey'];

const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-specification]')];
const part = document.getElementById('reference') as HTMLElement;

let shown: HTMLAnchorElement | undefined;

/** Shows what the address names: `#petstore`, `#control`, `#petstore/createPet`. */
function show(): void {
  const [name, operation] = location.hash.split('/', 2);
  const chosen = links.find(({ hash }) => hash === name) ?? (links[0] as HTMLAnchorElement);
  if (chosen !== shown) showSpecification(chosen);
  if (operation !== undefined) openOperation(part, operation);
}

function showSpecification(chosen: HTMLAnchorElement): void {
  shown = chosen;
  for (const link of links) {
    if (link === chosen) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const ui = SwaggerUIBundle({
    // Relative to this page: the server puts its own address into the specification.
    url: chosen.dataset['specification'],
    dom_id: '#reference',
    // Disables the validator service of another server.
    validatorUrl: null,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    // Its themes have too little contrast in one of the two colour schemes.
    syntaxHighlight: false,
    plugins: [exactBodies, exchangeLinks, withoutDialectWarning],
    requestInterceptor: marked,
    // The curl line is for elsewhere: without the mark.
    showMutatedRequest: false,
    onComplete: () => {
      const key = keptKey();
      if (key !== undefined) for (const scheme of SCHEMES) ui.preauthorizeApiKey(scheme, key);
    },
  });
}

/** Marks requests to the API as those of this server's pages. */
function marked(request: SentRequest): SentRequest {
  if (request.loadSpec || !isOfInterface(request.url)) return request;
  return { ...request, headers: { ...request.headers, 'Sandbox-Source': 'dashboard' } };
}

/** It warns about every dialect but its own; both specifications only use keywords common to all dialects. */
const withoutDialectWarning = () => ({ components: { JsonSchemaDialect: () => null } });

/**
 * Adds accessibility that Swagger UI lacks: names, landmarks, and the order of headings. It may redraw at any time, so
 * the page is checked after every change.
 */
const MISSING: readonly (readonly [selector: string, attributes: Readonly<Record<string, string>>])[] = [
  ['#servers', { 'aria-label': 'Server' }],
  ['.examples-select-element', { 'aria-label': 'Example' }],
  ['select.content-type, .response-control-media-type select', { 'aria-label': 'Media type' }],
  ['textarea', { 'aria-label': 'Request body' }],
  ['.parameters select', { 'aria-label': 'Value' }],
  // One level below the title, and so on.
  ['h3', { 'aria-level': '2' }],
  ['h4', { 'aria-level': '3' }],
  ['h5', { 'aria-level': '4' }],
  ['.information-container', { role: 'region', 'aria-label': 'About this document' }],
  ['.schemes-server-container', { role: 'region', 'aria-label': 'Server and key' }],
];

/** Watches a part of the page for its whole lifetime. */
function makeAccessible(part: HTMLElement): void {
  const mend = (): void => {
    for (const [selector, attributes] of MISSING) {
      for (const element of part.querySelectorAll(selector)) complete(element, attributes);
    }
    // Each operation has one of these: its id makes it unique.
    for (const table of part.querySelectorAll('.responses-table'))
      complete(table, { 'aria-label': `Responses, ${table.id}` });
  };
  new MutationObserver(mend).observe(part, { childList: true, subtree: true });
}

/** Sets missing attributes. */
function complete(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (!element.hasAttribute(name)) element.setAttribute(name, value);
  }
}

interface BodyProps {
  readonly content: unknown;
  readonly contentType?: string;
}
type Component<Props> = (props: Props) => unknown;
interface System {
  readonly React: { createElement<Props>(component: Component<Props>, props: Props): unknown };
}

/**
 * A plugin for Swagger UI, which formats JSON responses with `JSON.parse` and so rounds an int64: here numbers keep
 * their digits.
 */
const exactBodies = () => ({
  wrapComponents: {
    responseBody: (Original: Component<BodyProps>, system: System) => (props: BodyProps) =>
      system.React.createElement(Original, exact(props)),
  },
});

/** Formatted here and declared plain text, so that it is shown unchanged. */
function exact(props: BodyProps): BodyProps {
  if (typeof props.content !== 'string' || !/json/i.test(props.contentType ?? '')) return props;
  try {
    return { ...props, content: writeJson(parseDigits(props.content), 2), contentType: 'text/plain' };
  } catch {
    return props;
  }
}

/** The address of an operation: `#petstore/createPet` opens it, and opening it makes that the address. */
const blockOf = (part: HTMLElement, operation: string): HTMLElement | undefined =>
  [...part.querySelectorAll<HTMLElement>('.opblock')].find(({ id }) => id.endsWith(`-${operation}`));

/** Waits for the operation, because Swagger UI draws when it likes; another address ends that. */
function openOperation(part: HTMLElement, operation: string): void {
  const open = (): boolean => {
    const block = blockOf(part, operation);
    if (!block) return false;
    if (!block.classList.contains('is-open')) block.querySelector<HTMLElement>('.opblock-summary-control')?.click();
    block.scrollIntoView();
    return true;
  };
  if (open()) return;
  const watching = new MutationObserver(() => open() && watching.disconnect());
  watching.observe(part, { childList: true, subtree: true });
  addEventListener('hashchange', () => watching.disconnect(), { once: true });
}

/** @param specification the first part of the address */
function followOperations(part: HTMLElement, specification: () => string): void {
  part.addEventListener('click', ({ target }) => {
    const block = target instanceof Element && target.closest('.opblock-summary-control')?.closest('.opblock');
    if (!block) return;
    const operation = block.id.split('-').at(-1);
    const isOpening = !block.classList.contains('is-open');
    history.replaceState(null, '', isOpening ? `${specification()}/${operation}` : specification());
  });
}

/** Goes to the dashboard without this tab's key. */
function leave(): void {
  keepKey(undefined);
  location.href = DASHBOARD;
}

function Shell() {
  const [session, setSession] = useState<Session | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => {
    const kept = keptKey();
    if (kept !== undefined) openSession(kept).then(setSession, setError);
  }, []);
  if (session) {
    return (
      <SessionContext.Provider value={session}>
        <Opened session={session} />
      </SessionContext.Provider>
    );
  }
  return (
    <>
      <header class="bar">
        <Brand />
        <Views current="reference" broken={0} />
      </header>
      <section class="strip" aria-label="State of the sandbox">
        <Without error={error} />
      </section>
    </>
  );
}

function Without({ error }: { error: unknown }) {
  if (keptKey() !== undefined && error === undefined) return <span class="connection opening">Connecting</span>;
  return (
    <span>
      {error instanceof Error ? `${error.message}. ` : 'No key in this tab: '}
      <a href={DASHBOARD}>open the dashboard</a> first, or use Authorize.
    </span>
  );
}

function Opened({ session }: { session: Session }) {
  const live = useLive(session);
  const state = useStateOf(live);
  const loss = keyLossIn(live, state);
  const broken = live.exchanges.filter(({ violations }) => violations.length > 0).length;
  return (
    <StateContext.Provider value={state}>
      <Bar session={session} current="reference" broken={broken} onLeave={leave} />
      <Strip live={live} />
      {loss !== undefined && <KeyGone error={loss} onLeave={leave} />}
    </StateContext.Provider>
  );
}

interface Headers {
  toJS(): Readonly<Record<string, string>>;
}
interface LiveResponseProps {
  /** An Immutable Map. */
  readonly response: { get(name: 'headers'): Headers | undefined; get(name: 'url'): string | undefined };
}
type LiveComponent<Props> = (props: Props) => unknown;
interface LiveSystem {
  readonly React: {
    createElement(component: unknown, props: object | null, ...children: unknown[]): unknown;
  };
}

/** Whether a request went to the API: those to the control API are not recorded. */
const isOfInterface = (url: string | undefined): boolean =>
  url !== undefined && !new URL(url, document.baseURI).pathname.includes('/_sandbox');

/** A plugin for Swagger UI: each response of the API links to its request in the traffic. */
const exchangeLinks = () => ({
  wrapComponents: {
    liveResponse:
      (Original: LiveComponent<LiveResponseProps>, { React }: LiveSystem) =>
      (props: LiveResponseProps) => {
        const { response } = props;
        const id = response.get('headers')?.toJS()['sandbox-request-id'];
        const original = React.createElement(Original, props);
        if (id === undefined || !isOfInterface(response.get('url'))) return original;
        const link = React.createElement('a', { href: addressOf('traffic', id) }, `${id} in the traffic`);
        return React.createElement(
          'div',
          null,
          React.createElement('p', { className: 'exchange-link' }, 'This request is ', link, '.'),
          original,
        );
      },
  },
});

render(<Shell />, document.getElementById('shell') as HTMLElement);
makeAccessible(part);
followOperations(part, () => shown?.hash ?? '');
addEventListener('hashchange', show);
show();
