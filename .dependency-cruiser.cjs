// The layers of the source, lowest first. A file may import from its own layer and from those below, never upwards.
// Every file of src/ has its place here: a new one is added to the layer it belongs to.
const layers = [
  { name: 'specifications', files: 'generated/', why: 'what is made from the two specifications' },
  {
    name: 'json',
    files: '(json|json-reader|wording|fault-text)\\.ts',
    why: 'the one reader of JSON, how texts are quoted and faults are written, in the server and in the browser',
  },
  { name: 'client', files: 'client/', why: 'the typed client of the controls, which runs in the browser too' },
  {
    name: 'core',
    files:
      '(awaitable|exchange|attempts|inline-fixture|int64|json-schema|errors|clock|given-file|ending|ids|specification|specification-error|pet|config|settings|setting-values|log|memory-limit|open-files|memory-plan|garbage|round-robin|shipped|trusting)\\.ts',
    why: 'types and tools that every layer shares',
  },
  { name: 'store and judge', files: '(store|judge)/', why: 'the store, and the referee' },
  { name: 'sandbox', files: 'sandbox/', why: 'the model: sandboxes, keys, fixtures' },
  { name: 'report and drills', files: '(report|drills)/', why: 'the contract report, and drills, with their forms' },
  { name: 'cases', files: '(cases|replay)/', why: 'a sandbox as a file, and the replay of its requests' },
  {
    name: 'backends',
    files: '(embedded|shared)/',
    why: 'where sandboxes are kept: by this process, or in an engine that several servers share',
  },
  { name: 'conform', files: 'conform/', why: 'the black-box suite of the interface, for any server' },
  { name: 'http', files: 'http/', why: 'what the interface and the controls share of HTTP' },
  { name: 'endpoints', files: '(petstore|controls|dashboard)/', why: 'the interface, the controls and the dashboard' },
  { name: 'app', files: 'app\\.ts', why: 'the request lifecycle, as a list' },
  {
    name: 'server',
    files: '(server|server-options|services|backends|endpoints)\\.ts',
    why: 'the one place where everything is built',
  },
  {
    name: 'entry points',
    files: '(index|cli|testing|testing-drill|vitest|vitest-setup)\\.ts|commands/',
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
  ['petstore/', 'controls/|dashboard/', 'The interface must work as if there were no controls.'],
  ['controls/|dashboard/', 'petstore/', 'The controls act on the sandbox, not on the interface.'],
  ['embedded/', 'shared/', 'A backend works without the other.'],
  ['shared/', 'embedded/', 'A backend works without the other.'],
  ['shared/', 'store/(?:embedded-store|planned-changes|json-files|load|disk)\\.ts', 'A shared store has no files.'],
  ['store/', 'judge/', 'What remembers knows nothing of the referee.'],
  ['judge/', 'store/', 'The referee sees exchanges only.'],
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
  from: { path: '^(src|test|bench)/', pathNot: inSrc(path) },
  to: { path: what },
});

// Where a run begins: nothing in src/ imports these.
const entries = inSrc('index\\.ts|cli\\.ts|vitest\\.ts|vitest-setup\\.ts|judge/referee\\.ts');

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
    keptBy('judge/', 'node_modules/@stoplight/', 'Only judge/ knows Prism.'),
    keptBy('store/', 'node_modules/(lowdb|steno)/', 'Only store/ knows lowdb.'),
    keptBy('shared/engine\\.ts', 'node_modules/iovalkey/', 'Only shared/engine.ts knows the client of the engine.'),
    keptBy('clock\\.ts', '^(node:)?perf_hooks$', 'Only clock.ts reads the time (see also scripts/real-time.grit).'),
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
      to: { path: '^(test|bench|scripts|lint)/' },
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
      from: { orphan: true, path: '^src/', pathNot: [entries, '^src/generated/'] },
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
