/** What `redact` finds: every encoding, every cut, and in linear time. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import { shorten } from '../../src/core/text.ts';
import { createRedact } from '../../src/requests/redact.ts';
import { ENCODINGS, pieceIn } from '../support/secrets.ts';

const random = (length: number, seed: number): string =>
  createHash('shake256', { outputLength: length }).update(String(seed)).digest('base64url').slice(0, length);
/** As an issuer writes them: the header is that of every other, the payload begins alike. */
const jwt = (length: number): string => {
  const head = [
    { alg: 'RS256', typ: 'JWT' },
    { iss: 'https://login.example.com', sub: length },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${head}${random(length - head.length - 43, length)}.${random(42, -length)}`;
};
const MIXED = 'Zq8/vN2+tK~w.7-Rx_Yb4/mD==';
const ADMIN = 'qW5nB8yXc2Vt7RzKm3Lp9Hd4';
const CONFIGURED = {
  'of all characters': MIXED,
  'of one letter': 'aaaaaaaaaaaaaaaaaaaaaaaa',
  'with marks first': '----/.~+Xv7TqLw29bKmRz',
  'that repeats itself': 'Jb3kq'.repeat(51),
  'that is a short JWT': jwt(800),
  'that is a long JWT': jwt(4_000),
  'of the admin': ADMIN,
};
const redact = createRedact(Object.values(CONFIGURED));
const SECRETS = Object.entries({ ...CONFIGURED, 'that was issued': newKey(), 'that was issued too': newKey() });

describe.each(Object.entries(ENCODINGS))('a secret %s', (_, encoded) => {
  it.each(SECRETS)('is taken out of a text, whatever stands around it, %s', (_name, secret) => {
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

  it.each(SECRETS)('is not shown in part where the text is cut, at any length, %s', (_name, secret) => {
    const text = encoded(secret);
    for (let length = 0; length <= text.length; length += length < 200 ? 1 : 97) {
      const shown = redact(`no such path: /v1/${shorten(text + 'x'.repeat(20), length)}; the API`);
      expect([length, pieceIn(shown, secret)]).toEqual([length, undefined]);
    }
  });
});

describe('a secret', () => {
  it.each(SECRETS)('is found where something stands between its letters, %s', (_name, secret) => {
    for (const between of ['\n', ' ', '/', '\\n  ']) {
      for (const at of [3, 9, 14, Math.floor(secret.length * 0.9)]) {
        const shown = redact(`x ${secret.slice(0, at)}${between}${secret.slice(at)} y`);
        expect([at, between, pieceIn(shown, secret)]).toEqual([at, between, undefined]);
      }
    }
  });

  it('is found as a query, a JSON pointer and a name without its `=` show it', () => {
    const others = [MIXED.replaceAll('+', ' '), MIXED.replaceAll('~', '~0').replaceAll('/', '~1'), MIXED.slice(0, -2)];
    for (const shown of others) expect(redact(`unknown parameter \`${shown}\``)).toBe('unknown parameter `[key]`');
  });
});

describe('an issued key', () => {
  it.each(['-', '\n', '\r\n    ', '\\n', '_-_', ' \n ', '–', '%E2%80%93', '\\u00ad', '%0A'])(
    'is not shown where %j splits it and the text is cut',
    (between) => {
      const key = newKey();
      for (let at = 8; at < key.length - 2; at += 3) {
        for (let length = at + 2; length < key.length; length += 2) {
          const text = `${key.slice(0, at)}${between}${key.slice(at, length)}`;
          expect(redact(`no such path: ${text}…; the API`)).toBe('no such path: [key]…; the API');
        }
      }
    },
  );
});

it.each(['-', '\n', '\r\n  ', '\\n', ' ', '/', '%20', '%0D%0A', '–', '%E2%80%93', '\\u2013', '\\u00ad'])(
  'a secret in short groups with %j between them is not shown, wherever the text is cut',
  (between) => {
    // The beginning of an issued key in groups with blanks between them may be words.
    const issued = /^(?: |%20)$/.test(between) ? [] : [newKey()];
    for (const secret of [CONFIGURED['with marks first'], CONFIGURED['that repeats itself'], ADMIN, ...issued]) {
      const letters = secret.replaceAll(/[^0-9a-z]/gi, '').toLowerCase();
      for (const size of [2, 3, 5, 8]) {
        const text = (secret.match(new RegExp(`.{1,${size}}`, 'gs')) as string[]).join(between);
        for (let length = 1; length < Math.min(text.length, 300); length += 3) {
          const shown = redact(`no such path: /v1/${shorten(`${text} and words`, length)}; the API`);
          const left = shown
            .replaceAll(between, '')
            .replaceAll(/[^0-9a-z]/gi, '')
            .toLowerCase();
          for (let at = 0; at + 12 <= letters.length; at++)
            if (left.includes(letters.slice(at, at + 12)))
              expect([secret, size, length, shown]).toBe('without a piece of it');
        }
      }
    }
  },
);

it.each([
  ['?api_key=9f1c2d3e&limit=5', '?api_key=[key]&limit=5'],
  ['/v1/pets?limit=5&access_token=9f1c2d3e', '/v1/pets?limit=5&access_token=[key]'],
  [
    '{"url":"https://api.example.com/v1/pets?X-Amz-Signature=9f1c2d3e"}',
    '{"url":"https://api.example.com/v1/pets?X-Amz-Signature=[key]"}',
  ],
  ['%3Fapi%5Fkey%3D9f1c2d3e%26limit%3D5', '%3Fapi%5Fkey%3D[key]%26limit%3D5'],
])('the value of a credential in a query is a secret: %s', (text, shown) => {
  expect(redact(text)).toBe(shown);
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
    'a key begins with petsbx_ and then come 26 letters and 7 digits…',
    'send `Authorization: Bearer <API_KEY>`, not ?key= or &status=available',
  ];
  for (const text of texts) expect(redact(text)).toBe(text);
});

it('takes time in proportion to the text, whatever the text is', () => {
  const units = [
    'a',
    'a…',
    '%25',
    '\\',
    '\\u0061',
    '%61',
    'petsbx_',
    MIXED.slice(0, -3),
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
