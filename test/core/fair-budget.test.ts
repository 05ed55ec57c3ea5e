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
  test('wakes those that wait by owner in turn, not in the order in which they came', async () => {
    const room = open();
    for (let index = 0; index < PLACES; index += 1) room.take(index % 2 === 0 ? 'x' : 'y', PLACE);
    const woken: string[] = [];
    for (const owner of ['a', 'a', 'a', 'b', 'c']) void room.wait(owner, PLACE)?.then(() => woken.push(owner));
    for (let index = 0; index < 5; index += 1) {
      room.give('x', PLACE);
      room.admit(1);
    }
    await settle();
    expect(woken).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  test('wakes no more than places were given back, and everybody when it is empty', async () => {
    const room = open();
    for (let index = 0; index < PLACES / 2; index += 1) room.take('a', PLACE);
    let woken = 0;
    const count = (): void => {
      woken += 1;
    };
    for (let index = 0; index < 10; index += 1) void room.wait('a', PLACE)?.then(count);
    room.give('a', PLACE);
    room.admit(1);
    await settle();
    expect(woken).toBe(1);
    for (let index = 1; index < PLACES / 2; index += 1) room.give('a', PLACE);
    room.admit(0);
    await settle();
    expect(woken).toBe(10);
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
      kind: fc.constantFrom('request', 'request', 'request', 'leave'),
      characters: fc.integer({ min: 0, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
        const run = new Run();
        for (const { owner, kind, characters } of steps) {
          if (kind === 'request') run.request(owner, characters);
          else run.leave();
          await Promise.resolve();
          run.check();
        }
        while (run.held.length > 0 || run.waiting > 0) {
          run.leave();
          await Promise.resolve();
        }
        for (const [owner, asked] of Object.entries(run.asked)) expect(run.entered[owner] ?? []).toEqual(asked);
      }),
      { numRuns: 200 },
    );
  });
});

/** A room whose owners take their places as soon as they may. */
class Run {
  readonly room = open();
  readonly held: { readonly owner: string; readonly characters: number }[] = [];
  readonly asked: Record<string, number[]> = {};
  readonly entered: Record<string, number[]> = {};
  waiting = 0;
  #count = 0;

  request(owner: string, characters: number): void {
    // Everybody goes on when the room is empty: then no more may wait than fit.
    if (this.waiting >= PLACES / 4) return;
    const number = this.#count++;
    this.asked[owner] = [...(this.asked[owner] ?? []), number];
    const enter = (): void => {
      this.room.take(owner, PLACE + characters);
      this.held.push({ owner, characters });
      this.entered[owner] = [...(this.entered[owner] ?? []), number];
    };
    const waiting = this.room.wait(owner, PLACE);
    if (!waiting) {
      enter();
      return;
    }
    this.waiting += 1;
    void waiting.then(() => {
      this.waiting -= 1;
      enter();
    });
  }

  leave(): void {
    const left = this.held.shift();
    if (!left) return;
    this.room.give(left.owner, PLACE + left.characters);
    this.room.admit(1);
  }

  check(): void {
    const characters = this.held.reduce((sum, each) => sum + each.characters, 0);
    expect(this.held.length).toBeLessThanOrEqual(PLACES);
    // The last one that was let in may go beyond.
    expect(characters).toBeLessThan(WHOLE + (PLACES / 4) * 40);
  }
}
