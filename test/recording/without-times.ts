/** A recording without what must differ when it is exported again: the id of its sandbox, and times. */
import { type LosslessNumber, parse } from 'lossless-json';

const TIMES = new Set(['exportedAt', 'createdAt', 'since', 'now', 'sandboxNow', 'startMs', 'atMs']);

/** Digit for digit: numbers are texts. */
export function withoutTimes(text: string): unknown {
  const { sandbox, exportedAt: _, report, ...rest } = parse(text) as Record<string, Record<string, unknown>>;
  const clean = (value: unknown, name = ''): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if ('isLosslessNumber' in value)
      return ['startMs', 'atMs'].includes(name) ? 'a time' : (value as LosslessNumber).value;
    if (Array.isArray(value)) return value.map((each) => clean(each));
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clean(member, key)]));
  };
  const { sandbox: __, ...about } = report as Record<string, unknown>;
  const kept = Object.entries(about).filter(([name]) => !TIMES.has(name));
  return clean({ ...rest, sandbox: { label: sandbox?.['label'] }, report: Object.fromEntries(kept) });
}
