/** The commands that need no server, start their own, or reach one in their own way. */
import { type Command, Option } from 'commander';
import { formatNames } from '../report/formats/formats.ts';
import type { ConformFlags } from './conform.ts';
import type { OpenFlags } from './open.ts';
import type { ReplayFlags } from './replay.ts';
import type { WaitFlags } from './wait.ts';
import { requireFlag } from './wrong-use.ts';

/** Adds all of them to the program but `wait`. */
export function addLocalCommands(program: Command, environment: NodeJS.ProcessEnv): void {
  addConform(program, environment);
  addCases(program, environment);
}

/** `wait`, which the help shows right after `serve`. */
export function addWait(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('wait')
    .description('wait until a server is healthy (exit code 1: it is not; 3: it cannot be reached)')
    .option('--timeout <seconds>', 'maximum time to wait; 0 asks once', '30')
    .option(
      '--url <url>',
      "the API's base address (env: SANDBOX_URL; default: this machine, port SANDBOX_PORT or 4020)",
    )
    .option('--cacert <file>', 'file with a certificate to trust, in PEM (env: SANDBOX_CACERT)')
    .option('--json', 'print JSON, for programs')
    .action(async (flags: WaitFlags) => {
      const { wait } = await import('./wait.ts');
      process.exitCode = await wait(flags, environment);
    });
}

/** For a flag that may be repeated. */
const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function addConform(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('conform')
    .description('compare a petstore server with the specification and with the sandbox')
    .option('--url <url>', 'base address of the API, like https://example.com/v1; required')
    .option('--cacert <file>', 'file with a certificate to trust, in PEM (env: SANDBOX_CACERT)')
    .option('--key <key>', 'an API key of that server (env: SANDBOX_KEY)')
    .option('--allow-create', 'also send requests that add pets, or may add pets to a server with bugs')
    .option('--specification-only', "compare with the specification only, without the sandbox's decisions")
    .addOption(new Option('--ignore <rule>', 'accept differences of this rule; may be repeated').argParser(collect))
    .option(
      '--known-differences <file>',
      'accept the differences in this file, one per line; one that no longer occurs is a failure',
    )
    .addOption(new Option('--format <form>', 'format of the result (default: text)').choices(formatNames))
    .option('--out <file>', 'write the result to a file, and print its summary')
    .option('--verbose', 'also list the checks that passed or were skipped')
    .option('--timeout <seconds>', 'time limit of one response', '10')
    .option('--pause <milliseconds>', 'delay between two requests', '0')
    .option('--json', 'the same as --format json')
    .hook('preAction', requireFlag('--url <url>'))
    .action(async (flags: ConformFlags) => {
      const { conformCommand } = await import('./conform.ts');
      process.exitCode = await conformCommand(flags, environment);
    });
}

function addCases(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('open')
    .description('start a server with the sandbox of a recording, in memory, until Ctrl-C')
    .argument('<file>', 'the recording')
    .option('--port <port>', 'port to listen on (default: any free one)')
    .action(async (file: string, flags: OpenFlags) => {
      const { open } = await import('./open.ts');
      await open(file, flags);
    });
  program
    .command('replay')
    .description('send the requests of a recording again (exit code 1: a response differs, or could not be compared)')
    .argument('<file>', 'the recording')
    .option('--url <url>', 'base address of the API on another server; only GET and HEAD requests are sent to it')
    .option('--key <key>', 'with --url: a key (env: SANDBOX_KEY)')
    .option('--allow-create', 'with --url: also send requests that add pets')
    .addOption(new Option('--format <form>', 'format of the result').choices(formatNames))
    .option('--json', 'the same as --format json')
    .option('--out <file>', 'write the result to a file, and print its last line')
    .action(async (file: string, flags: ReplayFlags) => {
      const { replayCommand } = await import('./replay.ts');
      process.exitCode = await replayCommand(file, flags, environment);
    });
}
