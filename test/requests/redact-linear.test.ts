/** What `redact` takes: time in proportion to the text and to the secrets. */
import { expect, it } from 'vitest';
import { createRedact } from '../../src/requests/redact.ts';
import { jwt, pieceIn, random } from '../support/secrets.ts';

const redact = createRedact(['Zq8/vN2+tK~w.7-Rx_Yb4/mD==', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'Jb3kq'.repeat(51), jwt(4_000)]);

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
  ...['petsbx_\\n', '&key=', '?key=abcde'],
])('takes time in proportion to the text: %j', (unit) => {
  const [short, long] = [40_000, 320_000].map((length) => unit.repeat(length / unit.length)) as [string, string];
  expect(
    timeFor(() => redact(long)) /
      Math.max(
        timeFor(() => redact(short)),
        2,
      ),
  ).toBeLessThan(30);
});

const alike = 'a'.repeat(3_900);
const text = [alike, jwt(900), random(30, 7), 'ab'.repeat(2_000), 'x/y.1'].join('\n').repeat(10);

it.each<[string, (index: number) => string]>([
  ['tokens', (index) => jwt(800 + index)],
  ['long ones that begin alike', (index) => `${alike}${index}`],
  ['short ones', (index) => random(30, index)],
  ['two', (index) => 'ab'.repeat(2_000).slice(index % 2)],
  ['shorter ones', (index) => `x/y.${index}`],
])('takes time in proportion to the secrets: %s', (_, one) => {
  const timeOf = (count: number) => {
    const secrets = Array.from({ length: count }, (_, index) => one(index));
    return timeFor(() => createRedact(secrets)(text));
  };
  expect(timeOf(1_600) / Math.max(timeOf(200), 5)).toBeLessThan(30);
});

it('finds each of 20,000 credentials', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => jwt(400 + (index % 7)) + random(40, index));
  const found = createRedact(many);
  for (const secret of [many[0], many[101], many[19_999]] as string[]) {
    expect(pieceIn(found(`/v1/pets?x=${secret}&limit=5`), secret)).toBeUndefined();
  }
});
