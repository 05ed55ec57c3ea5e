/** The parts of a case that must keep every digit: pets, changes and next ids. */
import { describeJson, INT64_MAX, type JsonObject, type JsonValue, NumberLiteral } from '../int64.ts';
import type { Complaints } from './complaints.ts';

/** The first id to assign. `null` in the file means that none is left. */
export function nextIdIn({ nextId }: JsonObject, place: string, complaints: Complaints): bigint {
  if (nextId === null) return INT64_MAX + 1n;
  if (typeof nextId === 'bigint') return nextId;
  complaints.add(`${place}/nextId`, `must be an int64, or null; got ${describeJson(nextId)}`);
  return 0n;
}

/** The same with plain numbers: nothing else in a case is beyond 53 bits, and a larger number breaks its bounds. */
export function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof NumberLiteral) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
