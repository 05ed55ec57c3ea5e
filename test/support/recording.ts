/** A recording by its parts, so that a test can change any place of it. */

// biome-ignore lint/suspicious/noExplicitAny: what a test changes at will, also into what is wrong
type Json = any;

interface Parts {
  head: Json;
  /** Each with its pets. */
  fixtures: Json[];
  log: Json[];
  exchanges: Json[];
}

/** Integers beyond 53 bits lose digits. */
export function partsOf(text: string): Parts {
  const [head, ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const parts: Parts = { head, fixtures: [], log: [], exchanges: [] };
  for (const line of lines) {
    if ('end' in line) continue;
    if ('fixture' in line) parts.fixtures.push({ ...line, pets: [] });
    else if ('exchange' in line) parts.exchanges.push(line.exchange);
    else if (parts.log.length > 0 || 'begin' in line) parts.log.push(line);
    else parts.fixtures.at(-1).pets.push(...line.pets);
  }
  return parts;
}

export const fileOf = ({ head, fixtures, log, exchanges }: Parts): string =>
  whole([
    head,
    ...fixtures.flatMap((fixture) => {
      if (typeof fixture !== 'object' || fixture === null || !('pets' in fixture)) return [fixture];
      const { pets, ...about } = fixture;
      return pets.length === 0 ? [about] : [about, { pets }];
    }),
    ...log,
    ...exchanges.map((exchange) => ({ exchange })),
  ]);

/** A file of these lines, and the one that ends it. */
export const whole = (lines: readonly unknown[]): string =>
  [...lines, { end: lines.length }].map((line) => `${JSON.stringify(line)}\n`).join('');

/** What the state has of a kind: `clock`, `faults`, `drill`, from the last line of the log that sets it. */
export const lineWith = (parts: Parts, name: string): Json =>
  parts.log.findLast((line) => name in line || (line.set && name in line.set));
