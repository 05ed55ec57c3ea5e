/** The commands that change a sandbox: its keys, its pets, its snapshots, its clock and its faults. */
import { type Command, Option } from 'commander';
import { petStatuses } from '../generated/facts.ts';
import { type AddCommand, rejectKey } from './connected-command.ts';
import { faultFlags } from './fault-flags.ts';
import { fixtureFileOption, integer } from './options.ts';
import { requireFlag } from './wrong-use.ts';

/** Of a command that makes a key. */
const quietOption = (): Option => new Option('--quiet', 'print only the key').conflicts('json');

/** `keys create`, `share`, `list` and `revoke`. */
export function addKeyCommands(on: AddCommand, program: Command): void {
  const keys = program.command('keys').description('the keys that open sandboxes');
  on(keys, 'create', 'create a sandbox and a key to it', async () => (await import('./keys.ts')).create, 'anyone')
    .option('--label <words>', 'a name for your own use')
    .option('--fixture <name>', "fixture that the sandbox starts with (default: the server's)")
    .addOption(fixtureFileOption())
    .addOption(integer('--ttl <seconds>', "lifetime of the key (default: the server's)"))
    .addOption(quietOption())
    .hook('preAction', rejectKey);
  on(keys, 'share', 'create a second key to the sandbox', async () => (await import('./keys.ts')).share)
    .option('--label <words>', 'a name for your own use')
    .addOption(integer('--ttl <seconds>', 'lifetime of the key; at most that of the first one'))
    .addOption(quietOption());
  on(keys, 'list', 'list the keys to the sandbox', async () => (await import('./keys.ts')).list);
  on(keys, 'revoke', 'revoke a key', async () => (await import('./keys.ts')).revoke).argument(
    '<id>',
    "the key's id, key_…",
  );
}

/** `reset`, `pets generate`, `export` and `fork`. */
export function addStateCommands(on: AddCommand, program: Command): void {
  on(
    program,
    'reset',
    'reset the sandbox to its fixture, or to a snapshot',
    async () => (await import('./sandbox.ts')).reset,
  )
    .option('--fixture <name>', 'reset to another fixture')
    .addOption(fixtureFileOption())
    .option('--snapshot <name>', 'reset to a snapshot')
    .option('--request-log', 'also clear the request log')
    .option('--all', 'reset every sandbox; needs the admin token');
  const pets = program.command('pets').description('the pets of the sandbox');
  on(pets, 'generate', 'add generated pets', async () => (await import('./sandbox.ts')).generate)
    .addOption(integer('--count <n>', 'number of pets; required'))
    .addOption(integer('--seed <n>', 'the same seed generates the same pets'))
    .addOption(new Option('--status <status>', 'status of all generated pets').choices(petStatuses))
    .hook('preAction', requireFlag('--count <n>'));
  on(program, 'export', 'save the sandbox as a file', async () => (await import('./export.ts')).exportSandbox)
    .addOption(
      new Option('--format <form>', 'format of the file (default: recording)').choices([
        'recording',
        'har',
        'curl',
        'fixture',
      ]),
    )
    .option('--request <id>', 'only this request, as har or curl')
    .option('--out <file>', 'write to a file instead of standard output');
  on(program, 'fork', 'copy the sandbox, with a key of its own', async () => (await import('./sandbox.ts')).fork)
    .option('--label <words>', 'a name for your own use')
    .addOption(integer('--ttl <seconds>', 'lifetime of the key; at most that of this sandbox'))
    .addOption(quietOption());
}

/** `snapshots save`, `list` and `delete`. */
export function addSnapshotCommands(on: AddCommand, program: Command): void {
  const snapshots = program.command('snapshots').description('named states of the sandbox');
  on(
    snapshots,
    'save',
    'save the current state under a name',
    async () => (await import('./snapshots.ts')).save,
  ).argument('<name>');
  on(snapshots, 'list', 'list the snapshots', async () => (await import('./snapshots.ts')).list);
  on(snapshots, 'delete', 'delete a snapshot', async () => (await import('./snapshots.ts')).remove).argument('<name>');
}

/** `clock show`, `set`, `advance` and `reset`. */
export function addClockCommands(on: AddCommand, program: Command): void {
  const clock = program.command('clock').description("the sandbox's own time");
  on(clock, 'show', 'show the time', async () => (await import('./clock.ts')).show);
  on(clock, 'set', 'set, freeze or start the clock', async () => (await import('./clock.ts')).set)
    .argument('[time]', 'a time with a zone, like 2030-12-05T00:00:00Z')
    .option('--freeze', 'stop the clock')
    .option('--run', 'start the clock again');
  on(clock, 'advance', 'move the clock forward', async () => (await import('./clock.ts')).advance).argument(
    '<duration>',
    'an ISO 8601 duration, like P30D or PT1H',
  );
  on(clock, 'reset', 'return to real time', async () => (await import('./clock.ts')).reset);
}

/** `faults add`, `list` and `clear`. */
export function addFaultCommands(on: AddCommand, program: Command): void {
  const faults = program.command('faults').description('rules for injected faults');
  const add = on(faults, 'add', 'add a rule', async () => (await import('./faults.ts')).add);
  for (const { option } of faultFlags()) add.addOption(option);
  on(faults, 'list', 'list the rules', async () => (await import('./faults.ts')).list);
  on(faults, 'clear', 'delete a rule, or all rules', async () => (await import('./faults.ts')).clear).argument(
    '[id]',
    "the rule's id, flt_…",
  );
}
