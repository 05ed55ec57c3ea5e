/**
 * The rooms of src/, lowest first. A file may import from its own room and from those above it in this list, never from those
 * below. Sub-rooms have an order too, where one is built on another. The entries stand beside the rooms, and import from all.
 */
const rooms = {
  base: ['generated', '', 'settings', 'api'],
  client: [],
  sandbox: ['store', ''],
  traffic: ['', 'files'],
  verdict: ['validator', 'report', 'drafts', 'documents', 'drills', ''],
  server: ['http', 'petstore', 'mcp', 'pages', 'control', ''],
  dashboard: [],
  cli: [],
};

const names = Object.keys(rooms);
const inSrc = (files) => `^src/(?:${files})`;

/** What is below the folder, or in it alone where it is a room with sub-rooms. */
const inRoom = (room, sub) => inSrc(sub === '' ? `${room}/[^/]+$` : `${room}/${sub}/`);

const downwardOnly = (name, from, to) => ({
  name: `downward-only: ${name}`,
  comment: 'A folder imports only from those before it in the list at the top of this file.',
  severity: 'error',
  from: { path: from },
  to: { path: to },
});

const betweenRooms = names.map((room, level) => {
  const above = names.slice(level + 1).map((name) => inSrc(`${name}/`));
  return downwardOnly(room, inSrc(`${room}/`), [...above, inSrc('[^/]+$')]);
});

const inRooms = Object.entries(rooms).flatMap(([room, subs]) =>
  subs.slice(0, -1).map((sub, level) =>
    downwardOnly(
      `${room}/${sub}`,
      inRoom(room, sub),
      subs.slice(level + 1).map((other) => inRoom(room, other)),
    ),
  ),
);

const strangers = [
  ['server/petstore/', 'server/(?:control|pages)/', 'The petstore API must work as if there were no control API.'],
  ['server/(?:control|pages)/', 'server/petstore/', 'The control API acts on the sandbox, not on the petstore API.'],
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
const entries = inSrc('[^/]+\\.ts$|verdict/validator/worker\\.ts|verdict/documents/documents-worker\\.ts');

module.exports = {
  forbidden: [
    ...betweenRooms,
    ...inRooms,
    ...strangers,
    {
      name: 'browser: client/',
      comment: 'The dashboard bundles the client: all but one file of it must run without Node.',
      severity: 'error',
      from: { path: inSrc('client/'), pathNot: inSrc('client/trusting\\.ts') },
      to: { dependencyTypes: ['core'] },
    },
    keptBy('verdict/validator/', 'node_modules/@stoplight/', 'Only verdict/validator/ knows Prism.'),
    keptBy('sandbox/store/', 'node_modules/(lowdb|steno)/', 'Only sandbox/store/ knows lowdb.'),
    keptBy('server/mcp/|cli/mcp', 'node_modules/@modelcontextprotocol/', 'Only server/mcp/ knows the MCP library.'),
    keptBy(
      'base/real-globals\\.ts',
      '^(node:)?perf_hooks$',
      'Only base/clock.ts reads the time, from there (see also scripts/real-time.grit).',
    ),
    {
      name: 'no-room',
      comment: 'This is no room: use one of those in the list at the top of scripts/dependency-cruiser.cjs.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: inSrc(`(?:${names.join('|')})/`) },
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
      from: { orphan: true, path: '^src/', pathNot: [entries, '^src/base/generated/', '\\.d\\.ts$'] },
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
