/** What `redact` takes: time in proportion to the text. */
import { expect, it } from 'vitest';
import { withoutCredentials } from '../../src/base/api/credential.ts';
import { createRedact } from '../../src/traffic/redact.ts';
import { jwt } from '../support/secrets.ts';

const redactAll = createRedact([
  'Zq8/vN2+tK~w.7-Rx_Yb4/mD==',
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  'Jb3kq'.repeat(51),
  jwt(4_000),
]);

/** As texts are shown, and as a target is recorded. */
const hide = (text: string): string => withoutCredentials(redactAll(text));

/** The best of three in milliseconds of processor time, which other programs hardly change. */
const timeFor = (work: () => unknown): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  );

// Eight times as much: quadratic work would take 64 times as long.

it.each([
  ...['a', 'a…', '%25', '\\', '\\u0061', '%61', 'petsbx_', 'Zq8/vN2+tK~w.7-Rx_Yb4/m', '%', 'p ', 'aaaaaaaaaaa%6…'],
  ...['petsbx_\\n', '&key=', '?key=abcde', '?', '?a', '&%zz=%zz'],
])('takes time in proportion to the text: %j', (unit) => {
  const [short, long] = [40_000, 320_000].map((length) => unit.repeat(length / unit.length)) as [string, string];
  expect(
    timeFor(() => hide(long)) /
      Math.max(
        timeFor(() => hide(short)),
        2,
      ),
  ).toBeLessThan(30);
});
