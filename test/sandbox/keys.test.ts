import { expect, test } from 'vitest';
import { isDamaged, newKey, sameSecret, TOKEN } from '../../src/base/api/api-key.ts';

test('a key has a prefix that is recognized, 154 random bits and a check, and fits into the header', () => {
  const keys = Array.from({ length: 2000 }, newKey);
  expect(new Set(keys).size).toBe(2000);
  for (const key of keys) {
    expect(key).toMatch(/^petsbx_[0-9A-Za-z]{26}[0-9a-z]{7}$/);
    expect(key).toMatch(TOKEN);
    expect(isDamaged(key)).toBe(false);
  }
  // Every letter and digit is drawn: none of the 62 is missing among 52,000.
  expect(new Set(keys.map((key) => key.slice(7, 33)).join('')).size).toBe(62);
});

test('secrets are compared whole', () => {
  const key = newKey();
  expect(sameSecret(key, key)).toBe(true);
  for (const other of ['', key.slice(1), `${key}x`, key.toLowerCase()]) expect(sameSecret(key, other)).toBe(false);
});
