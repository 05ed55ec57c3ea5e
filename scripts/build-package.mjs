// What `npm pack` packs (`prepack`): the build, and what only users of the package need: the library as CommonJS, and
// the types.
import { realpathSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { buildAllTypes } from './build-types.mjs';
import { bundleCommonJs } from './bundle.mjs';

const outdir = path.join(fileURLToPath(new URL('..', import.meta.url)), 'dist');

/** @returns {Promise<import('esbuild').Metafile[]>} what the bundler reports of everything that is packed */
export const buildPackage = async () => {
  const { metafiles } = await build({ outdir });
  // Everything in it is in the other bundle too, so dist/LICENSES covers it.
  const { files } = await bundleCommonJs({ outdir });
  for (const { path: file, contents } of files) {
    await writeFile(`${file}.tmp`, contents);
    await rename(`${file}.tmp`, file);
  }
  await buildAllTypes();
  return metafiles;
};

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) await buildPackage();
