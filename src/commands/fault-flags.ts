/** The flags of `faults add`: one for each field of a fault rule, as `spec/controls.yaml` describes it. */
import { Option } from 'commander';
import { type FaultField, faultFields, newFault } from '../generated/facts.ts';
import { integer, number } from './number-options.ts';

interface Described {
  readonly type: string;
  readonly description: string;
  readonly enum?: readonly string[];
}

/** Every field with its flag. New at each call: a command keeps its options. */
export const faultFlags = (): readonly { readonly field: FaultField; readonly option: Option }[] =>
  faultFields.map((field) => ({ field, option: optionOf(field, newFault.properties[field]) }));

function optionOf(field: FaultField, { type, description, enum: values }: Described): Option {
  const name = field.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const flag = `--${name} <${type === 'string' ? name : field.endsWith('Ms') ? 'ms' : 'n'}>`;
  const help = helpOf(description);
  if (values) return new Option(flag, help).choices(values);
  if (type === 'string') return new Option(flag, help);
  return type === 'integer' ? integer(flag, help) : number(flag, help);
}

/** The first sentence of a description, as help texts are written. */
function helpOf(description: string): string {
  const [first = ''] = description.replaceAll(/\s+/g, ' ').split(/\.(?: |$)/);
  return first.replaceAll('`', '').replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}
