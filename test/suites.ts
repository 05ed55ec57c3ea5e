/** Which test files belong to which suite. The slower suites with a folder of their own are not listed here. */

/** Suites of their own: they need minutes, Docker, a browser or an engine, and `.ci/run` runs them all. */
export const separate = [
  'test/crash/long.test.ts',
  'test/hostile/**',
  'test/faults/**',
  'test/image/**',
  'test/package/**',
  'test/browser/**',
  'test/shared/**',
];

/** `npm run test:slow`: what takes longest and changes least. `.ci/run` runs it too. */
export const slow = [
  // Builds, installs or generates a copy of the project.
  'test/specification/change.test.ts',
  'test/testing/examples.test.ts',
  // Runs what the documentation says, in shells and in the tools of others.
  'test/docs/{cli-page,image-page,pages}.test.ts',
  'test/recipes/*.test.ts',
  // Starts the program a hundred times. `commands/{serve,wait,wrong-use}` stay in `npm test`.
  'test/commands/{backup,cases,conform,control-commands,drill,exec,fixtures,tls}.test.ts',
  // Sends thousands of requests, or cuts a file at every byte.
  'test/cases/{import,round-trip}.test.ts',
  'test/conform/wrong-servers.test.ts',
  'test/controls/{export,slow-readers}.test.ts',
  'test/replay/*.test.ts',
  'test/sandbox/model.test.ts',
  'test/store/cut-off.test.ts',
];

/** `npm run test:quick`: the core, in seconds. Nothing here starts the program or waits for real time. */
export const quick = [
  'test/{config,errors,int64,json-reader,memory-plan,server}.test.ts',
  'test/support/*.test.ts',
  'test/judge/{agreement,credential,message,referee,room,warnings}.test.ts',
  'test/petstore/{altered,authenticate,cors,described,direct-path,interface}.test.ts',
  'test/controls/{guard,requests,strict,verify}.test.ts',
  'test/report/{json,mistakes,text,verdict}.test.ts',
  'test/sandbox/{fixtures,generate,keys,live-faults,redact,sandboxes}.test.ts',
  'test/store/{branch,lists,memory}.test.ts',
  'test/http/broken-requests.test.ts',
];
