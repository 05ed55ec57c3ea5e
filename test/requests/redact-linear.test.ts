/** What `redact` takes: time in proportion to the text and to the secrets. */
import { expect, it } from 'vitest';
import { createRedact } from '../../src/requests/redact.ts';
import { jwt, pieceIn, random } from '../support/secrets.ts';

const redact = createRedact(['Zq8/vN2+tK~w.7-Rx_Yb4/mD==', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'Jb3kq'.repeat(51), jwt(4_000)]);

it('takes time in proportion to the text, whatever the text is', () => {
  const units = [
    'a',
    'a…',
    '%25',
    '\\',
    '\\u0061',
    '%61',
    'petsbx_',
    'Zq8/vN2+tK~w.7-Rx_Yb4/m',
    '%',
    'p ',
    'aaaaaaaaaaa%6…',
    'petsbx_\\n',
    '&key=',
    '?key=abcde',
  ];
  for (const unit of units) {
    /** Processor time in milliseconds: other programs hardly change it. */
    const timeFor = (length: number): number => {
      const text = unit.repeat(length / unit.length);
      const before = process.cpuUsage();
      redact(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const best = (length: number): number => Math.min(...[1, 2, 3].map(() => timeFor(length)));
    // Eight times the text: quadratic work would take 64 times as long.
    expect([unit, best(320_000) / Math.max(best(40_000), 2) < 30]).toEqual([unit, true]);
  }
});

it('takes time in proportion to the secrets, whatever they are', () => {
  const alike = 'a'.repeat(3_900);
  const kinds: readonly ((index: number) => string)[] = [
    (index) => jwt(800 + index),
    (index) => `${alike}${index}`,
    (index) => random(30, index),
    (index) => 'ab'.repeat(2_000).slice(index % 2),
    (index) => `x/y.${index}`,
  ];
  const text = [alike, jwt(900), random(30, 7), 'ab'.repeat(2_000), 'x/y.1'].join('\n').repeat(10);
  for (const [kind, one] of kinds.entries()) {
    const timeFor = (count: number): number => {
      const secrets = Array.from({ length: count }, (_, index) => one(index));
      const before = process.cpuUsage();
      createRedact(secrets)(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const best = (count: number): number => Math.min(...[1, 2, 3].map(() => timeFor(count)));
    // Eight times as many: quadratic work would take 64 times as long.
    expect([kind, best(1_600) / Math.max(best(200), 5) < 30]).toEqual([kind, true]);
  }
});

it('finds each of 20,000 credentials', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => jwt(400 + (index % 7)) + random(40, index));
  const found = createRedact(many);
  for (const secret of [many[0], many[101], many[19_999]] as string[]) {
    expect(pieceIn(found(`/v1/pets?x=${secret}&limit=5`), secret)).toBeUndefined();
  }
});
