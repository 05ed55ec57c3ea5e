/** Fault rules made from their description in `spec/control-api.yaml`: a new field is tested as soon as it is described. */
import type { FaultValue } from '../../src/base/api/fault-text.ts';
import { type FaultField, faultFields, newFault } from '../../src/base/generated/facts.ts';

interface Bounds {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly examples?: readonly FaultValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Bounds;
  readonly properties?: Readonly<Record<string, Bounds>>;
}

/** A value that the description allows; no default, so that it is seen to arrive. */
function sampleOf({ type, minimum = 0, maximum = minimum + 2, ...rest }: Bounds): FaultValue {
  const { enum: words, examples, items, properties } = rest;
  if (words) return words.at(-1) as string;
  if (examples && type === 'string') return examples.at(-1) as string;
  if (items) return items.enum?.slice(-2) ?? [];
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, bounds]) => [name, sampleOf(bounds) as number]));
  }
  const middle = (minimum + maximum) / 2;
  return type === 'integer' ? Math.floor(middle) : middle;
}

/** The least rule that has this field. */
function ruleWith(field: FaultField): Record<string, FaultValue> {
  const needed: Readonly<Record<string, readonly string[]>> = newFault.dependentRequired;
  const effects = newFault.anyOf.flatMap(({ required }): readonly string[] => required);
  const fields: string[] = [];
  for (let next: string[] = [field]; next.length > 0; next = next.flatMap((each) => needed[each] ?? []))
    fields.push(...next);
  if (!fields.some((each) => effects.includes(each))) fields.push(effects[0] as string);
  return Object.fromEntries(fields.map((each) => [each, sampleOf(newFault.properties[each as FaultField])]));
}

/** Every field, with the least rule that has it. */
export const rulesByField = faultFields.map((field) => [field, ruleWith(field)] as const);
