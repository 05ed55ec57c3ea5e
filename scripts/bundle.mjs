// The bundler's settings. The program and the library are CommonJS, a file each, and a file for each rare package: as 58 ES
// modules, they took a fifth more processor time at each start. Those who `import` the library get an ES module that hands
// it on.
import { readFile } from 'node:fs/promises';
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

// Where Jest's own context lacks these classes, the context around it has them. They are loaded with their first use.
const classesOfFetch = Object.fromEntries(['Headers', 'Request', 'Response'].map((name) => [name, `__main.${name}`]));
const mainContext = "const __main = require('node:vm').runInThisContext('globalThis');";

const realGlobals = fileURLToPath(new URL('real-globals.mjs', import.meta.url));
const realIntl = fileURLToPath(new URL('real-intl.mjs', import.meta.url));

// The types of a thousand file extensions, which Prism loads and never looks up.
const noTypes = fileURLToPath(new URL('no-types.json', import.meta.url));
// What reads GraphQL, which no draft is written in: 400 KB.
const unusedGraphql = fileURLToPath(new URL('unused-graphql.cjs', import.meta.url));
const unusedMcp = fileURLToPath(new URL('unused-mcp-parts.mjs', import.meta.url));

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

/** The specifications as text that is parsed: that takes half of what the same objects take as code. */
const parsedJson = {
  name: 'parsed-json',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]generated[\\/].*\.json$/ }, async ({ path: file }) => {
      const text = JSON.stringify(JSON.parse(await readFile(file, 'utf8')));
      return { contents: `export default /* @__PURE__ */ JSON.parse(${JSON.stringify(text)});` };
    });
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

/** Of Express, its router alone is used: the rest takes three quarters of the time to load it. */
const routerOnly = {
  name: 'router-only',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(?:body-parser|serve-static|\.\/(?:application|request|response))$/ }, ({ importer }) =>
      /[\\/]express[\\/]lib[\\/]express\.js$/.test(importer) ? { path: noTypes } : undefined,
    ),
};

/** What has a file of its own: where it is imported, the file is loaded, on first use if the import is dynamic. */
const apart = {
  name: 'apart',
  setup: ({ onResolve }) => {
    const files = [
      [/\/cli\/program\.ts$/, './program.cjs'],
      [/\/cli\/wait-program\.ts$/, './wait.cjs'],
      [/\/index\.ts$/, './index.cjs'],
      [/\/testing\.ts$/, './testing.cjs'],
      [/\/library\.ts$/, './mcp.cjs'],
      [/\/uncaught\.ts$/, './uncaught.cjs'],
      // Taken once, whatever is loaded later.
      [/\/real-globals\.ts$/, './real-globals.cjs'],
      [/\/self-signed\.ts$/, './self-signed.cjs'],
    ];
    for (const [filter, file] of files) {
      onResolve({ filter }, ({ kind }) => (kind === 'entry-point' ? undefined : { path: file, external: true }));
    }
  },
};

/** Packages that few starts use. In files of their own: to read and compile them takes as long as an eighth of a start. */
const rare = [
  ...['ajv/dist/2020.js', 'csv-parse/sync', 'express', 'json-schema-faker', 'pino-pretty'],
  ...['yaml', 'temporal-polyfill'],
];
const fileOf = (name) => name.replace(/\.js$/, '').replaceAll('/', '-');
const rareApart = {
  name: 'rare-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[a-z]/ }, ({ path: name, importer }) =>
      rare.includes(name) && importer.endsWith('.ts') ? { path: `./${fileOf(name)}.cjs`, external: true } : undefined,
    ),
};

/** The command that a container runs every ten seconds, without what the others load. */
const waitOnly = {
  name: 'wait-only',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.ts$/ }, ({ kind, path: file }) =>
      kind === 'dynamic-import' && file !== './wait.ts' ? { path: './program.cjs', external: true } : undefined,
    ),
};

/** What both formats share. */
const settings = (outdir, ...plugins) => ({
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
  // Node prints the whole line that an uncaught error comes from.
  lineLimit: 160,
  legalComments: 'linked',
  plugins: [requireHttp, oneZod, parsedJson, routerOnly, apart, ...plugins],
  alias: {
    'mime-db': noTypes,
    graphql: unusedGraphql,
    '@modelcontextprotocol/server/_shims': unusedMcp,
  },
  metafile: true,
  write: false,
  logLevel: 'silent',
});

/**
 * A bundle with one character beyond ASCII takes two bytes for each, and twice as long to read: 7 ms of a start. The bundler
 * escapes them where it can: not in regular expressions and tagged templates.
 */
