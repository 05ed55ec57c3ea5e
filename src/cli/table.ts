/**
 * The command table: every command with its flags, its examples and its call, in the order in which the help shows them.
 * The implementation of a larger command is imported when it is called, so that a small command does not load the server.
 */
import { defaultInHelp, SETTINGS, type Setting } from '../base/settings/settings.ts';
import { type Command, connected, local } from './command.ts';
import { DRILL, EXEC, MCP, PREVIEW, READY, REPORT, WAIT } from './flags.ts';
import { REQUESTS } from './requests.ts';
import { CLOCK, FAULTS, FIXTURES, KEYS, STATE } from './state.ts';

/** The summaries of the words under which commands are grouped. */
export const GROUPS: Readonly<Record<string, string>> = {
  keys: 'the keys that open sandboxes',
  pets: 'the pets of the sandbox',
  snapshots: 'named states that reset goes back to',
  clock: "the sandbox's own time",
  faults: 'rules for injected faults',
  requests: 'what the client sent, and the responses to it',
  fixtures: 'sets of seed data',
};

/** The commands that the help shows first. */
export const FIRST: readonly string[] = ['exec', 'ready', 'open', 'report', 'serve'];

/** The examples in the help of the program. */
export const EXAMPLES: Command['examples'] = [
  ['Start a server on port 4020 that keeps nothing on disk', 'petstore-sandbox --memory'],
  ['Create a key, in another shell', 'export SANDBOX_KEY=$(petstore-sandbox keys create --quiet)'],
  [
    'Run your tests in a fresh sandbox; fail if they fail the contract check',
    'petstore-sandbox exec --start -- npm test',
  ],
];

/** The default command. */
const serve = local({
  name: 'serve',
  summary: 'run the sandbox (the default command)',
  flags: Object.fromEntries(
    Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
      const byDefault = defaultInHelp(setting);
      const notes = [`env: ${setting.variable}`, ...(byDefault === undefined ? [] : [`default: ${byDefault}`])];
      const { flag, help, many = false } = setting;
      return [name, { flag, help: `${help} (${notes.join('; ')})`, many }];
    }),
  ),
  examples: [
    ['Store sandboxes in JSON files', 'petstore-sandbox serve --data ./data'],
    ['Store nothing on disk; use any free port', 'petstore-sandbox serve --memory --port 0'],
    [
      'Serve HTTPS with a preconfigured key',
      'petstore-sandbox serve --tls self-signed --api-key my-own-key-0123456789',
    ],
  ],
  run: async ({ flags, environment }) => (await import('./serve.ts')).serve(flags, environment),
});

const wait = local({
  name: 'wait',
  summary: 'wait until a server is healthy (exit code 1: not healthy; 3: not reached)',
  flags: WAIT,
  examples: [
    ['Wait up to 30 seconds for the server on this machine', 'petstore-sandbox wait'],
    ['Wait for another server', 'petstore-sandbox wait --url http://sandbox:4020/v1 --timeout 60'],
  ],
  run: async (call) => (await import('./wait.ts')).wait(call),
});

const report = connected({
  name: 'report',
  summary: 'show whether the client passed the contract check (exit code 1: no, or unknown)',
  flags: REPORT,
  examples: [
    ['Print the verdict', 'petstore-sandbox report'],
    ['Check traffic that was recorded elsewhere', 'petstore-sandbox report --har traffic.har'],
    [
      'Make one report of several jobs, as JUnit for your CI system',
      'petstore-sandbox report --merge job-1.json job-2.json --out contract.xml',
    ],
  ],
  offline: ['har', 'merge'],
  run: async (call) => (await import('./report.ts')).report(call),
});

const preview = connected({
  name: 'preview',
  summary: 'show which requests stop working, and what to send instead (exit code 1: some do, or unknown)',
  flags: PREVIEW,
  examples: [
    ['At the next change of the API', 'petstore-sandbox preview'],
    ['With a draft of the specification', 'petstore-sandbox preview --spec next.yaml'],
    ['For a recording, without a server', 'petstore-sandbox preview --in recording.jsonl'],
  ],
  offline: ['in'],
  run: async (call) => (await import('./preview.ts')).preview(call),
});

