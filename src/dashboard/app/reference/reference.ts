/** The reference: Swagger UI, told which document, and with the key that this tab holds. */
import { keptKey } from '../session.ts';
import { makeAccessible } from './accessible.ts';
import { exactBodies } from './exact-bodies.ts';

/** What is used of Swagger UI, which is loaded before this. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
}
declare const SwaggerUIBundle: (options: object) => SwaggerUi;

/** The schemes of the two documents that a key answers. */
const SCHEMES = ['apiKey', 'sandboxKey'];

const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-document]')];

function show(): void {
  const chosen = links.find(({ hash }) => hash === location.hash) ?? links[0];
  for (const link of links) {
    if (link === chosen) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const ui = SwaggerUIBundle({
    // Beside this page: the server puts its own address into the document.
    url: chosen?.dataset['document'],
    dom_id: '#reference',
    // No other server is asked whether the document is valid.
    validatorUrl: null,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    // Its themes have too little contrast in one scheme or the other.
    syntaxHighlight: false,
    plugins: [exactBodies, withoutDialectWarning],
    onComplete: () => {
      const key = keptKey();
      if (key !== undefined) for (const scheme of SCHEMES) ui.preauthorizeApiKey(scheme, key);
    },
  });
}

/** It warns of any dialect but its own; both documents keep to what all dialects share. */
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
