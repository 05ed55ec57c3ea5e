/**
 * `petstore-sandbox requests tail`: prints each exchange as it is validated, until the command or the server is stopped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlEvent } from '../client/events.ts';
import type { Schema } from '../client/routes.ts';
import { summaryRow } from '../client/text.ts';
import type { CommandRun } from './connection.ts';
import { complain } from './problems.ts';

/** The server requests this delay before a client reconnects to an ended stream. */
const PAUSE_MS = 1000;

/** Prints one line for each event; in JSON, one value per line. */
export const tail: CommandRun<object> = async ({ client, flags, out }) => {
  let lastEventId: string | undefined;
  const onOpen = (): void => {
    if (!flags.json && lastEventId === undefined) complain(`waiting for requests to ${client.apiUrl}`);
  };
  for (;;) {
    for await (const event of client.events({ lastEventId, onOpen })) {
      lastEventId = event.id ?? lastEventId;
      out.show(event, () => [lineOf(event)]);
    }
    await sleep(PAUSE_MS);
  }
};

function lineOf({ event, data }: ControlEvent): string {
  if (event === 'unmatched') {
    const { at, status, method, path, message } = data as Schema<'UnmatchedRequest'>;
    return `${at}  unmatched  ${status}  ${method}  ${path}  ${message}`;
  }
  if (event !== 'exchange') return `${(data as { at?: string }).at ?? ''}  ${event}`;
  return summaryRow(data as Schema<'ExchangeSummary'>)
    .join('  ')
    .trimEnd();
}