const exec = connected({
  name: 'exec',
  summary: 'run a command in a fresh sandbox; exit with its code, or 1 if the contract check failed',
  arguments: [['<command...>', 'after --: what to run, with SANDBOX_URL, SANDBOX_KEY and SANDBOX_REVOKED_KEY']],
  control: 'POST /keys',
  as: 'anyone',
  flags: EXEC,
  examples: [
    ['Start a server for this run', 'petstore-sandbox exec --start -- npm test'],
    [
      'Keep the report, the request log and the recording',
      'petstore-sandbox exec --start --artifacts artifacts -- npm test',
    ],
    ['Use a running server, and a fixture', 'petstore-sandbox exec --fixture large -- pytest -q'],
  ],
  run: async (call) => (await import('./exec.ts')).exec(call),
});

const drill = connected({
  name: 'drill',
  summary: 'run a client while things go wrong (exit code 1: a check failed, or no verdict)',
  arguments: [['<command...>', 'after --: the client to run, once for each drill, with SANDBOX_TASK']],
  as: 'anyone',
  flags: DRILL,
  examples: [
    ['Run all drills', 'petstore-sandbox drill --start -- node my-client.mjs'],
    ['Run one drill', 'petstore-sandbox drill --start --only lost-create -- node my-client.mjs'],
    ['Accept known failures', 'petstore-sandbox drill --start --known-failures known.txt -- node my-client.mjs'],
  ],
  run: async (call) => (await import('./drill.ts')).runDrills(call),
});

const ready = connected({
  name: 'ready',
  summary: 'ready for production? run the tests, errors, drills and the next change (exit code 1: no, or unknown)',
  about:
    'Runs the tests in a fresh sandbox; again with each 401 and 404 that they did not provoke; again with ids beyond 2^53; and the drills.',
  arguments: [['<command...>', 'after --: your tests, with SANDBOX_URL, SANDBOX_KEY and SANDBOX_REVOKED_KEY']],
  as: 'anyone',
  flags: READY,
  examples: [
    ['Before a release', 'petstore-sandbox ready --start --drill "node my-client.mjs" -- npm test'],
    ['A page for the owner of the API', 'petstore-sandbox ready --start --out ready.html -- npm test'],
  ],
  run: async (call) => (await import('./ready.ts')).ready(call),
});

const mcp = local({
  name: 'mcp',
  summary: 'run the MCP server for coding agents on stdin and stdout',
  flags: MCP,
  examples: [
    ['Start a server in memory for this session', 'petstore-sandbox mcp'],
    ['Use a running server', 'petstore-sandbox mcp --url http://127.0.0.1:4020/v1'],
  ],
  run: async (call) => (await import('./mcp.ts')).mcp(call),
});

const open = local({
  name: 'open',
  summary: 'show the last run, or a recording, on the dashboard of a server in memory, until Ctrl-C',
  arguments: [['[file]', 'the recording (default: the last run of exec or ready in this project)']],
  flags: {
    port: {
      flag: '--port <port>',
      help: 'port to listen on (0: any free one)',
      ...{ type: 'integer', from: 0, to: 65_535, default: 0 },
    },
  },
  examples: [
    ['Show the last run in the dashboard', 'petstore-sandbox open'],
    ['On a port of your choice', 'petstore-sandbox open recording.jsonl --port 4021'],
  ],
  run: async ({ args: [file], flags, environment }) =>
    (await import('./recordings.ts')).open(file, flags.port, environment),
});

/** A second example where a row has one. */
const withJson = (row: Command): Command => {
  const [only, ...others] = row.examples;
  if (!only || others.length > 0) return row;
  return { ...row, examples: [only, ['The same for programs', `${only[1]} --json`]] };
};

export const COMMANDS: readonly Command[] = [
  ...[serve, wait, ...KEYS, ...STATE, ...CLOCK, ...FAULTS, ...REQUESTS],
  ...[report, preview, exec, ready, drill, ...FIXTURES, mcp, open],
].map(withJson);
