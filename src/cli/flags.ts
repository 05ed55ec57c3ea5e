/** What a flag is; the flags that several commands have, and those of the commands with a file of their own. */
import { drillGroups, operationNames } from '../base/generated/facts.ts';
import { SETTINGS, type Setting } from '../base/settings/settings.ts';
import { READY_ROWS } from '../verdict/ready-rows.ts';
import { endings, formatNames } from '../verdict/report/formats/formats.ts';

/** A flag, as plain data. */
export interface Flag {
  /** With its argument, as in the help: `--ttl <seconds>`. Without an argument it is a switch. */
  readonly flag: string;
  readonly help: string;
  readonly type?: 'integer' | 'number';
  /** The least and the largest number. */
  readonly from?: number;
  readonly to?: number;
  readonly choices?: readonly string[];
  readonly default?: number;
  /** May be repeated. */
  readonly many?: boolean;
  /** The names of flags that it excludes. */
  readonly conflicts?: readonly string[];
  /** What its texts are like, and in words. */
  readonly pattern?: RegExp;
  readonly form?: string;
}

/** By the names that the code uses. */
export type Flags = Readonly<Record<string, Flag>>;

/** The value of a flag; `undefined` where it is not given. */
export type FlagValue<F> =
  | (F extends { readonly many: true }
      ? readonly string[]
      : F extends { readonly type: string }
        ? number
        : F extends { readonly choices: readonly (infer Choice)[] }
          ? Choice
          : F extends { readonly flag: `${string}<${string}` }
            ? string
            : boolean)
  | (F extends { readonly default: number } ? never : undefined);

const URL_FLAG = {
  flag: '--url <url>',
  help: "the API's base address (env: SANDBOX_URL; default: this machine, port SANDBOX_PORT or 4020)",
} as const;
const CACERT = {
  flag: '--cacert <file>',
  help: 'file with a certificate to trust, in PEM (env: SANDBOX_CACERT)',
} as const;
export const JSON_FLAG = { flag: '--json', help: 'print JSON, for programs' } as const;

/** The flags of every command that connects to a server. */
export const CONNECTION = {
  url: URL_FLAG,
  cacert: CACERT,
  key: {
    flag: '--key <key>',
    help: "the sandbox's key (env: SANDBOX_KEY)",
    conflicts: ['adminToken', 'sandbox'],
  },
  adminToken: { flag: '--admin-token <token>', help: "the operator's token (env: SANDBOX_ADMIN_TOKEN)" },
  sandbox: { flag: '--sandbox <id>', help: 'with the admin token: the id of the sandbox' },
  json: JSON_FLAG,
} as const satisfies Flags;

/** Of `keys create` and `exec`: the new sandbox. */
export const NEW_SANDBOX = {
  fixture: { flag: '--fixture <name>', help: "fixture to start with (default: the server's)" },
  fixtureFile: {
    flag: '--fixture-file <file>',
    help: 'start with the pets of a fixture or CSV file (id,name,categoryId,status), or of standard input (-)',
    conflicts: ['fixture'],
  },
  label: { flag: '--label <words>', help: 'a name for your own use' },
  ttlSeconds: { flag: '--ttl <seconds>', help: "lifetime of the key (default: the server's)" },
} as const satisfies Flags;

/** Of a command that makes a key. */
export const QUIET = { flag: '--quiet', help: 'print only the key', conflicts: ['json'] } as const;

export const SINCE = { flag: '--since <time|id>', help: 'only requests since a time, or after a request' } as const;

/** The API knows its default. */
export const RUN = {
  flag: '--run <run>',
  help: 'only one run of the client: last, or a name like "node, run 3"',
} as const;

/** The settings of `serve` that a server of `--start` takes, from a flag or a variable. */
export const STARTED_WITH = ['host', 'fixtures', 'tls', 'maxBody', 'maxPets', 'maxBytes', 'logHeaders'] as const;

const ofStarted = (name: (typeof STARTED_WITH)[number]) => {
  const { flag, variable, help, many = false }: Setting = SETTINGS[name];
  return { flag, help: `with --start: ${help} (env: ${variable})`, many };
};

const START = {
  start: {
    flag: '--start',
    help: 'start a server for this run: in memory, on a free port',
    conflicts: ['url', 'adminToken', 'sandbox'],
  },
  ...Object.fromEntries(STARTED_WITH.map((name) => [name, ofStarted(name)])),
} as const;

/** What the verdict of a report depends on. */
const VERDICT = {
  strict: {
    flag: '--strict',
    help: 'also fail the contract check on unexpected rejections, warnings and deprecated operations',
  },
  expectInvalid: {
    flag: '--expect-invalid <operation:status>',
    help: 'an error that your tests provoke, like createPet:400; may be repeated',
    many: true,
    pattern: new RegExp(`^(?:${operationNames.join('|')}):4\\d\\d$`),
    form: `an operation (${operationNames.join(', ')}) and a status from 400 to 499`,
  },
} as const satisfies Flags;

