// What `npm pack` packs (`prepack`): the build, and what only users of the package need: the library as CommonJS, and
// the types.
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { buildAllTypes } from './build-types.mjs';
import { bundleCommonJs } from './bundle.mjs';

const outdir = path.join(fileURLToPath(new URL('..', import.meta.url)), 'dist');

await build({ outdir });
// Everything in it is in the other bundle too, so dist/LICENSES covers it.
const { files } = await bundleCommonJs({ outdir });
for (const { path: file, contents } of files) {
  await writeFile(`${file}.tmp`, contents);
  await rename(`${file}.tmp`, file);
}
await buildAllTypes();
