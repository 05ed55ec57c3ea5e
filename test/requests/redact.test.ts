/** What `redact` finds: every encoding, and every cut; and that a log is told none of it. */
import { describe, expect, it } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import { shorten } from '../../src/core/text.ts';
import { createRedact, redactingLog } from '../../src/requests/redact.ts';
import { ENCODINGS, jwt, pieceIn } from '../support/secrets.ts';

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
const SECRETS = Object.entries({
  ...CONFIGURED,
  'that was issued': newKey(),
  'that was issued too': newKey(),
  'of a server with a name': newKey('server7'),
});

describe.each(Object.entries(ENCODINGS))('a secret %s', (_, encoded) => {
  it.each(SECRETS)('is taken out of a text, whatever stands around it, %s', (_name, secret) => {
    for (const around of [' ', 'x .', '?key= &limit=5', 'xx …', '100% %2', '\\ "', ' \\u']) {
      const shown = redact(around.replace(' ', () => encoded(secret)));
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

const AT_AMAZON = '{"url":"https://api.example.com/v1/pets?X-Amz-Signature=9f1c2d3e"}';
it.each([
  '?api_key=9f1c2d3e&limit=5',
  '/v1/pets?limit=5&access_token=9f1c2d3e',
  AT_AMAZON,
  '%3Fapi%5Fkey%3D9f1c2d3e%26limit%3D5',
])('the value of a credential in a query is a secret: %s', (text) => {
  expect(redact(text)).toBe(text.replace('9f1c2d3e', '[key]'));
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

it('tells a log no secret, wherever in its details a client has put one, and hands errors on as they are', () => {
  const told: [details: object, message: string][] = [];
  const note = (details: object, message: string) => void told.push([details, message]);
  const log = redactingLog({ error: note, warn: note, info: note, debug: note }, redact);
  const key = newKey();
  for (const level of ['error', 'warn', 'info', 'debug'] as const)
    log[level]({ target: `/v1/pets?key=${key}`, body: { name: [ADMIN] }, count: 3 }, `${key} came`);
  const shown = [{ target: '/v1/pets?key=[key]', body: { name: ['[key]'] }, count: 3 }, '[key] came'];
  expect(told.splice(0)).toEqual([shown, shown, shown, shown]);
  const err = new Error('it broke');
  log.error({ err, request: undefined }, 'a request failed');
  const [[details, message] = []] = told;
  expect([details, message]).toEqual([{ err, request: undefined }, 'a request failed']);
  expect(Object.values(details ?? {})[0]).toBe(err);
});
