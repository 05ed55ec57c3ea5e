/** What `redact` finds: each way to write a secret, and every cut; and that a log is told none of it. */
import { describe, expect, it } from 'vitest';
import { newKey } from '../../src/base/api/api-key.ts';
import { shorten } from '../../src/base/text.ts';
import { createRedact, redactingLog } from '../../src/traffic/redact.ts';
import { jwt, pieceIn, waysToWrite } from '../support/secrets.ts';

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

describe.each(SECRETS)('a secret %s', (_, secret) => {
  it.each(waysToWrite(secret))('is taken out of a text, whatever stands around it, %s', (_how, text) => {
    for (const around of [' ', 'x .', '?key= &limit=5', 'xx …', '100% %2', '\\ "', ' \\u']) {
      const shown = redact(around.replace(' ', () => text));
      expect([shown, pieceIn(shown, secret)]).toEqual([expect.stringContaining('[key]'), undefined]);
    }
  });

  it.each(waysToWrite(secret))('is not shown in part where the text is cut, at any length, %s', (_how, text) => {
    for (let length = 0; length <= text.length; length += length < 200 ? 1 : 97) {
      const shown = redact(`no such path: /v1/${shorten(text + 'x'.repeat(20), length)}; the API`);
      expect([length, pieceIn(shown, secret)]).toEqual([length, undefined]);
    }
  });
});

it('four characters of a secret before a cut are hidden, at its beginning and within an encoded one', () => {
  for (const text of ['Zq8\\/…', 'Zq8/v…', '%5A%718/…', 'Zq8/%7…', 'Zq8/v\\…', 'Zq8/v\\\\…', 'petsbx_0…', 'petsbh_a_…'])
    expect([text, redact(`got "${text}"`)]).toEqual([text, 'got "[key]…"']);
});

it('a secret that is a part of another one leaves nothing of it', () => {
  const redactBoth = createRedact([ADMIN, `${ADMIN}.Lk8`, `petsbx_${ADMIN}.Mn9`]);
  for (const secret of [ADMIN, `${ADMIN}.Lk8`, `petsbx_${ADMIN}.Mn9`])
    expect(redactBoth(`(${secret})`)).toBe('([key])');
});

const AT_AMAZON = '{"url":"https://api.example.com/v1/pets?X-Amz-Signature=9f1c2d3e"}';
it.each(['?api_key=9f1c2d3e&limit=5', '/v1/pets?limit=5&access_token=9f1c2d3e', AT_AMAZON])(
  'the value of a credential in a query is a secret: %s',
  (text) => {
    expect(redact(text)).toBe(text.replace('9f1c2d3e', '[key]'));
  },
);

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
    'Zq8…',
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