/** Of a command that ends with results. */
export const RESULT = {
  format: {
    flag: '--format <form>',
    help: 'format on standard output (default: text)',
    choices: formatNames,
    conflicts: ['out'],
  },
  out: {
    flag: '--out <file>',
    help: `write the result to a file, in the format of its ending: ${endings.join(', ')}`,
    pattern: new RegExp(`(?:${endings.join('|').replaceAll('.', String.raw`\.`)})$`, 'i'),
    form: `a file that ends in ${endings.join(', ')}`,
  },
} as const satisfies Flags;

const BASE = {
  flag: '--base <url>',
  help: 'of a HAR: only requests to this base address (default: all recognized); may be repeated',
  many: true,
} as const;

const UNTESTED = {
  flag: '--verbose',
  help: 'also print the rule and requests of findings, and documented responses you never got',
} as const;

export const REPORT = {
  ...VERDICT,
  ...RESULT,
  verbose: UNTESTED,
  run: RUN,
  har: {
    flag: '--har <file>',
    help: 'report on a HAR instead of a sandbox',
    conflicts: ['run', 'expectInvalid'],
  },
  merge: {
    flag: '--merge <files...>',
    help: 'merge reports: JSON files of --out, or directories with them, at any depth',
    many: true,
    conflicts: ['run', 'har', 'base', 'expectInvalid'],
  },
  allowEmpty: {
    flag: '--allow-empty',
    help: 'with --merge: accept a report without requests, such as that of a shard without tests of the client',
  },
  base: BASE,
} as const satisfies Flags;

export const PREVIEW = {
  at: {
    flag: '--at <date>',
    help: 'a date, or a time with a zone, like 2030-12-05 (default: the next change of the API)',
  },
  spec: { flag: '--spec <file>', help: 'a draft in OpenAPI 3.0 or 3.1; --at applies its x-sunset' },
  run: RUN,
  in: { flag: '--in <file>', help: 'use a recording or a HAR instead of a sandbox', conflicts: ['run'] },
  base: BASE,
  ...RESULT,
} as const satisfies Flags;

export const EXEC = {
  ...START,
  ...NEW_SANDBOX,
  ...VERDICT,
  out: RESULT.out,
  artifacts: {
    flag: '--artifacts <dir>',
    help: 'write the recording, and the report in all formats, to a directory',
  },
  verbose: UNTESTED,
} as const satisfies Flags;

export const DRILL = {
  ...START,
  group: { flag: '--group <group>', help: 'only this group', choices: drillGroups },
  only: { flag: '--only <ids>', help: 'only these drills, like lost-create,outage' },
  knownFailures: {
    flag: '--known-failures <file>',
    help: 'accept failures of the drills in this file; fail if one of them passes',
  },
  strict: { flag: '--strict', help: 'also fail on checks of the level "should"' },
  parallel: {
    flag: '--parallel <n>',
    help: 'drills to run at a time',
    ...{ type: 'integer', from: 1, default: 4 },
  },
  // A hanging response takes a minute: a client that waits for it is not cut off.
  timeout: {
    flag: '--timeout <seconds>',
    help: 'time limit of one drill',
    ...{ type: 'integer', from: 1, default: 90 },
  },
  ...RESULT,
} as const satisfies Flags;

/** The first row applies to every client. */
const OTHER_ROWS = READY_ROWS.slice(1);

export const READY = {
  ...START,
  drill: {
    flag: '--drill <command>',
    help: 'the client that does one task of a drill, as a line for the shell (default: the test command, if it reads SANDBOX_TASK)',
  },
  notApplicable: {
    flag: '--not-applicable <what>',
    help: `a row (${OTHER_ROWS.join(', ')}) or a response, like getPet:404 or getPet, that does not apply; may be repeated`,
    many: true,
    pattern: new RegExp(`^(?:${OTHER_ROWS.join('|')}|(?:${operationNames.join('|')})(?::\\d{3})?)$`),
    form: `${OTHER_ROWS.join(', ')}, or an operation (${operationNames.join(', ')}), like getPet or getPet:404`,
  },
  fixture: NEW_SANDBOX.fixture,
  fixtureFile: NEW_SANDBOX.fixtureFile,
  label: NEW_SANDBOX.label,
  expectInvalid: VERDICT.expectInvalid,
  parallel: DRILL.parallel,
  timeout: DRILL.timeout,
  artifacts: { flag: '--artifacts <dir>', help: 'write the recording of your tests to a directory' },
  ...RESULT,
} as const satisfies Flags;

export const MCP = {
  url: { ...URL_FLAG, help: "the API's base address (env: SANDBOX_URL; default: start a server, in memory)" },
  cacert: CACERT,
  key: CONNECTION.key,
  adminToken: CONNECTION.adminToken,
} as const satisfies Flags;

export const WAIT = {
  timeout: {
    flag: '--timeout <seconds>',
    help: 'maximum time to wait; 0 asks once',
    ...{ type: 'number', from: 0, to: 3600, default: 30 },
  },
  url: URL_FLAG,
  cacert: CACERT,
  json: JSON_FLAG,
} as const satisfies Flags;
