// The bundler's settings. One bundle of ES modules runs everything; one of CommonJS is for those who `require` the
// library, as Jest does by default.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

// Bundled CommonJS packages still call `require` for Node's own modules, which ES modules lack.
const requireInModules =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";

// And CommonJS lacks `import.meta.url`.
const urlInCommonJs = "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;";

/** Parts of Express that its router does not need; the tests would detect a part that is used. */
const unused = fileURLToPath(new URL('unused-express-parts.cjs', import.meta.url));
const unusedMcp = fileURLToPath(new URL('unused-mcp-parts.mjs', import.meta.url));
const noTypes = fileURLToPath(new URL('no-types.json', import.meta.url));

/**
 * `import` of `node:http` evaluates all its exports, and so loads the WebSocket client behind one of them: 10 ms of the
 * start and 5 MiB. `require` does not.
 */
const requireHttp = {
  name: 'require-http',
  setup: ({ onResolve, onLoad }) => {
    const namespace = 'required';
    onResolve({ filter: /^node:http$/ }, ({ path: name, kind }) =>
      kind === 'import-statement' ? { path: name, namespace } : undefined,
    );
    onLoad({ filter: /.*/, namespace }, ({ path: name }) => ({
      contents: `module.exports = require(${JSON.stringify(name)});`,
    }));
  },
};

/** The packages of MCP have a copy of zod each where another version is installed at the root: one is bundled. */
const oneZod = {
  name: 'one-zod',
  setup: ({ onResolve, resolve }) => {
    const resolveDir = path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server'));
    onResolve({ filter: /^zod(?:\/|$)/ }, ({ path: name, kind, pluginData }) =>
      pluginData === oneZod ? undefined : resolve(name, { kind, resolveDir, pluginData: oneZod }),
    );
  },
};

/** What is loaded on first use has a file of its own: the library for tests that start a server, and MCP. */
const apart = {
  name: 'apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\/index\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './index.cjs', external: true } : undefined,
    );
    onResolve({ filter: /^@modelcontextprotocol\/server$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './mcp.cjs', external: true },
    );
  },
};

/** What both bundles share. */
const settings = (outdir, plugins) => ({
  absWorkingDir: root,
  outdir,
  entryNames: '[name]',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // The users' test runner is their own.
  external: ['vitest'],
  // Names are not minified, so that stack traces in a log are readable.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'linked',
  plugins: [requireHttp, oneZod, ...plugins],
  alias: { 'body-parser': unused, 'mime-db': noTypes, '@modelcontextprotocol/server/_shims': unusedMcp },
  metafile: true,
  write: false,
  logLevel: 'silent',
});

const rejectWarnings = async ({ outputFiles, metafile, warnings }) => {
  if (warnings.length === 0) return { files: outputFiles, metafile };
  const texts = await esbuild.formatMessages(warnings, { kind: 'warning', color: false });
  throw new Error(`The bundler warns; fix the cause or name the exception in scripts/bundle.mjs:\n${texts.join('')}`);
};

/**
 * Bundles code into ES modules, one for each entry, and their shared chunks.
 * @param {{ entries: string[], outdir: string, plugins?: import('esbuild').Plugin[] }} options entries relative to the
 * repository's root; plugins may change sources
 * @returns {Promise<{ files: import('esbuild').OutputFile[], metafile: import('esbuild').Metafile }>} the files to write
 * @throws on any error or warning of the bundler
 */
export const bundle = async ({ entries, outdir, plugins = [] }) =>
  rejectWarnings(
    await esbuild.build({
      ...settings(outdir, plugins),
      entryPoints: entries,
      format: 'esm',
      splitting: true,
      chunkNames: '[name]-[hash]',
      banner: { js: requireInModules },
    }),
  );

/**
 * Bundles the library into CommonJS: `index.cjs`, `testing.cjs`, and `mcp.cjs` with the MCP library. The validator's worker is that of the ES modules.
 * @param {{ outdir: string }} options
 * @throws on any error or warning of the bundler
 */
export const bundleCommonJs = async ({ outdir }) =>
  rejectWarnings(
    await esbuild.build({
      ...settings(outdir, [apart]),
      entryPoints: { index: 'src/index.ts', testing: 'src/testing.ts', mcp: '@modelcontextprotocol/server' },
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      // Jest's modules have no `import()` unless Node is asked for it.
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': '__moduleUrl' },
      banner: { js: urlInCommonJs },
    }),
  );
