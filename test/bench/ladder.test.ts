import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Part {
  readonly name: string;
  readonly changes: readonly { readonly from: string; readonly to: string }[];
  readonly memory?: boolean;
}
interface Ladder {
  readonly PARTS: readonly Part[];
  readonly Switch: new (part: Part) => { apply(source: string): string | undefined; check(): void };
}
const path = '../../scripts/bench/ladder-parts.mjs';
const { PARTS, Switch }: Ladder = await import(path);

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'));

test.each(PARTS.map((part) => [part.name, part] as const))('the ladder of costs can switch off %s', (_, part) => {
  expect(part.changes.length > 0 || part.memory).toBe(true);
  for (const { from } of part.changes) expect(sources.filter((source) => source.includes(from))).toHaveLength(1);
  const off = new Switch(part);
  for (const source of sources) off.apply(source);
  expect(() => off.check()).not.toThrow();
});

test('the ladder of costs says what it cannot switch off', () => {
  const off = new Switch({ name: 'a part', changes: [{ from: 'what is nowhere', to: '' }] });
  expect(off.apply('something else')).toBeUndefined();
  expect(() => off.check()).toThrow('cannot switch off a part: what is nowhere');
});
