/** The commands that read the request log: what a client sent, and the responses to it. */
import { type Command, Option } from 'commander';
import { operationNames } from '../generated/facts.ts';
import type { AddCommand } from './connected-command.ts';
import { integer } from './options.ts';

/** `requests list`, `show`, `verify`, `tail` and `clear`. */
export function addRequestCommands(on: AddCommand, program: Command): void {
  const requests = program.command('requests').description('what the client sent, and the responses to it');
  on(requests, 'list', 'list the request log, newest first', async () => (await import('./requests.ts')).list)
    .addOption(new Option('--operation <name>', 'only this operation').choices(operationNames))
    .addOption(integer('--status <status>', 'only requests whose response has this status'))
    .option('--violations', 'only requests that break the specification')
    .option('--since <time|id>', 'only requests since a time, or after a request')
    .option('--before <id>', 'only requests that are older than this one')
    .option('--contains <text>', 'only requests whose target or bodies contain this text')
    .addOption(integer('--limit <n>', 'maximum number of requests (default: 100)'))
    .addOption(
      new Option(
        '--unmatched',
        'requests that belong to no sandbox: without a valid key, or to a wrong path',
      ).conflicts(['operation', 'status', 'violations', 'since', 'before', 'contains']),
    );
  on(requests, 'show', 'show one request with its bodies', async () => (await import('./requests.ts')).show).argument(
    '<id>',
    "the request's id, req_…",
  );
  addVerify(on, requests);
  on(requests, 'tail', 'print each request as it happens', async () => (await import('./tail.ts')).tail);
  on(requests, 'clear', 'clear the request log', async () => (await import('./requests.ts')).clear).option(
    '--unmatched',
    'clear the requests that belong to no sandbox instead',
  );
}

function addVerify(on: AddCommand, requests: Command): void {
  on(
    requests,
    'verify',
    'count matching requests (exit code 1: not as many as expected)',
    async () => (await import('./requests.ts')).verify,
  )
    .addOption(new Option('--operation <name>', 'the operation').choices(operationNames))
    .option('--method <method>', 'the method, in capitals')
    .option('--path <path>', 'the path; may contain parameters: /pets?limit=5')
    .addOption(integer('--status <status>', 'the status of the response'))
    .option('--body <json>', 'a partial match of the body, like \'{"name": "Rex"}\'')
    .option('--since <time|id>', 'only requests since a time, or after a request')
    .addOption(integer('--at-least <n>', 'minimum number of matches (default: 1)'))
    .addOption(integer('--at-most <n>', 'maximum number of matches'))
    .addOption(integer('--exactly <n>', 'exact number of matches'));
}
