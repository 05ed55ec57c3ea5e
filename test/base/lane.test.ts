/** Long work: what runs in which turn of the event loop. */
import { expect, it } from 'vitest';
import { Lane } from '../../src/base/lane.ts';

it('runs one piece in each turn of the event loop, owners in turn, also after one that failed', async () => {
  const lane = new Lane();
  const order: string[] = [];
  let turn = 0;
  const count = (): void => {
    turn += 1;
    if (order.length < 5) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  const run = (owner: string, name: string) =>
    lane.run(owner, () => {
      order.push(name);
      turns.push(turn);
      if (name === 'fails') throw new Error(name);
    });
  const all = [run('a', 'a1'), run('a', 'fails'), run('a', 'a3'), run('b', 'b1'), run('c', 'c1')];
  await Promise.allSettled(all);
  expect(order).toEqual(['a1', 'fails', 'b1', 'c1', 'a3']);
  expect(new Set(turns).size).toBe(turns.length);
});

it('ends work that has begun before more of its owner, and lets other owners in between', async () => {
  const lane = new Lane();
  const order: string[] = [];
  const read = async (owner: string, name: string) => {
    for (let piece = 1; piece <= 2; piece += 1) await lane.run(owner, () => order.push(name + piece), piece > 1);
  };
  await Promise.all([read('a', 'x'), read('a', 'y'), read('b', 'z')]);
  expect(order.filter((each) => !each.startsWith('z'))).toEqual(['x1', 'x2', 'y1', 'y2']);
  expect(order.indexOf('z1')).toBeLessThan(order.indexOf('y1'));
});

it('goes on with a piece that waits for the disk before the next one begins', async () => {
  const lane = new Lane();
  const order: string[] = [];
  const first = lane.run('a', async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push('first');
  });
  await Promise.all([first, lane.run('b', () => order.push('second'))]);
  expect(order).toEqual(['first', 'second']);
});
