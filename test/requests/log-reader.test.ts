/** Who reads whole request logs, and when. */
import { expect, it } from 'vitest';
import { LogReader } from '../../src/requests/log-reader.ts';
import { RequestLog } from '../../src/requests/request-log.ts';

it('reads one log at a time, lets sandboxes take turns, and says when to try again to who waits too long', async () => {
  const reader = new LogReader(50);
  const order: string[] = [];
  let reading = 0;
  const read = (sandbox: string, ms = 0) =>
    reader.read(new RequestLog(sandbox), async () => {
      reading += 1;
      expect(reading).toBe(1);
      order.push(sandbox);
      await new Promise((resolve) => setTimeout(resolve, ms));
      reading -= 1;
    });
  await Promise.all([read('a'), read('a'), read('a'), read('b')]);
  expect(order).toEqual(['a', 'a', 'b', 'a']);

  const long = read('a', 200);
  await expect(read('b')).rejects.toMatchObject({ status: 429, headers: ['Retry-After', '1'] });
  await long;
  await read('b');
  expect(order.slice(4)).toEqual(['a', 'b']);
});

it('goes on after a reader that failed', async () => {
  const reader = new LogReader();
  const log = new RequestLog('a');
  const fails = reader.read(log, () => {
    throw new Error('this one');
  });
  await Promise.all([expect(fails).rejects.toThrow('this one'), reader.read(log, () => undefined)]);
});
