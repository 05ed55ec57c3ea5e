/**
 * The values of a fault rule as text, for flags, headers and forms: a list as `field,order`, an object as the values of
 * its members in the specification's order, `10/60`.
 */
import { type FaultField, newFault } from '../generated/facts.ts';
import type { InjectedFault } from './exchange.ts';

export type FaultValue = number | string | readonly string[] | Readonly<Record<string, number>>;

/** A field of a fault rule, as far as its text form depends on it. */
export interface FaultFieldSchema {
  readonly type: string;
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly enum: readonly string[] };
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly FaultValue[];
}

export const faultFieldSchema = (field: FaultField): FaultFieldSchema => newFault.properties[field];

export const faultText = (value: FaultValue): string =>
  typeof value === 'object' ? (Array.isArray(value) ? value.join(',') : Object.values(value).join('/')) : String(value);

/** The placeholder for the text of this field: `ms`, `n`, `requests/seconds`, `field,…`. */
export function faultTextForm(field: FaultField): string {
  const { type, properties = {}, items } = faultFieldSchema(field);
  if (type === 'array') return `${items?.enum[0]},…`;
  if (type === 'object') return Object.keys(properties).join('/');
  return type === 'string' ? field : field.endsWith('Ms') ? 'ms' : 'n';
}

/** Parses a text that a person wrote; the server checks the bounds. `undefined` if the text has another form. */
export function readFieldText(
  { type, properties = {} }: Partial<Pick<FaultFieldSchema, 'type' | 'properties'>>,
  text: string,
): FaultValue | undefined {
  if (type === 'integer' || type === 'number') return readNumber(text, type);
  if (type === 'array') return text.split(',').map((word) => word.trim());
  if (type !== 'object') return text;
  const names = Object.keys(properties);
  const values = text.split('/').map((part) => readNumber(part.trim(), 'integer'));
  if (values.length !== names.length || values.includes(undefined)) return undefined;
  return Object.fromEntries(names.map((name, i) => [name, values[i] as number]));
}

function readNumber(text: string, type: 'integer' | 'number'): number | undefined {
  const form = type === 'integer' ? /^-?\d{1,15}$/ : /^\d{1,15}(?:\.\d{1,15})?$/;
  return form.test(text) ? Number(text) : undefined;
}

const CONNECTIONS = {
  reset: 'connection broken',
  empty: 'no response sent',
  truncate: 'half of the response sent',
} as const;

/** What a fault did: `connection broken after it happened`. A delay is shown separately. */
export function injectedWords(fault: InjectedFault): string {
  const { status, retryAfter, bytesPerSecond, connection, vary, corrupt } = fault;
  const after = fault.when === 'after' ? ' after it happened' : '';
  const words = [
    status === undefined ? [] : `response replaced${after}`,
    retryAfter === undefined ? [] : `retry after ${retryAfter} s`,
    bytesPerSecond === undefined ? [] : `${bytesPerSecond} bytes per second`,
    // Half a response, or a changed body, always comes after the operation.
    connection === undefined ? [] : `${CONNECTIONS[connection]}${connection === 'truncate' ? '' : after}`,
    vary === undefined ? [] : `body varied (${vary.join(',')})`,
    corrupt === undefined ? [] : `body corrupted (${corrupt})`,
  ].flat();
  return words.length === 0 ? `response delayed${after}` : words.join(', ');
}
