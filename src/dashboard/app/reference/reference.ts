/** The reference: Swagger UI for the chosen specification, with this tab's key. */
import { keptKey } from '../session.ts';
import { makeAccessible } from './accessible.ts';
import { exactBodies } from './exact-bodies.ts';

/** The parts of Swagger UI that are used; it is loaded before this. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
}
declare const SwaggerUIBundle: (options: object) => SwaggerUi;

/** The security schemes of the two specifications that accept a key. */
const SCHEMES = ['apiKey', 'sandboxKey'];

const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-specification]')];

function show(): void {
  const chosen = links.find(({ hash }) => hash === location.hash) ?? links[0];
  for (const link of links) {
    if (link === chosen) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const ui = SwaggerUIBundle({
    // Relative to this page: the server puts its own address into the specification.
    url: chosen?.dataset['specification'],
    dom_id: '#reference',
    // Disables the validator service of another server.
    validatorUrl: null,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    // Its themes have too little contrast in one of the two colour schemes.
    syntaxHighlight: false,
    plugins: [exactBodies, withoutDialectWarning],
    onComplete: () => {
      const key = keptKey();
      if (key !== undefined) for (const scheme of SCHEMES) ui.preauthorizeApiKey(scheme, key);
    },
  });
}

/** It warns about every dialect but its own; both specifications only use keywords common to all dialects. */
const withoutDialectWarning = () => ({ components: { JsonSchemaDialect: () => null } });

const told = document.getElementById('key') as HTMLElement;
told.textContent =
  keptKey() === undefined
    ? 'No key in this tab: open the dashboard first, or use Authorize.'
    : 'Requests carry the key of this tab.';

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = (): boolean => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

makeAccessible(document.getElementById('reference') as HTMLElement);
addEventListener('hashchange', show);
show();
