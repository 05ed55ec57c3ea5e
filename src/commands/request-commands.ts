/** The commands that read the journal: what a client sent, and the responses to it. */
import { type Command, Option } from 'commander';
import { operationNames } from '../generated/facts.ts';
import type { AddCommand } from './connected-command.ts';
import { integer } from './number-options.ts';

/** `requests list`, `show`, `verify`, `tail` and `clear`. */
export function addRequestCommands(on: AddCommand, program: Command): void {
  const requests = program.command('requests').description('what the client sent, and the responses to it');
  on(requests, 'list', 'list the journal, the newest first', async () => (await import('./requests.ts')).list)
    .addOption(new Option('--operation <name>', 'only this operation').choices(operationNames))
    .addOption(integer('--status <status>', 'only those with this status of the response'))
    .option('--violations', 'only those that break the specification')
    .option('--since <time|id>', 'only those from a time on, or after a request')
    .addOption(integer('--limit <n>', 'at most so many (default: 100)'))
    .addOption(
      new Option('--unclaimed', 'those that belong to no sandbox: without a usable key, or to a wrong path').conflicts([
        'operation',
        'status',
        'violations',
        'since',
      ]),
    );
  on(requests, 'show', 'show one, with its bodies', async () => (await import('./requests.ts')).show).argument(
    '<id>',
    "the request's id, req_…",
  );
  addVerify(on, requests);
  on(requests, 'tail', 'print each as it happens', async () => (await import('./tail.ts')).tail);
  on(requests, 'clear', 'clear the journal', async () => (await import('./requests.ts')).clear).option(
    '--unclaimed',
    'the list of requests that belong to no sandbox instead',
  );
}

function addVerify(on: AddCommand, requests: Command): void {
  on(
    requests,
    'verify',
    'check that the client sent what it should have (exit code 1: it did not)',
    async () => (await import('./requests.ts')).verify,
  )
    .addOption(new Option('--operation <name>', 'the operation').choices(operationNames))
    .option('--method <method>', 'the method, in capitals')
    .option('--path <path>', 'the path, with the parameters that it has to have: /pets?limit=5')
    .addOption(integer('--status <status>', 'the status of its response'))
    .option('--body <json>', 'what its body holds, like \'{"name": "Rex"}\'')
    .option('--since <time|id>', 'only those from a time on, or after a request')
    .addOption(integer('--at-least <n>', 'how many there have to be (default: 1)'))
    .addOption(integer('--at-most <n>', 'how many there may be'))
    .addOption(integer('--exactly <n>', 'how many there have to be, no more and no fewer'));
}
