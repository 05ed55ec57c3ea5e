/** Authentication: every operation needs a valid key. */
import {
  type Case,
  casesOf,
  documented,
  get,
  JSON_TYPE,
  LIST_PATH,
  type ProbeRequest,
  petPath,
  post,
} from '../cases/case.ts';
import { type ConformCheck, checkOf } from '../check.ts';

const NO_KEY = { Authorization: [] };
const rejected = { section: 'Authentication', status: documented('listPets', 401) } as const;

const readsWithoutKey = casesOf(
  { ...rejected, rule: 'key-rejected', risk: 'none' },
  { 'listPets without a key': get(LIST_PATH, NO_KEY), 'getPet without a key': get(petPath('1'), NO_KEY) },
);

const createWithoutKey = casesOf(
  { ...rejected, rule: 'key-rejected', risk: 'creates' },
  { 'createPet without a key': post('{"name":"Rex","categoryId":3}', { ...JSON_TYPE, ...NO_KEY }) },
);

/** The sandbox validates the key before everything else. */
const keyFirst = casesOf(
  { ...rejected, rule: 'key-first', risk: 'none' },
  {
    'an invalid query without a key': get(`${LIST_PATH}?limit=zzz`, NO_KEY),
    'an id that is no integer, without a key': get(petPath('zzz'), NO_KEY),
    'an invalid percent-encoding without a key': get(petPath('%zz'), NO_KEY),
    'an unknown path without a key': get('/toys', NO_KEY),
  },
);

const keyBeforeBody = casesOf(
  { ...rejected, rule: 'key-first', risk: 'creates' },
  { 'an invalid body without a key': post('{', { 'Content-Type': 'text/plain', ...NO_KEY }) },
);

/** @param key a key that the server accepts */
export function keyChecks(key: string): readonly ConformCheck[] {
  const list = (authorization: string | readonly string[]): ProbeRequest =>
    get(`${LIST_PATH}?limit=1`, { Authorization: authorization });
  const wrong = Object.entries({ ...wrongCredentials, ...spoiltCredentials(key) });
  const good = `Bearer ${key}`;
  const rows: readonly Case[] = [
    ...readsWithoutKey,
    ...createWithoutKey,
    ...keyFirst,
    ...keyBeforeBody,
    ...casesOf(
      { ...rejected, rule: 'key-rejected', risk: 'none' },
      Object.fromEntries(wrong.map(([title, credential]) => [title, list(credential)])),
    ),
    ...casesOf(
      { ...rejected, rule: 'key-first', risk: 'none' },
      { 'a valid key in two Authorization headers': list([good, good]) },
    ),
    ...casesOf(
      { section: 'Authentication', rule: 'scheme-case', risk: 'none', status: documented('listPets', 200) },
      Object.fromEntries(
        ['bearer', 'BEARER'].map((scheme) => [`a valid key with the scheme ${scheme}`, list(`${scheme} ${key}`)]),
      ),
    ),
  ];
  return rows.map(checkOf);
}

/** Values of `Authorization` that are invalid whatever keys exist. */
export const wrongCredentials: Readonly<Record<string, string>> = {
  'an empty credential': '',
  'another scheme': 'Basic dXNlcjpwYXNz',
  'a scheme alone': 'Bearer',
  'two words': 'Bearer one two',
  'a tab in place of a space': 'Bearer\tone',
  'characters that no token has': 'Bearer "one"',
  'letters that no token has': 'Bearer schl\xfcssel',
  'a token that is too long': `Bearer ${'a'.repeat(513)}`,
  'several credentials in one': 'Bearer one, Bearer two',
  'an unknown token': 'Bearer 0123456789abcdef',
};

/** Derived from a valid key: without its scheme, truncated, and in another place. */
export const spoiltCredentials = (key: string): Readonly<Record<string, string>> => ({
  'a token without its scheme': key,
  'a key that was cut off': `Bearer ${key.slice(0, -1)}`,
  'a key with one character more': `Bearer ${key}0`,
});
