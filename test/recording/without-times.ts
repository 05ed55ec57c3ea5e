/** A recording without what must differ when it is exported again: the id of its sandbox, and times. */
import { type LosslessNumber, parse } from 'lossless-json';

const TIMES = new Set(['exportedAt', 'createdAt', 'ms', 'startMs', 'begin', 'expiresAt']);

/** Digit for digit: numbers are texts. */
export const withoutTimes = (text: string): unknown =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => clean(parse(line)));

function clean(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('isLosslessNumber' in value) return (value as LosslessNumber).value;
  if (Array.isArray(value)) return value.map(clean);
  const kept = Object.entries(value).filter(([name]) => !TIMES.has(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, clean(member)]));
}
