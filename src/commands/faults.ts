/** `petstore-sandbox faults`: rules for injected faults. */
import type { Schema } from '../client/routes.ts';
import { counted, table } from '../client/text.ts';
import { type FaultValue, faultText } from '../core/fault-text.ts';
import type { CommandRun } from './connection.ts';
import { faultFlags } from './fault-flags.ts';

/** The effect of a rule: `status=503 times=1`. */
const effectOf = ({ id: _, when: __, triggered: ___, operation: ____, ...rest }: Schema<'Fault'>): string =>
  Object.entries(rest)
    .map(([name, value]) => `${name}=${faultText(value as FaultValue)}`)
    .join(' ');

/** Adds a rule. */
export const add: CommandRun<Readonly<Record<string, unknown>>> = async ({ client, flags, out }) => {
  const fields = faultFlags().map(({ field, option }) => [field, flags[option.attributeName()]]);
  const fault = await client.request('POST /faults', { body: Object.fromEntries(fields) as Schema<'NewFault'> });
  out.show(fault, () => [
    `added ${fault.id}: ${fault.operation ?? 'every operation'}, ${fault.when} it happens: ${effectOf(fault)}`,
  ]);
  return undefined;
};

export const list: CommandRun<object> = async ({ client, out }) => {
  const response = await client.request('GET /faults');
  out.show(response, () => [
    ...table([
      ['ID', 'OPERATION', 'WHEN', 'ACTED', 'EFFECT'],
      ...response.faults.map((fault) => [
        fault.id,
        fault.operation ?? 'every',
        fault.when,
        fault.triggered,
        effectOf(fault),
      ]),
    ]),
    counted(response.faults.length, 'fault'),
  ]);
  return undefined;
};

/** Deletes one rule, or all of them. */
export const clear: CommandRun<object> = async ({ client, args: [faultId], out }) => {
  if (faultId === undefined) await client.request('DELETE /faults');
  else await client.request('DELETE /faults/{faultId}', { params: { faultId } });
  out.show({ cleared: faultId ?? 'all' }, () => [faultId === undefined ? 'deleted all faults' : `deleted ${faultId}`]);
  return undefined;
};
