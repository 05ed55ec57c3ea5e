// The folders of src/, lowest first. A file may import from its own folder and from those above it in this list, never from
// those below. `index`, `testing` and `cli` are the entry points beside the folders.
const folders = [
  'generated',
  'core',
  'settings',
  'client',
  'api',
  'validator',
  'store',
  'requests',
  'sandbox',
  'report',
  'drills',
  'recording',
  'http',
  'petstore',
  'dashboard',
  'mcp',
  'control',
  'server',
  'index',
  'testing',
  'commands',
  'cli',
];

const inSrc = (files) => `^src/(?:${files})`;
const anyOf = (some) => inSrc(`(?:${some.join('|')})[/.]`);

const downwardOnly = folders.slice(0, -1).map((folder, level) => ({
  name: `downward-only: ${folder}`,
  comment: 'A folder imports only from those that stand before it in the list at the top of .dependency-cruiser.cjs.',
  severity: 'error',
  from: { path: anyOf([folder]) },
  to: { path: anyOf(folders.slice(level + 1)) },
}));

const strangers = [
  ['petstore/', 'control/|dashboard/', 'The petstore API must work as if there were no control API.'],
  ['control/|dashboard/', 'petstore/', 'The control API acts on the sandbox, not on the petstore API.'],
  ['store/', 'validator/', 'The store does not know the validator.'],
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
      comment: 'The dashboard bundles the client: all but one file of it must run without Node.',
      severity: 'error',
      from: { path: inSrc('client/'), pathNot: inSrc('client/trusting\\.ts') },
      to: { dependencyTypes: ['core'] },
    },
    keptBy('validator/', 'node_modules/@stoplight/', 'Only validator/ knows Prism.'),
    keptBy('store/', 'node_modules/(lowdb|steno)/', 'Only store/ knows lowdb.'),
    keptBy('mcp/|commands/mcp', 'node_modules/@modelcontextprotocol/', 'Only mcp/ knows the MCP library.'),
    keptBy(
      'core/real-globals\\.ts',
      '^(node:)?perf_hooks$',
      'Only core/clock.ts reads the time, from there (see also scripts/real-time.grit).',
    ),
    {
      name: 'no-place',
      comment: 'This folder stands in no place: add it to the list at the top of .dependency-cruiser.cjs.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: anyOf(folders) },
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
