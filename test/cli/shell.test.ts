import { expect, it } from 'vitest';
import { firstRequest } from '../../src/cli/shell.ts';

const sandbox = { base: 'http://127.0.0.1:4020', key: 'petsbx_1' };

it.each<[NodeJS.Platform, object, string]>([
  [
    'linux',
    { cacert: "/home/o'neil/tls cert.pem" },
    `curl --cacert '/home/o'\\''neil/tls cert.pem' -H 'Authorization: Bearer petsbx_1' http://127.0.0.1:4020/v1/pets`,
  ],
  [
    'linux',
    { key: "o'neils-key" },
    String.raw`curl -H 'Authorization: Bearer o'\''neils-key' http://127.0.0.1:4020/v1/pets`,
  ],
  [
    'win32',
    { cacert: String.raw`C:\O'Neil\tls cert.pem`, key: "o'neils-key" },
    String.raw`$env:SANDBOX_URL = 'http://127.0.0.1:4020/v1'; $env:SANDBOX_KEY = 'o''neils-key'
curl.exe --cacert 'C:\O''Neil\tls cert.pem' -H 'Authorization: Bearer o''neils-key' http://127.0.0.1:4020/v1/pets`,
  ],
])('the first request to copy is for the shell of %s: %j', (platform, given, lines) => {
  expect(firstRequest({ ...sandbox, ...given }, platform).join('\n')).toBe(lines);
});
