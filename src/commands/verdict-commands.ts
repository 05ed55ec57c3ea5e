/** The commands that end with a verdict on a client: `report`, `exec` and `drill`. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { operationNames } from '../generated/facts.ts';
import { formatNames } from '../report/formats/formats.ts';
import { type AddCommand, rejectKey, runOnOwnServer } from './connected-command.ts';
import { fixtureFileOption, integer } from './options.ts';

/** `report`: the verdict on what a sandbox has seen. */
export function addReport(on: AddCommand, program: Command): void {
  on(
    program,
    'report',
    'show whether the client passed the contract check (exit code 1: it did not, or this is unknown)',
    async () => (await import('./report.ts')).report,
  )
    .option('--strict', 'warnings and the use of deprecated operations fail the contract check too')
    .addOption(expectInvalidOption())
    .addOption(new Option('--format <form>', 'format of the report (default: text)').choices(formatNames))
    .option('--out <file>', 'write the report to a file, and print the verdict');
}

/** `exec`: runs a command with a sandbox of its own. */
export function addExec(on: AddCommand, program: Command): void {
  on(
    program,
    'exec',
    'run a command with its own sandbox; exit with its code, or with 1 if it failed the contract check',
    async () => (await import('./exec.ts')).exec,
    'anyone',
    runOnOwnServer,
  )
    .option('--start', 'start a server for this run: in memory, on a free port')
    .addArgument(
      new Argument('<command...>', 'after --: what to run, with SANDBOX_URL, SANDBOX_KEY and SANDBOX_REVOKED_KEY'),
    )
    .option('--fixture <name>', "fixture that the sandbox starts with (default: the server's)")
    .addOption(fixtureFileOption())
    .option('--label <words>', 'a name for your own use')
    .addOption(integer('--ttl <seconds>', "lifetime of the key (default: the server's)"))
    .option('--strict', 'warnings and the use of deprecated operations fail the contract check too')
    .addOption(expectInvalidOption())
    .addOption(new Option('--format <form>', 'format of the report in the file (default: json)').choices(formatNames))
    .option('--out <file>', 'write the report to a file')
    .option('--artifacts <dir>', 'write the report in all formats and the recording to a directory')
    .option('--verbose', 'also print the documented responses that were never seen')
    .hook('preAction', rejectKey);
}

/** `drill`: runs a client through situations in which things go wrong. */
export function addDrill(on: AddCommand, program: Command): void {
  on(
    program,
    'drill',
    'run a client through situations in which things go wrong (exit code 1: a check failed, or there is no verdict)',
    async () => (await import('./drill.ts')).drill,
    'anyone',
    runOnOwnServer,
  )
    .option('--start', 'start a server for this run: in memory, on a free port')
    .addArgument(new Argument('<command...>', 'after --: the client to run, once for each drill, with SANDBOX_TASK'))
    .addOption(new Option('--group <group>', 'only this group').choices(['writes', 'retries', 'compatibility']))
    .option('--only <ids>', 'only these drills, like lost-create,outage')
    .option(
      '--known-failures <file>',
      'a YAML list of drills that are known to fail; a listed drill that passes fails the run',
    )
    .option('--strict', 'count failed checks of the level "should" too')
    .addOption(integer('--parallel <n>', 'number of drills that run at a time (default: 4)'))
    .addOption(integer('--timeout <seconds>', 'time limit of one drill (default: 90)'))
    .addOption(new Option('--format <form>', 'format of the result (default: text)').choices(formatNames))
    .option('--out <file>', 'write the result to a file, and print the verdict')
    .hook('preAction', rejectKey);
}

/** The flag; it may be given more than once. */
const expectInvalidOption = (): Option =>
  new Option(
    '--expect-invalid <operation:status>',
    'a response that your tests provoke on purpose, like createPet:400; may be repeated',
  ).argParser((text: string, before: readonly string[] = []) => [...before, checked(text)]);

/** A wrong one is rejected before anything runs. */
function checked(text: string): string {
  if (operationNames.some((name) => new RegExp(`^${name}:4\\d\\d$`).test(text))) return text;
  throw new InvalidArgumentError(
    `It must be an operation (${operationNames.join(', ')}) and a status from 400 to 499.`,
  );
}
