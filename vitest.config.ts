import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { limit, limits } from './test/support/slow.ts';

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

/** What the suites share. Each builds the program once. @param ms the limit of a test or a hook */
const suite = (name: string, ms: number, options: Options): TestProjectInlineConfiguration => ({
  test: {
    name,
    globalSetup: ['scripts/build-once.mjs'],
    // Shared by all test files: fails a test that saw an unhandled error or a response that breaks the specification.
    setupFiles: ['test/_setup.ts'],
    pool: 'forks',
    restoreMocks: true,
    ...limits(ms),
    ...options,
  },
});

/** What takes longest and changes least of the files that have no folder of their own. */
const slow = [
  // Generates a copy of the project.
  'test/specification/change.test.ts',
  // Runs what the documentation says, in shells and in the tools of others.
  'test/docs/pages.test.ts',
  'test/examples/*.test.ts',
  // Starts the program more than a hundred times. `commands/{wait,wrong-use}` stay in `npm test`.
  'test/cli/{recordings,control-commands,drill,exec,exec-gather,fixtures,pipes,proxies,ready,serve,tls}.test.ts',
  'test/{server/mcp/stdio,sandbox/store/sick-directories}.test.ts',
  // Sends thousands of requests, or cuts a file at every byte.
  'test/traffic/files/import.test.ts',
  // Compiles a hundred drafts, ends some that take too long, and runs Redocly.
  'test/verdict/drafts/preview-{draft,drafts,redocly}.test.ts',
  'test/verdict/documents/documents.test.ts',
  'test/server/control/specifications.test.ts',
  // Makes the whole site, and runs every line of it.
  'test/server/pages/{documentation,reference}.test.ts',
  // Measures the time of redaction.
  'test/traffic/redact-linear.test.ts',
  // Validates a hundred megabytes.
  'test/verdict/validator/largest.test.ts',
  'test/server/control/{export,slow-readers}.test.ts',
  'test/sandbox/store/files.test.ts',
];

/** Properties of which `main` tries a share. */
const inBoth = [
  'test/base/json.test.ts',
  'test/server/petstore/{agreement,int64}.test.ts',
  'test/server/control/specification.test.ts',
  'test/traffic/request-log.test.ts',
  'test/sandbox/model.test.ts',
  'test/sandbox/store/{pets,state}.test.ts',
];

/** Suites of their own: they need minutes, a container engine or a browser. `.ci/run` runs them all. */
const separate = [
  'test/hostile/**',
  'test/faults/**',
  'test/image/**',
  'test/package/**',
  'test/browser/**',
  'test/servers/**',
];

/** The files share processes, so that modules are loaded once a worker and not once a file. */
const shareProcesses = { isolate: false };

/** One project a suite. `npm test` runs `main`; the other scripts of package.json run the others. */
export default defineConfig({
  test: {
    // Sources that did not change are not compiled again.
    experimental: { fsModuleCache: true },
    // By default Vitest leaves one processor free, which is half of two.
    maxWorkers: availableParallelism(),
    projects: [
      suite('main', 20_000, { include: ['test/**/*.test.ts'], exclude: [...separate, ...slow], ...shareProcesses }),
      suite('slow', 60_000, {
        include: [...slow, ...inBoth],
        env: { AGREEMENT_RUNS: '400', SHARE_OF_RUNS: '1' },
        ...shareProcesses,
      }),
      suite('hostile', 120_000, { include: ['test/hostile/**/*.test.ts'] }),
      suite('faults', 120_000, { include: ['test/faults/**/*.test.ts'] }),
      // Three servers behind a balancer.
      suite('servers', 60_000, { include: ['test/servers/*.test.ts'] }),
      suite('crash', 20_000, { include: ['test/crash/kills.test.ts'], env: { KILLS: '20' } }),
      // The first file that needs the package packs it, and installs what the files share.
      suite('package', 60_000, { include: ['test/package/*.test.ts'], globalSetup: ['test/package/prepare.ts'] }),
      // Times are measured here: one file at a time.
      suite('image', 60_000, {
        include: ['test/image/**/*.test.ts'],
        globalSetup: ['test/image/build.ts'],
        setupFiles: [],
        fileParallelism: false,
      }),
      // A page shows a result a moment after the action; an assertion waits as long as a locator does.
      suite('browser', 90_000, {
        include: ['test/browser/**/*.test.ts'],
        expect: { poll: { timeout: limit(15_000) } },
      }),
    ],
  },
});