const rejectWide = (file, contents) => {
  const text = new TextDecoder().decode(contents);
  const at = text.search(/[^\0-\x7f]/);
  if (at >= 0)
    throw new Error(
      `${path.basename(file)} has a character beyond ASCII: ${text.slice(Math.max(0, at - 60), at + 20)}`,
    );
};

/** The bundler gives a class that refers to itself a second name, `_ClientError`, which errors and stacks would show. */
const withoutSecondNames = ({ path: file, contents }) => {
  const text = new TextDecoder().decode(contents);
  const names = [...text.matchAll(/\b(\w+)=class _\1\b/g)].map(([, name]) => name);
  const second = new RegExp(`(?<![.\\w$])_(${names.join('|')})\\b(?!:)`, 'g');
  return { path: file, contents: names.length === 0 ? contents : new TextEncoder().encode(text.replace(second, '$1')) };
};

const bundleAs = async (settingsOfFormat) => {
  const { outputFiles, metafile, warnings } = await esbuild.build(settingsOfFormat);
  const code = outputFiles.filter(({ path: file }) => /\.c?js$/.test(file));
  // The library for drafts has such a character, and is loaded with the first draft only.
  for (const { path: file, contents } of code) if (!/^draft-/.test(path.basename(file))) rejectWide(file, contents);
  const files = outputFiles.map((each) => (code.includes(each) ? withoutSecondNames(each) : each));
  if (warnings.length === 0) return { files, metafile };
  const texts = await esbuild.formatMessages(warnings, { kind: 'warning', color: false });
  throw new Error(`The bundler warns; fix the cause or name the exception in scripts/bundle.mjs:\n${texts.join('')}`);
};

/** The program, which loads its compiled code from a cache; the library, for tests too; and what is loaded late. */
const commonJs = {
  cli: 'src/cli.ts',
  program: 'src/cli/program.ts',
  index: 'src/index.ts',
  testing: 'src/testing.ts',
  mcp: 'src/server/mcp/library.ts',
  uncaught: 'src/cli/uncaught.ts',
  'self-signed': 'src/server/http/self-signed.ts',
  ...Object.fromEntries(rare.filter((name) => name !== 'temporal-polyfill').map((name) => [fileOf(name), name])),
};
/** The validator's threads, and the fixtures of Vitest, which is an ES module. */
const modules = {
  worker: 'src/verdict/validator/worker.ts',
  'documents-worker': 'src/verdict/documents/documents-worker.ts',
  vitest: 'src/vitest.ts',
  'vitest-setup': 'src/vitest-setup.ts',
};
/** The library for those who `import` it. */
const handedOn = ['index', 'testing'];

/**
 * Bundles everything for one folder.
 * @param {{ outdir: string }} options
 * @returns {Promise<{ files: { path: string, contents: Uint8Array | string }[], metafiles: import('esbuild').Metafile[] }>}
 * the files to write
 * @throws on any error or warning of the bundler
 */
export const bundle = async ({ outdir }) => {
  const commonJsSettings = {
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    // Jest's modules have no `import()` unless Node is asked for it.
    supported: { 'dynamic-import': false },
    // An injected name with a dot in it is not imported where its file is external.
    define: { 'import.meta.url': '__moduleUrl', 'process.nextTick': 'realNextTick', ...classesOfFetch },
    banner: { js: urlInCommonJs + mainContext },
    inject: [realGlobals],
  };
  const built = await Promise.all([
    bundleAs({
      ...settings(outdir, rareApart),
      ...commonJsSettings,
      entryPoints: commonJs,
    }),
    bundleAs({
      ...settings(outdir),
      ...commonJsSettings,
      inject: [],
      entryPoints: { 'real-globals': 'src/base/real-globals.ts' },
    }),
    bundleAs({
      ...settings(outdir),
      ...commonJsSettings,
      inject: [realGlobals, realIntl],
      entryPoints: { 'temporal-polyfill': 'temporal-polyfill' },
    }),
    bundleAs({
      ...settings(outdir, waitOnly),
      ...commonJsSettings,
      entryPoints: { wait: 'src/cli/wait-program.ts' },
    }),
    bundleAs({
      ...settings(outdir),
      entryPoints: modules,
      format: 'esm',
      splitting: true,
      chunkNames: '[name]-[hash]',
      banner: { js: requireInModules },
    }),
  ]);
  const handing = handedOn.map((name) => ({
    path: path.join(outdir, `${name}.js`),
    contents: `export * from './${name}.cjs';\n`,
  }));
  return {
    files: [...built.flatMap(({ files }) => files), ...handing],
    metafiles: built.map(({ metafile }) => metafile),
  };
};
