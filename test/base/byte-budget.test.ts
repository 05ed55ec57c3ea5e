/** The budget that owners share: who takes bytes, and who waits. */
import { describe, expect, it } from 'vitest';
import { ByteBudget } from '../../src/base/byte-budget.ts';

const WHOLE = 100;

/** Takes bytes, and notes who got in. */
function budgetWith(order: string[]) {
  const budget = new ByteBudget(WHOLE);
  const take = (owner: string, bytes: number, name = owner) => {
    const lease = budget.take(owner, bytes);
    if (lease.waiting) void lease.waiting.then(() => order.push(name));
    else order.push(name);
    return lease;
  };
  return { budget, take };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a budget of bytes', () => {
  it('lets one owner have half, whatever it asks for, and another one the other half', async () => {
    const order: string[] = [];
    const { budget, take } = budgetWith(order);
    const first = take('a', 1_000, 'a1');
    take('a', 1, 'a2');
    take('b', 50);
    expect(order).toEqual(['a1', 'b']);
    expect(budget.taken).toBe(WHOLE);
    take('c', 10);
    first.release();
    await settled();
    expect(order).toEqual(['a1', 'b', 'a2', 'c']);
    expect(budget.taken).toBe(61);
  });

  it('lets those that wait in by turns, and nobody before one that needs more', async () => {
    const order: string[] = [];
    const { take } = budgetWith(order);
    const held = [take('a', 50, 'held'), take('b', 30, 'held')];
    take('c', 40, 'c1');
    take('c', 5, 'c2');
    take('d', 5);
    await settled();
    expect(order).toEqual(['held', 'held']);
    held[0]?.release();
    await settled();
    expect(order.slice(2)).toEqual(['c1', 'd', 'c2']);
  });

  it('forgets one that left while it waited', async () => {
    const order: string[] = [];
    const { budget, take } = budgetWith(order);
    const held = [take('a', 50), take('b', 50)];
    take('c', 50).release();
    take('d', 50, 'last');
    for (const each of held) each.release();
    await settled();
    expect(order.at(-1)).toBe('last');
    expect(budget.taken).toBe(50);
  });
});
