/** Locations of the files shipped with the program, relative to `src/` and `dist/` alike. */
import { fileURLToPath } from 'node:url';
import about from '../../package.json' with { type: 'json' };

/** `src/base/` is one folder deeper than `dist/`. */
const root = import.meta.url.endsWith('.ts') ? '../..' : '..';
const folder = (name: string): string => fileURLToPath(new URL(`${root}/${name}`, import.meta.url));

export const shippedFixtures: string = folder('fixtures');
/** Of the shipped ones, those that name a recipe, with their pets. Built by `npm run build`; may be missing in a fresh checkout. */
export const builtFixtures: string = folder('dist/fixtures');
export const shippedSpecifications: string = folder('spec');
/** With the pictures of the documentation. */
export const shippedDocumentation: string = folder('docs');
/** `llms.txt`, and the pages that it lists. Built by `npm run build`; may be missing in a fresh checkout. */
export const builtDocumentation: string = folder('dist/docs');
/** Built by `npm run build`; may be missing in a fresh checkout. */
export const shippedDashboard: string = folder('dist/dashboard');
export const version: string = about.version;
