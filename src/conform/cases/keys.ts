/** Credentials that open nothing. */

/** What `Authorization` may hold, whatever keys there are. */
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

/** Made of a key that is known: it without its scheme, cut off, and in another's place. */
export const spoiltCredentials = (key: string): Readonly<Record<string, string>> => ({
  'a token without its scheme': key,
  'a key that was cut off': `Bearer ${key.slice(0, -1)}`,
  'a key with one character more': `Bearer ${key}0`,
});
