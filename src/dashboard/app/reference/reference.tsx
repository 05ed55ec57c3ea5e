/** The reference: Swagger UI for the chosen specification, with this tab's key, in the shell of the dashboard. */
import { render } from 'preact';
import { keptKey } from '../session.ts';
import { makeAccessible } from './accessible.ts';
import { exactBodies } from './exact-bodies.ts';
import { exchangeLinks, isOfInterface } from './exchange-links.ts';
import { followOperations, openOperation } from './operations.ts';
import { Shell } from './shell.tsx';

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

/** Shows what the address names: `#interface`, `#controls`, `#interface/createPet`. */
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

/** Marks requests to the interface as those of this server's pages. */
function marked(request: SentRequest): SentRequest {
  if (request.loadSpec || !isOfInterface(request.url)) return request;
  return { ...request, headers: { ...request.headers, 'Sandbox-Intent': 'dashboard' } };
}

/** It warns about every dialect but its own; both specifications only use keywords common to all dialects. */
const withoutDialectWarning = () => ({ components: { JsonSchemaDialect: () => null } });

render(<Shell />, document.getElementById('shell') as HTMLElement);
makeAccessible(part);
followOperations(part, () => shown?.hash ?? '');
addEventListener('hashchange', show);
show();
