/** Where the files are that come with the program: beside `src/` and `dist/` alike. */
import { fileURLToPath } from 'node:url';
import about from '../package.json' with { type: 'json' };

const folder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

export const shippedFixtures: string = folder('fixtures');
export const shippedDocuments: string = folder('spec');
/** Built by `npm run build`; may not be there in a fresh checkout. */
export const shippedDashboard: string = folder('dist/dashboard');
export const version: string = about.version;
