/** The commands that change a sandbox: its keys, its pets, its snapshots, its clock and its faults. */
import { type Command, Option } from 'commander';
import { petStatuses } from '../generated/facts.ts';
import { type AddCommand, refuseKey } from './connected-command.ts';
import { faultFlags } from './fault-flags.ts';
import { fixtureFileOption } from './fixture-option.ts';
import { integer } from './number-options.ts';
import { requireFlag } from './wrong-use.ts';

/** Of a command that makes a key. */
const quietOption = (): Option => new Option('--quiet', 'print the key alone').conflicts('json');

/** `keys create`, `share`, `list` and `revoke`. */
export function addKeyCommands(on: AddCommand, program: Command): void {
  const keys = program.command('keys').description('the keys that open sandboxes');
  on(keys, 'create', 'make a sandbox and its key', async () => (await import('./keys.ts')).create, 'anyone')
    .option('--label <words>', 'words of your own')
    .option('--fixture <name>', "what the sandbox starts with (default: the server's)")
    .addOption(fixtureFileOption())
    .addOption(integer('--ttl <seconds>', "how long the key opens it (default: the server's)"))
    .addOption(quietOption())
    .hook('preAction', refuseKey);
  on(keys, 'share', 'make a second key to the sandbox', async () => (await import('./keys.ts')).share)
    .option('--label <words>', 'words of your own')
    .addOption(integer('--ttl <seconds>', 'how long the key opens it; never longer than the first'))
    .addOption(quietOption());
  on(keys, 'list', 'list the keys to the sandbox', async () => (await import('./keys.ts')).list);
  on(keys, 'revoke', 'revoke a key', async () => (await import('./keys.ts')).revoke).argument(
    '<id>',
    "the key's id, key_…",
  );
}

/** `reset`, `generate`, `export` and `fork`. */
export function addStateCommands(on: AddCommand, program: Command): void {
  on(program, 'reset', 'put the sandbox back to its start', async () => (await import('./sandbox.ts')).reset)
    .option('--fixture <name>', 'to another fixture')
    .addOption(fixtureFileOption())
    .option('--snapshot <name>', 'to a snapshot')
    .option('--journal', 'clear the journal too')
    .option('--all', 'every sandbox; needs the admin token');
  on(program, 'generate', 'add made-up pets', async () => (await import('./sandbox.ts')).generate)
    .addOption(integer('--count <n>', 'how many; it has to be given'))
    .addOption(integer('--seed <n>', 'the same seed makes the same pets'))
    .addOption(new Option('--status <status>', 'the status of all of them').choices(petStatuses))
    .hook('preAction', requireFlag('--count <n>'));
  on(program, 'export', 'save the sandbox as a file', async () => (await import('./export.ts')).exportSandbox)
    .addOption(
      new Option('--format <form>', 'what to save (default: case)').choices(['case', 'har', 'curl', 'fixture']),
    )
    .option('--out <file>', 'write it into a file');
  on(program, 'fork', 'copy the sandbox, with a key of its own', async () => (await import('./sandbox.ts')).fork)
    .option('--label <words>', 'words of your own')
    .addOption(integer('--ttl <seconds>', 'how long the key opens it; never longer than this sandbox lives'))
    .addOption(quietOption());
}

/** `snapshot save`, `list` and `drop`. */
export function addSnapshotCommands(on: AddCommand, program: Command): void {
  const snapshot = program.command('snapshot').description('named states of the sandbox');
  on(snapshot, 'save', 'name the present state', async () => (await import('./snapshot.ts')).save).argument('<name>');
  on(snapshot, 'list', 'list the snapshots', async () => (await import('./snapshot.ts')).list);
  on(snapshot, 'drop', 'drop a snapshot', async () => (await import('./snapshot.ts')).drop).argument('<name>');
}

/** `clock show`, `set`, `advance` and `clear`. */
export function addClockCommands(on: AddCommand, program: Command): void {
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
}

/** `faults add`, `list` and `clear`. */
export function addFaultCommands(on: AddCommand, program: Command): void {
  const faults = program.command('faults').description('rules for injected faults');
  const add = on(faults, 'add', 'add a rule', async () => (await import('./faults.ts')).add);
  for (const { option } of faultFlags()) add.addOption(option);
  on(faults, 'list', 'list the rules', async () => (await import('./faults.ts')).list);
  on(faults, 'clear', 'delete a rule, or all', async () => (await import('./faults.ts')).clear).argument(
    '[id]',
    "the rule's id, flt_…",
  );
}
