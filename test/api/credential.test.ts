import { expect, test } from 'vitest';
import { withoutCredential } from '../../src/api/credential.ts';

test.each([
  [undefined, undefined],
  ['Bearer secret', 'Bearer …'],
  ['bearer secret', 'bearer …'],
  ['Bearer   secret more', 'Bearer …'],
  ['Bearer\tsecret', 'Bearer\t…'],
  ['Bearer', 'Bearer'],
  ['Basic c2VjcmV0', 'Basic …'],
  ['secret', '…'],
  ['secret secret', '… …'],
  ['', '…'],
])('of %j it records %j', (sent, recorded) => {
  expect(withoutCredential(sent)).toBe(recorded);
});
