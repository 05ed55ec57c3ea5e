/** The reference: Swagger UI for the chosen specification, with this tab's key. */
import { parseDigits, writeJson } from '../../../core/int64.ts';
import { keptKey } from '../kept-key.ts';

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
  if (operation !== undefined) openOperation(operation);
}

function showSpecification(chosen: HTMLAnchorElement): void {
  shown = chosen;
  for (const link of links) link.ariaCurrent = link === chosen ? 'page' : null;
  const ui = SwaggerUIBundle({
    // Relative to this page: the server puts its own address into the specification.
    url: chosen.dataset['specification'],
    dom_id: '#reference',
    // Disables the validator service of another server.
    validatorUrl: null,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    // Its themes have too little contrast.
    syntaxHighlight: false,
    plugins: [exactBodies, withoutDialectWarning],
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
const marked = (request: SentRequest): SentRequest =>
  request.loadSpec || new URL(request.url, document.baseURI).pathname.includes('/_sandbox')
    ? request
    : { ...request, headers: { ...request.headers, 'Sandbox-Source': 'dashboard' } };

/** It warns about every dialect but its own; both specifications only use keywords common to all dialects. */
const withoutDialectWarning = () => ({ components: { JsonSchemaDialect: () => null } });

interface BodyProps {
  readonly content: unknown;
  readonly contentType?: string;
}
type Component = (props: BodyProps) => unknown;
interface System {
  readonly React: { createElement(component: Component, props: BodyProps): unknown };
}

/** Swagger UI formats JSON responses with `JSON.parse` and so rounds an int64: here numbers keep their digits. */
const exactBodies = () => ({
  wrapComponents: {
    responseBody: (Original: Component, system: System) => (props: BodyProps) =>
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

/** Waits for the operation, because Swagger UI draws when it likes; another address ends that. */
function openOperation(operation: string): void {
  const open = (): boolean => {
    const block = [...part.querySelectorAll('.opblock')].find(({ id }) => id.endsWith(`-${operation}`));
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

/** Accessibility that Swagger UI lacks: names, and the order of headings. */
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

/** Swagger UI may redraw at any time, so the page is completed after every change. */
function complete(): void {
  const set = (element: Element, name: string, value: string): void => {
    if (!element.hasAttribute(name)) element.setAttribute(name, value);
  };
  for (const [selector, attributes] of MISSING)
    for (const element of part.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  // Each operation has one of these: its id makes it unique.
  for (const table of part.querySelectorAll('.responses-table')) set(table, 'aria-label', `Responses, ${table.id}`);
}

/** Swagger UI has a dark scheme, for this class alone. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = (): unknown => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

new MutationObserver(complete).observe(part, { childList: true, subtree: true });
addEventListener('hashchange', show);
show();
