/** What `redact` finds: every encoding, every cut, and in linear time. */
import { describe, expect, it } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import { shorten } from '../../src/core/text.ts';
import { createRedact } from '../../src/requests/redact.ts';
import { ENCODINGS, pieceIn } from '../support/secrets.ts';

const FIXED = ['Zq8/vN2+tK~w.7-Rx_Yb4/mD==', 'aaaaaaaaaaaaaaaaaaaaaaaa', '----/.~+Xv7TqLw29bKmRz', 'Jb3kq'.repeat(51)];
const ADMIN = 'qW5nB8yXc2Vt7RzKm3Lp9Hd4';
const redact = createRedact([...FIXED, ADMIN]);
const SECRETS = [...FIXED, ADMIN, newKey(), newKey()];

describe.each(Object.entries(ENCODINGS))('a secret %s', (_, encoded) => {
  it.each(SECRETS)('is taken out of a text, whatever stands around it: %s', (secret) => {
    for (const [before, after] of [
      ['', ''],
      ['x', '.'],
      ['?key=', '&limit=5'],
      ['xx', '…'],
      ['100%', '%2'],
      ['\\', '"'],
      ['', '\\u'],
    ] as const) {
      const shown = redact(`${before}${encoded(secret)}${after}`);
      expect([shown, pieceIn(shown, secret)]).toEqual([expect.stringContaining('[key]'), undefined]);
    }
  });

  it.each(SECRETS)('is not shown in part where the text is cut, at any length: %s', (secret) => {
    const text = encoded(secret);
    for (let length = 0; length <= text.length; length++) {
      const shown = redact(`no such path: /v1/${shorten(text + 'x'.repeat(20), length)}; the API`);
      expect([length, pieceIn(shown, secret)]).toEqual([length, undefined]);
    }
  });
});

describe('a secret', () => {
  it.each(SECRETS)('is found where something stands between its letters: %s', (secret) => {
    for (const between of ['\n', ' ', '/', '\\n  ']) {
      for (const at of [3, 9, 14]) {
        const shown = redact(`x ${secret.slice(0, at)}${between}${secret.slice(at)} y`);
        expect([at, between, pieceIn(shown, secret)]).toEqual([at, between, undefined]);
      }
    }
  });

  it('is found as a query, a JSON pointer and a name without its `=` show it', () => {
    const [secret = ''] = FIXED;
    const others = [
      secret.replaceAll('+', ' '),
      secret.replaceAll('~', '~0').replaceAll('/', '~1'),
      secret.slice(0, -2),
    ];
    for (const shown of others) expect(redact(`unknown parameter \`${shown}\``)).toBe('unknown parameter `[key]`');
  });
});

it('leaves every other text as it is', () => {
  const texts = [
    'no such path: /v1/%70ets; the API is at /v1/pets',
    'petsbx_',
    '{"name":"a \\"quoted\\" name \\u0041","path":"C:\\\\pets"}',
    '%',
    '\\',
    '%%25%zz',
    `petsbx_…`,
    'a name that is cut off…',
  ];
  for (const text of texts) expect(redact(text)).toBe(text);
});

it('takes time in proportion to the text, whatever the text is', () => {
  const [secret = ''] = FIXED;
  const units = ['a', 'a…', '%25', '\\', '\\u0061', '%61', 'petsbx_', secret.slice(0, -3), '%', 'p ', 'aaaaaaaaaaa%6…'];
  for (const unit of units) {
    /** Processor time in milliseconds: other programs hardly change it. */
    const timeFor = (length: number): number => {
      const text = unit.repeat(length / unit.length);
      const before = process.cpuUsage();
      redact(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const best = (length: number): number => Math.min(...[1, 2, 3, 4].map(() => timeFor(length)));
    // Eight times the text: quadratic work would take 64 times as long.
    expect([unit, best(800_000) / Math.max(best(100_000), 2) < 30]).toEqual([unit, true]);
  }
});
