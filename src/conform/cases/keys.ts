/** Invalid credentials. */

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
