/** Fault rules made from their description in `spec/controls.yaml`: a new field is tested as soon as it is described. */
import { type FaultField, faultFields, newFault } from '../../src/generated/facts.ts';

interface Bounds {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A value that the description allows; no default, so that it is seen to arrive. */
function sampleOf(field: FaultField): string | number {
  const { type, enum: words, minimum = 0, maximum = minimum + 2 }: Bounds = newFault.properties[field];
  if (words) return words.at(-1) as string;
  const middle = (minimum + maximum) / 2;
  return type === 'integer' ? Math.floor(middle) : middle;
}

/** The least rule that has this field. */
function ruleWith(field: FaultField): Record<string, string | number> {
  const needed: Readonly<Record<string, readonly string[]>> = newFault.dependentRequired;
  const effects = newFault.anyOf.flatMap(({ required }): readonly string[] => required);
  const fields = [field, ...(needed[field] ?? [])];
  if (!fields.some((each) => effects.includes(each))) fields.push(effects[0] as string);
  return Object.fromEntries(fields.map((each) => [each, sampleOf(each as FaultField)]));
}

/** Every field, with the least rule that has it. */
export const rulesByField = faultFields.map((field) => [field, ruleWith(field)] as const);
