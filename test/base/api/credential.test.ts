import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CREDENTIAL_IN_TEXT,
  CREDENTIAL_NAME,
  serverOf,
  withoutCredential,
  withoutCredentials,
} from '../../../src/base/api/credential.ts';

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
  ['/v1/pets?a=1&amp;key=b&c=2', '/v1/pets?a=1&amp;key=[key]&c=2'],
  ['/v1/pets?limit=5;key=b;c', '/v1/pets?limit=5;key=[key]'],
  ['/v1/pets?limit=5?%6bey=b', '/v1/pets?limit=5?%6bey=[key]'],
  ['/v1/pets?+key%20=b', '/v1/pets?+key%20=[key]'],
  ['/v1/pets?note=a%3Fkey%3Db', '/v1/pets?note=a%3Fkey%3D[key]'],
  ['/v1/pets?key%3Db', '/v1/pets?key%3D[key]'],
  ['/v1/%zz%3Fkey=b', '/v1/%zz%3Fkey=[key]'],
  ['/v1/pets#key=b', '/v1/pets#key=[key]'],
  ['/v1/pets?sig=a&auth=b&access_key=c&pwd=d', '/v1/pets?sig=[key]&auth=[key]&access_key=[key]&pwd=[key]'],
  ['/v1/pets?limit=5;note=b&note=a;b', '/v1/pets?limit=5;note=b&note=a;b'],
  ['/v1/pets?token=a%zz', '/v1/pets?token=[key]%'],
  ['/v1/pets?token=a#b', '/v1/pets?token=[key]%'],
  ['/v1/pets?token=[key]%', '/v1/pets?token=[key]%'],
  ['user:secret@host:443', '[key]@host:443'],
  ['user:p@ss@host:443', '[key]@host:443'],
  ['http://user:secret@host/v1/pets?note=a@b', 'http://[key]@host/v1/pets?note=a@b'],
  ['//user@host/v1/pets', '//[key]@host/v1/pets'],
  ['/v1/pets/a@b', '/v1/pets/a@b'],
])('of the target %s it records %s', (sent, recorded) => {
  expect(withoutCredentials(sent)).toBe(recorded);
});

test.each(['?key=', '&amp;key=', ';pwd=', '?key+=', '%3Fkey=', '%26key%3D', '#sig='])(
  'a credential within a text is found behind %s',
  (before) => {
    const text = `GET /v1/pets?limit=5${before}secret of it`;
    expect(text.replace(CREDENTIAL_IN_TEXT, '$1')).toBe(`GET /v1/pets?limit=5${before} of it`);
  },
);

test.each([
  ['sbx_a_5mVwQx0c2LhT8Ryd', 'a'],
  ['petsbx_server7_abc', 'server7'],
  ['petsbh_a_', 'a'],
  ['petsbx_abc', undefined],
  ['sk_live_abc', undefined],
])('of %s the server is %s', (idOrKey, server) => {
  expect(serverOf(idOrKey)).toBe(server);
});

test('a target is looked through if a credential can be in it, whatever its name', () => {
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(CREDENTIAL_NAME.source)), (name) => {
      expect(withoutCredentials(`/v1/pets?${name}=x`)).toBe(`/v1/pets?${name}=[key]`);
    }),
  );
});
