import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CpuQueue, LIGHT, ROUND } from '../../src/http/cpu-queue.ts';

/** Notes what runs, and how many at once. */
function recorder(queue: CpuQueue) {
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const run = (owner: string, weight: number, name = owner, fails = false): Promise<void> =>
    queue.run(owner, weight, async () => {
      order.push(name);
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      if (fails) throw new Error('it failed');
    });
  return { order, run, most: () => most };
}

describe('the queue of heavy work', () => {
  test('does light work at once, whatever waits', async () => {
    const { order, run } = recorder(new CpuQueue());
    const all = [run('a', ROUND), run('a', ROUND, 'second'), run('b', LIGHT, 'light')];
    expect(order).toEqual(['a', 'light']);
    await Promise.all(all);
  });

  test('does one piece at a time that is as heavy as a round, and the owners take turns', async () => {
    const { order, run, most } = recorder(new CpuQueue());
    await Promise.all([run('a', ROUND, 'a1'), run('a', ROUND, 'a2'), run('a', ROUND, 'a3'), run('b', ROUND, 'b1')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect(most()).toBe(1);
  });

  test('does several lighter ones in a round', async () => {
    const { run, most } = recorder(new CpuQueue());
    await Promise.all(Array.from({ length: 20 }, () => run('a', ROUND / 4)));
    expect(most()).toBe(4);
  });

  test('goes on after a piece that failed, and its caller gets the error', async () => {
    const { order, run } = recorder(new CpuQueue());
    const failed = run('a', ROUND, 'failed', true);
    const next = run('a', ROUND, 'next');
    await expect(failed).rejects.toThrow('it failed');
    await next;
    expect(order).toEqual(['failed', 'next']);
  });

  test('rests longer than it worked where others are active, and not where nobody is', async () => {
    const queue = new CpuQueue();
    /** Whether a timer of 20 ms, set when the first piece of 20 ms ends, comes before the second piece begins. */
    const isRest = async (): Promise<boolean> => {
      let rang = false;
      let seen = false;
      const first = queue.run('a', ROUND, async () => {
        await pause(20);
        setTimeout(() => {
          rang = true;
        }, 20);
      });
      const second = queue.run('a', ROUND, () => {
        seen = rang;
      });
      await Promise.all([first, second]);
      return seen;
    };
    queue.saw('a');
    // The first request of all is a change of sandboxes, too: it is forgotten after a while.
    await isRest();
    await pause(1_100);
    expect(await isRest()).toBe(false);
    queue.saw('b');
    queue.saw('a');
    expect(await isRest()).toBe(true);
  });
});
