// The layers of the source, lowest first. A file may import from its own layer and from those below, never upwards.
// Every file of src/ has its place here: a new one is added to the layer it belongs to.
const layers = [
  { name: 'specifications', files: 'generated/', why: 'what is made from the two specifications' },
  {
    name: 'json',
    files: 'core/(json|json-reader|int64|text|fault-text)\\.ts',
    why: 'the one reader of JSON, how texts are quoted and faults are written, in the server and in the browser',
  },
  { name: 'client', files: 'client/', why: 'the typed client of the control API, which runs in the browser too' },
  {
    name: 'core',
    files:
      'core/(?!(?:json|json-reader|int64|text|fault-text)\\.ts)|server/(config|settings|setting-values)\\.ts|requests/(exchange|attempts)\\.ts',
    why: 'types and tools that every layer shares',
  },
  {
    name: 'store and validator',
    files: 'store/(?!valkey/|embedded)|validator/',
    why: 'the store, and the validator',
  },
  {
    name: 'sandbox',
    files: 'sandbox/|requests/(?!exchange\\.|attempts\\.)',
    why: 'the model: sandboxes, keys, fixtures, the request log',
  },
  {
    name: 'report and drills',
    files: '(report|drills)/',
    why: 'the contract report, drills, and the formats of all results',
  },
  { name: 'recording', files: 'recording/', why: 'a sandbox as a file, and the replay of its requests' },
  {
    name: 'backends',
    files: 'store/(valkey/|embedded)',
    why: 'where sandboxes are kept: by this process, or in a Valkey that several servers share',
  },
  { name: 'conform', files: 'conform/', why: 'the black-box suite of the petstore API, for any server' },
  { name: 'http', files: 'http/', why: 'what the petstore API and the control API share of HTTP' },
  {
    name: 'endpoints',
    files: '(petstore|control|dashboard|mcp)/',
    why: 'the petstore API, the control API, the dashboard and the MCP server',
  },
  {
    name: 'server',
    files: 'server/(?!(?:config|settings|setting-values)\\.ts)',
    why: 'the one place where everything is built',
  },
  {
    name: 'entry points',
    files: '(index|cli|testing)\\.ts|testing/|commands/',
    why: 'the library, the program and the fixtures for tests',
  },
];

const inSrc = (files) => `^src/(?:${files})`;
const anyOf = (some) => inSrc(some.map(({ files }) => files).join('|'));

const downwardOnly = layers.slice(0, -1).map(({ name, files, why }, level) => ({
  name: `downward-only: ${name}`,
  comment: `This layer holds ${why}; it must not import from a layer above.`,
  severity: 'error',
  from: { path: inSrc(files) },
  to: { path: anyOf(layers.slice(level + 1)) },
}));

const strangers = [
  ['petstore/', 'control/|dashboard/', 'The petstore API must work as if there were no control API.'],
  ['control/|dashboard/', 'petstore/', 'The control API acts on the sandbox, not on the petstore API.'],
  ['store/embedded', 'store/valkey/', 'A backend works without the other.'],
  ['store/valkey/', 'store/embedded', 'A backend works without the other.'],
  ['store/valkey/', 'store/(?:files|log-file|open-files)\\.ts', 'Valkey has no files.'],
  ['store/(?!valkey/|embedded)', 'validator/', 'What remembers knows nothing of the validator.'],
  ['validator/', 'store/', 'The validator sees exchanges only.'],
].map(([from, to, comment]) => ({
  name: `strangers: ${from} and ${to}`,
  comment,
  severity: 'error',
  from: { path: inSrc(from) },
  to: { path: inSrc(to) },
}));

/** Only files matching `path` may import `what`. Tests are held to it as well: they speak HTTP. */
const keptBy = (path, what, comment) => ({
  name: `kept by ${path}: ${what}`,
  comment,
  severity: 'error',
  from: { path: '^(src|test|scripts)/', pathNot: inSrc(path) },
  to: { path: what },
});

// Where a run begins: nothing in src/ imports these.
const entries = inSrc(
  'index\\.ts|cli\\.ts|testing/vitest\\.ts|testing/vitest-setup\\.ts|validator/(?:draft-)?worker\\.ts',
);

module.exports = {
  forbidden: [
    ...downwardOnly,
    ...strangers,
    {
      name: 'browser: client/',
      comment: 'The dashboard bundles the client: it must run without Node.',
      severity: 'error',
      from: { path: inSrc('client/') },
      to: { dependencyTypes: ['core'] },
    },
    keptBy('validator/', 'node_modules/@stoplight/', 'Only validator/ knows Prism.'),
    keptBy('store/', 'node_modules/(lowdb|steno)/', 'Only store/ knows lowdb.'),
    keptBy(
      'store/valkey/client\\.ts',
      'node_modules/iovalkey/',
      'Only store/valkey/client.ts knows the client of Valkey.',
    ),
    keptBy('mcp/|commands/mcp', 'node_modules/@modelcontextprotocol/', 'Only mcp/ knows the MCP library.'),
    keptBy(
      'core/clock\\.ts',
      '^(node:)?perf_hooks$',
      'Only core/clock.ts reads the time (see also scripts/real-time.grit).',
    ),
    {
      name: 'no-place',
      comment: 'A file of src/ stands in no layer: add it to the list at the top of .dependency-cruiser.cjs.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: anyOf(layers) },
    },
    {
      name: 'no-test-code',
      comment: 'The product must run without its tests, tools and benchmarks.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts)/' },
    },
    {
      name: 'no-unknown-dependency',
      comment: 'What src/ imports is bundled: a pinned development dependency. test/package.test.ts lists them.',
      severity: 'error',
      from: { path: '^src/' },
      // A runner of tests is the user's own.
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer'],
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-orphans',
      comment: 'Nothing imports this file and it imports nothing: use it or remove it.',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: [entries, '^src/generated/', '\\.d\\.ts$'] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
