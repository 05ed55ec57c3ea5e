import { expect, test } from 'vitest';
import { serverOf, withoutCredential, withoutCredentials } from '../../src/api/credential.ts';

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

test.each([
  ['/v1/pets?limit=5&note=token', '/v1/pets?limit=5&note=token'],
  ['/v1/pets?api_key=x&limit=5', '/v1/pets?api_key=[key]&limit=5'],
  ['/v1/pets?limit=5&Client%5FSecret=a%20b=c', '/v1/pets?limit=5&Client%5FSecret=[key]'],
  ['/v1/pets?token=a?b&token=c', '/v1/pets?token=[key]&token=[key]'],
  ['/v1/pets&token=a', '/v1/pets&token=[key]'],
  ['/v1/pets?token=&%zz=a&token', '/v1/pets?token=&%zz=a&token'],
  ['/v1/pets?token=a%zz', '/v1/pets?token=[key]%'],
  ['/v1/pets?token=a#b', '/v1/pets?token=[key]%'],
  ['/v1/pets?token=[key]%', '/v1/pets?token=[key]%'],
])('of the target %s it records %s', (sent, recorded) => {
  expect(withoutCredentials(sent)).toBe(recorded);
});

test.each([
  ['sbx_a_5mVwQx0c2LhT8Ryd', 'a'],
  ['petsbx_server7_abc', 'server7'],
  ['petsbh_a_', 'a'],
  ['petsbx_abc', undefined],
  ['sk_live_abc', undefined],
])('of %s the server is %s', (idOrKey, server) => {
  expect(serverOf(idOrKey)).toBe(server);
});
