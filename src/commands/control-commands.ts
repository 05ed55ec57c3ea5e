/**
 * The commands that talk to a running server: their names, arguments and flags. What each does stands in a file of its
 * own, imported only when it is called.
 */
import { Argument, type Command, Option } from 'commander';
import { operationNames, petStatuses } from '../generated/facts.ts';
import type { As, CommandRun, ConnectionFlags } from './connection.ts';
import { faultFlags } from './fault-flags.ts';
import { integer } from './number-options.ts';
import { requireFlag } from './wrong-use.ts';

const FORMATS = ['text', 'json', 'junit', 'html', 'sarif'];

/** Adds them all to the program. */
export function addControlCommands(program: Command, environment: NodeJS.ProcessEnv): void {
  /** A command with the flags that all of them have. */
  const on = (
    parent: Command,
    name: string,
    description: string,
    load: () => Promise<CommandRun<never>>,
    as: As = 'sandbox',
  ): Command =>
    parent
      .command(name)
      .description(description)
      .option(
        '--url <url>',
        "the server's address (env: SANDBOX_URL; default: this machine, port SANDBOX_PORT or 4020)",
      )
      .option('--key <key>', "the sandbox's key (env: SANDBOX_KEY)")
      .option('--admin-token <token>', "the operator's token (env: SANDBOX_ADMIN_TOKEN)")
      .option('--sandbox <id>', 'with the admin token: the sandbox to act on')
      .option('--json', 'print JSON, for programs')
      .action(async (...all: unknown[]) => {
        const command = all.at(-1) as Command;
        const flags = command.opts<ConnectionFlags>();
        const { runConnected } = await import('./connection.ts');
        const run = (await load()) as CommandRun<object>;
        process.exitCode = await runConnected(run, { flags, args: command.args, environment, as });
      });

  const keys = program.command('keys').description('the keys that open sandboxes');
  on(keys, 'create', 'make a sandbox and its key', async () => (await import('./keys.ts')).create, 'anyone')
    .option('--label <words>', 'words of your own')
    .option('--fixture <name>', "what the sandbox starts with (default: the server's)")
    .addOption(seconds('--ttl <seconds>', "how long the key opens it (default: the server's)"))
    .hook('preAction', refuseKey);
  on(keys, 'share', 'make a second key to the sandbox', async () => (await import('./keys.ts')).share)
    .option('--label <words>', 'words of your own')
    .addOption(seconds('--ttl <seconds>', 'how long the key opens it; never longer than the first'));
  on(keys, 'list', 'list the keys to the sandbox', async () => (await import('./keys.ts')).list);
  on(keys, 'revoke', 'revoke a key', async () => (await import('./keys.ts')).revoke).argument(
    '<id>',
    "the key's id, key_…",
  );

  on(program, 'reset', 'put the sandbox back to its start', async () => (await import('./sandbox.ts')).reset)
    .option('--fixture <name>', 'to another fixture')
    .option('--snapshot <name>', 'to a snapshot')
    .option('--journal', 'clear the journal too')
    .option('--all', 'every sandbox; needs the admin token');
  on(program, 'generate', 'add made-up pets', async () => (await import('./sandbox.ts')).generate)
    .addOption(integer('--count <n>', 'how many; it has to be given'))
    .addOption(integer('--seed <n>', 'the same seed makes the same pets'))
    .addOption(new Option('--status <status>', 'the status of all of them').choices(petStatuses))
    .hook('preAction', requireFlag('--count <n>'));
  on(program, 'fork', 'copy the sandbox, with a key of its own', async () => (await import('./sandbox.ts')).fork)
    .option('--label <words>', 'words of your own')
    .addOption(seconds('--ttl <seconds>', 'how long the key opens it; never longer than this sandbox lives'));

  const snapshot = program.command('snapshot').description('named states of the sandbox');
  on(snapshot, 'save', 'name the present state', async () => (await import('./snapshot.ts')).save).argument('<name>');
  on(snapshot, 'list', 'list the snapshots', async () => (await import('./snapshot.ts')).list);
  on(snapshot, 'drop', 'drop a snapshot', async () => (await import('./snapshot.ts')).drop).argument('<name>');

  const clock = program.command('clock').description("the sandbox's own time");
  on(clock, 'show', 'show the time', async () => (await import('./clock.ts')).show);
  on(clock, 'set', 'set, freeze or start the clock', async () => (await import('./clock.ts')).set)
    .argument('[time]', 'a time with a zone, like 2030-12-05T00:00:00Z')
    .option('--freeze', 'let it stand still')
    .option('--run', 'let it go on');
  on(clock, 'advance', 'let time pass', async () => (await import('./clock.ts')).advance).argument(
    '<duration>',
    'an ISO 8601 duration, like P30D or PT1H',
  );
  on(clock, 'clear', 'back to real time', async () => (await import('./clock.ts')).clear);

  const faults = program.command('faults').description('what shall go wrong');
  const add = on(faults, 'add', 'add a rule', async () => (await import('./faults.ts')).add);
  for (const { option } of faultFlags()) add.addOption(option);
  on(faults, 'list', 'list the rules', async () => (await import('./faults.ts')).list);
  on(faults, 'clear', 'delete a rule, or all', async () => (await import('./faults.ts')).clear).argument(
    '[id]',
    "the rule's id, flt_…",
  );

  const requests = program.command('requests').description('what the client sent, and was answered');
  on(requests, 'list', 'list the journal, the newest first', async () => (await import('./requests.ts')).list)
    .addOption(new Option('--operation <name>', 'only this operation').choices(operationNames))
    .addOption(integer('--status <status>', 'only those answered with this status'))
    .option('--violations', 'only those that break the document')
    .option('--since <time|id>', 'only those from a time on, or after a request')
    .addOption(integer('--limit <n>', 'at most so many (default: 100)'));
  on(requests, 'show', 'show one, with its bodies', async () => (await import('./requests.ts')).show).argument(
    '<id>',
    "the request's id, req_…",
  );
  on(
    requests,
    'verify',
    'check that the client sent what it should have (exit code 1: it did not)',
    async () => (await import('./requests.ts')).verify,
  )
    .addOption(new Option('--operation <name>', 'the operation').choices(operationNames))
    .option('--method <method>', 'the method, in capitals')
    .option('--path <path>', 'the path, with the parameters that it has to have: /pets?limit=5')
    .addOption(integer('--status <status>', 'what it was answered with'))
    .option('--body <json>', 'what its body holds, like \'{"name": "Rex"}\'')
    .option('--since <time|id>', 'only those from a time on, or after a request')
    .addOption(integer('--at-least <n>', 'how many there have to be (default: 1)'))
    .addOption(integer('--at-most <n>', 'how many there may be'))
    .addOption(integer('--exactly <n>', 'how many there have to be, no more and no fewer'));
  on(requests, 'tail', 'print each as it happens', async () => (await import('./tail.ts')).tail);
  on(requests, 'clear', 'clear the journal', async () => (await import('./requests.ts')).clear);

  on(
    program,
    'report',
    'whether the client kept to the contract (exit code 1: it did not, or nobody knows)',
    async () => (await import('./report.ts')).report,
  )
    .option('--strict', 'warnings and the use of deprecated operations break the contract too')
    .addOption(new Option('--format <form>', 'form of the report (default: text)').choices(FORMATS))
    .option('--out <file>', 'write the report into a file, and print the verdict');
  on(
    program,
    'exec',
    'run a command with a sandbox of its own, and end with its code, or with 1 where it broke the contract',
    async () => (await import('./exec.ts')).exec,
    'anyone',
  )
    .addArgument(new Argument('<command...>', 'after --: what to run, with SANDBOX_URL and SANDBOX_KEY'))
    .option('--fixture <name>', "what the sandbox starts with (default: the server's)")
    .option('--label <words>', 'words of your own')
    .addOption(seconds('--ttl <seconds>', "how long its key lives (default: the server's)"))
    .option('--strict', 'warnings and the use of deprecated operations break the contract too')
    .addOption(new Option('--format <form>', 'form of the report in the file (default: json)').choices(FORMATS))
    .option('--out <file>', 'write the report into a file')
    .hook('preAction', refuseKey);

  program
    .command('fixtures')
    .description('sets of seed data')
    .command('check')
    .description('check a directory of fixtures (exit code 1: one is wrong); needs no server')
    .argument('<dir>')
    .option('--json', 'print JSON, for programs')
    .action(async (directory: string, flags: { json?: boolean }) => {
      const { checkFixtures } = await import('./check-fixtures.ts');
      process.exitCode = await checkFixtures(directory, flags);
    });
}

/** A new sandbox has a key of its own: a given one would have no effect. */
function refuseKey(command: Command): void {
  if (command.opts()['key'] !== undefined) command.error('error: --key has no effect here: a new key is made');
}

const seconds = integer;
