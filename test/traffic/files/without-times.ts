/** A recording without what must differ when it is exported again: the id of its sandbox, and times. */
import { NumberLiteral, parseDigits } from '../../../src/base/int64.ts';

const TIMES = new Set(['exportedAt', 'createdAt', 'startMs', 'begin', 'expiresAt']);

/** Digit for digit: numbers are texts. */
export const withoutTimes = (text: string): unknown =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => clean(parseDigits(line)));

function clean(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof NumberLiteral) return value.text;
  if (Array.isArray(value)) return value.map(clean);
  const kept = Object.entries(value).filter(([name]) => !TIMES.has(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, clean(member)]));
}
