import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairBudget } from '../../src/core/fair-budget.ts';

const PLACES = 64;
const WHOLE = 1_024;
/** What an exchange takes at least. */
const PLACE = WHOLE / PLACES;
const open = () => new FairBudget(WHOLE);

/** Those who are woken go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a budget that many share', () => {
  test('wakes those that wait by owner in turn, no more than places were given back, and everybody when it is empty', async () => {
    const room = open();
    for (let index = 0; index < PLACES; index += 1) room.take(index % 2 === 0 ? 'x' : 'y', PLACE);
    const woken: string[] = [];
    for (const owner of 'aaabcbbb') void room.wait(owner, PLACE)?.then(() => woken.push(owner));
    for (let places = 1; places <= 5; places += 1) {
      room.give('x', PLACE);
      room.admit(1);
      await settle();
      expect(woken.join('')).toBe('abcab'.slice(0, places));
    }
    for (let index = 5; index < PLACES; index += 1) room.give(index < PLACES / 2 ? 'x' : 'y', PLACE);
    room.admit(0);
    await settle();
    expect(woken.join('')).toBe('abcababb');
  });

  test('leaves to others what one owner asks for beyond its share', async () => {
    const room = open();
    expect(room.enter('greedy', WHOLE / 2)).toBeUndefined();
    const more = room.enter('greedy', 1);
    expect(more).toBeInstanceOf(Promise);
    expect(room.enter('newcomer', WHOLE / 4)).toBeUndefined();
    room.give('greedy', WHOLE / 2);
    room.admit();
    await more;
    expect(room.taken).toBe(WHOLE / 4 + 1);
  });

  test('lets in one amount beyond half of it at a time, and small ones beside it', async () => {
    const room = open();
    expect(room.enter('a', 10 * WHOLE)).toBeUndefined();
    const other = room.enter('b', 10 * WHOLE);
    expect(other).toBeInstanceOf(Promise);
    expect(room.enter('c', PLACE)).toBeUndefined();
    room.give('a', 10 * WHOLE);
    room.admit();
    await other;
    expect(room.taken).toBe(WHOLE / 2 + PLACE);
  });

  test('is never over its bounds, keeps the order of each owner, and lets everybody in, whatever comes', async () => {
    const step = fc.record({
      owner: fc.constantFrom('a', 'b', 'c', 'd'),
      comes: fc.constantFrom(true, true, true, false),
      bytes: fc.integer({ min: PLACE, max: PLACE + 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
        const room = open();
        const held: { owner: string; bytes: number }[] = [];
        const [asked, entered] = [new Map<string, number[]>(), new Map<string, number[]>()];
        const note = (into: Map<string, number[]>, owner: string, number: number) =>
          into.set(owner, [...(into.get(owner) ?? []), number]);
        let waiting = 0;
        const leave = async () => {
          const left = held.shift();
          if (left) room.give(left.owner, left.bytes);
          if (left) room.admit(1);
          await Promise.resolve();
        };
        for (const [number, { owner, comes, bytes }] of steps.entries()) {
          if (!comes) await leave();
          // Everybody goes on when the room is empty: then no more may wait than fit.
          else if (waiting < PLACES / 4) {
            note(asked, owner, number);
            const enter = (): void => {
              room.take(owner, bytes);
              held.push({ owner, bytes });
              note(entered, owner, number);
            };
            const turn = room.wait(owner, PLACE)?.then(() => {
              waiting -= 1;
              enter();
            });
            if (turn) waiting += 1;
            else enter();
            await Promise.resolve();
          }
          expect(held.length).toBeLessThanOrEqual(PLACES);
          // The last one that was let in may go beyond.
          const beyond = held.reduce((sum, each) => sum + each.bytes - PLACE, 0);
          expect(beyond).toBeLessThan(WHOLE + (PLACES / 4) * 40);
        }
        while (held.length > 0 || waiting > 0) await leave();
        expect(entered).toEqual(asked);
      }),
      { numRuns: 200 },
    );
  });
});
