import { describe, expect, it } from 'vitest';
import { firstRequest } from '../../src/cli/shell.ts';

const sandbox = { base: 'http://127.0.0.1:4020', key: 'petsbx_1' };

describe('the first request to copy', () => {
  it('is a line for a POSIX shell', () => {
    expect(firstRequest({ ...sandbox, cacert: "/home/o'neil/tls cert.pem" }, 'linux')).toEqual([
      `curl --cacert '/home/o'\\''neil/tls cert.pem' -H 'Authorization: Bearer petsbx_1' http://127.0.0.1:4020/v1/pets`,
    ]);
  });

  it('has a key with a quote as one word', () => {
    const key = "o'neils-key-0123456789";
    expect(firstRequest({ ...sandbox, key }, 'linux').join()).toContain(String.raw`'Authorization: Bearer o'\''neils-`);
    expect(firstRequest({ ...sandbox, key }, 'win32').join()).toContain("$env:SANDBOX_KEY = 'o''neils-");
  });

  it('is for PowerShell on Windows, with the variables that other commands read', () => {
    expect(firstRequest({ ...sandbox, cacert: String.raw`C:\Users\O'Neil\tls cert.pem` }, 'win32')).toEqual([
      `$env:SANDBOX_URL = 'http://127.0.0.1:4020/v1'; $env:SANDBOX_KEY = 'petsbx_1'`,
      String.raw`curl.exe --cacert 'C:\Users\O''Neil\tls cert.pem' -H 'Authorization: Bearer petsbx_1' http://127.0.0.1:4020/v1/pets`,
    ]);
  });
});
