import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashOf, isDamaged, newKey, sameSecret, TOKEN } from '../../src/sandbox/api-key.ts';

test('a key has a prefix that is recognised, 154 random bits and a check, and fits into the header', () => {
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

test('a key that was mistyped, cut off or extended is told from one that is unknown', () => {
  const key = newKey();
  for (let at = 7; at < key.length; at++) {
    const other = key[at] === 'a' ? 'b' : 'a';
    expect(isDamaged(key.slice(0, at) + other + key.slice(at + 1)), `letter ${at}`).toBe(true);
  }
  expect(
    [key.slice(0, -1), `${key}0`, 'petsbx_', key.toUpperCase().replace('PETSBX', 'petsbx')].map(isDamaged),
  ).toEqual([true, true, true, true]);
  expect(isDamaged('my-own-key-0123456789')).toBe(false);
});

test('what is kept of a key is its SHA-256', () => {
  const key = newKey();
  expect(hashOf(key)).toBe(createHash('sha256').update(key).digest('hex'));
});

test('secrets are compared whole', () => {
  const key = newKey();
  expect(sameSecret(key, key)).toBe(true);
  for (const other of ['', key.slice(1), `${key}x`, key.toLowerCase()]) expect(sameSecret(key, other)).toBe(false);
});
