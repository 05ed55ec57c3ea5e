/** What people paste from the dashboard sends their key to this server, whatever a client sent. */
import { expect, test } from 'vitest';
import { addressOn } from '../../src/dashboard/app/live/snippets.ts';

test.each([
  '@evil.example/v1/pets',
  '.evil.example/',
  ':80@evil.example/',
  '//evil.example/',
  '\\evil.example',
  '*',
  '',
])('a request for %j leads to this server', (target) => {
  expect(new URL(addressOn('http://127.0.0.1:4020', target)).host).toBe('127.0.0.1:4020');
});

test('a path is pasted as it was sent', () => {
  expect(addressOn('http://127.0.0.1:4020', '/v1/pets/../%zz?a=[1]')).toBe(
    'http://127.0.0.1:4020/v1/pets/../%zz?a=[1]',
  );
});
