/** Numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Values that JSON values are replaced by. */
const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 0.5, 1e21, -1e300, '', 'x', [], {}, [[]], { a: 1 }],
  ...['9223372036854775808', '9999-12-31T23:59:59-23:59', '2026-11-23T00:00:00Z', 'x'.repeat(2_000), '__proto__'],
];

/** The JSON value with something replaced, removed, added or repeated at one place that the numbers choose. */
export function changedAt(value: unknown, random: () => number): unknown {
  const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const isDeeper = typeof value === 'object' && value !== null && Object.keys(value).length > 0 && random() < 0.85;
  if (!isDeeper) return any(VALUES);
  const key = any(Object.keys(value));
  const what = random();
  if (Array.isArray(value) && what < 0.1) return [...value, any(value)];
  if (what < 0.1) return { ...value, more: any(VALUES) };
  if (what < 0.15)
    return Array.isArray(value) ? value.filter((_, i) => i !== Number(key)) : { ...value, [key]: undefined };
  const changed = changedAt((value as Record<string, unknown>)[key], random);
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
}
