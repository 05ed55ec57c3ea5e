/** The flags of `faults add`: one for each field of a fault rule in `spec/control-api.yaml`. */
import { InvalidArgumentError, Option } from 'commander';
import { type FaultFieldSchema, faultFieldSchema, faultTextForm, readFaultText } from '../core/fault-text.ts';
import { type FaultField, faultFields } from '../generated/facts.ts';
import { integer, number } from './options.ts';

/** Every field with its flag. New objects on each call, because a command modifies its options. */
export const faultFlags = (): readonly { readonly field: FaultField; readonly option: Option }[] =>
  faultFields.map((field) => ({ field, option: optionOf(field, faultFieldSchema(field)) }));

function optionOf(field: FaultField, { type, description, enum: values }: FaultFieldSchema): Option {
  const name = dashed(field.replace(/Ms$/, ''));
  const flag = `--${name} <${dashed(faultTextForm(field))}>`;
  const help = helpOf(description);
  if (values) return new Option(flag, help).choices(values);
  if (type === 'string') return new Option(flag, help);
  if (type === 'array' || type === 'object') return new Option(flag, help).argParser(reader(field));
  return type === 'integer' ? integer(flag, help) : number(flag, help);
}

function reader(field: FaultField): (text: string) => unknown {
  return (text) => {
    const value = readFaultText(field, text);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${faultTextForm(field)}.`);
    return value;
  };
}

/** `retryAfter` as `retry-after`. */
const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The first sentence of a description, in the style of help texts. */
function helpOf(description: string): string {
  const [first = ''] = description.replaceAll(/\s+/g, ' ').split(/\.(?: |$)/);
  return first.replaceAll('`', '').replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}
