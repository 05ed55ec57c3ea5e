/** `petstore-sandbox faults`: what shall go wrong. */
import type { Schema } from '../client/routes.ts';
import { counted, table } from '../client/text.ts';
import type { CommandRun } from './connection.ts';
import { faultFlags } from './fault-flags.ts';

/** The rule's own words: `status=503 times=1`. */
const effectOf = ({ id: _, when: __, acted: ___, operation: ____, ...rest }: Schema<'Fault'>): string =>
  Object.entries(rest)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** Adds a rule. */
export const add: CommandRun<Readonly<Record<string, unknown>>> = async ({ client, flags, out }) => {
  const given = faultFlags().map(({ field, option }) => [field, flags[option.attributeName()]]);
  const fault = await client.ask('POST /faults', { body: Object.fromEntries(given) as Schema<'NewFault'> });
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
