/** `petstore-sandbox faults`: what shall go wrong. */
import type { Schema } from '../client/routes.ts';
import { counted, table } from '../client/text.ts';
import type { CommandRun } from './connection.ts';

export interface FaultFlags {
  readonly operation?: string;
  readonly when?: string;
  readonly status?: number;
  readonly retryAfter?: number;
  readonly delay?: number;
  readonly connection?: string;
  readonly times?: number;
  readonly probability?: number;
  readonly seed?: number;
}

/** The rule's own words: `status=503 times=1`. */
const effectOf = ({ id: _, when: __, acted: ___, operation: ____, ...rest }: Schema<'Fault'>): string =>
  Object.entries(rest)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** Adds a rule. */
export const add: CommandRun<FaultFlags> = async ({ client, flags, out }) => {
  const { operation, when, status, retryAfter, delay: delayMs, connection, times, probability, seed } = flags;
  const body = { operation, when, status, retryAfter, delayMs, connection, times, probability, seed };
  const fault = await client.ask('POST /faults', { body });
  out.show(fault, () => [
    `added ${fault.id}: ${fault.operation ?? 'every operation'}, ${fault.when} it happens: ${effectOf(fault)}`,
  ]);
  return undefined;
};

export const list: CommandRun<object> = async ({ client, out }) => {
  const answer = await client.ask('GET /faults');
  out.show(answer, () => [
    ...table([
      ['ID', 'OPERATION', 'WHEN', 'ACTED', 'EFFECT'],
      ...answer.faults.map((fault) => [fault.id, fault.operation ?? 'every', fault.when, fault.acted, effectOf(fault)]),
    ]),
    counted(answer.faults.length, 'fault'),
  ]);
  return undefined;
};

/** Deletes one rule, or all of them. */
export const clear: CommandRun<object> = async ({ client, args: [faultId], out }) => {
  if (faultId === undefined) await client.ask('DELETE /faults');
  else await client.ask('DELETE /faults/{faultId}', { params: { faultId } });
  out.show({ cleared: faultId ?? 'all' }, () => [faultId === undefined ? 'deleted all faults' : `deleted ${faultId}`]);
  return undefined;
};
