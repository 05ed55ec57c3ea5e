/** The command line over HTTPS. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runProgram, startProgram, unusedAddress } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const server = await startTestServer({ settings: { tls: 'self-signed' } });
const cacert = server.certificate?.file as string;

/** A client that trusts `SANDBOX_CACERT`. */
const CLIENT = `
  const { SANDBOX_URL: url, SANDBOX_KEY: key, SANDBOX_CACERT: file } = process.env;
  const ca = require('node:fs').readFileSync(file);
  require('node:https').get(url + '/pets', { ca, headers: { Authorization: 'Bearer ' + key } }, (response) => {
    console.log(new URL(url).protocol, response.statusCode);
    response.resume();
  });`;
const client = ['--', process.execPath, '-e', CLIENT];

describe('serve --tls self-signed', () => {
  it(
    'prints the fingerprint, and a line for curl that works',
    async () => {
      const folder = join(await newFolder(), "petstore sandbox's");
      const { child, said, ended } = startProgram(
        ['serve', '--tls', 'self-signed', '--port', '0', '--data', join(folder, 'data')],
        { SANDBOX_FIXTURE: 'empty' },
      );
      await expect.poll(() => said.stdout, { timeout: limit(10_000) }).toMatch(/curl .*\/v1\/pets/);
      expect(said.stdout).toMatch(/certificate {2}SHA-256 (?:[0-9A-F]{2}:){31}[0-9A-F]{2}\n/);
      const [line = ''] = /curl .*/.exec(said.stdout) ?? [];
      expect(line).toContain('--cacert ');
      const { stdout } = await promisify(execFile)('sh', ['-c', line.replace('curl ', 'curl -sS ')]);
      expect(stdout).toBe('[]');
      child.kill('SIGTERM');
      expect((await ended).code).toBe(0);
    },
    limit(60_000),
  );
});

describe('a command', () => {
  it('trusts the certificate of --cacert or SANDBOX_CACERT, and says so where it is missing', async () => {
    const make = ['keys', 'create', '--url', server.url];
    expect(await runProgram([...make, '--cacert', cacert])).toMatchObject({ code: 0 });
    expect(await runProgram(make, { SANDBOX_CACERT: cacert })).toMatchObject({ code: 0 });
    const { code, stderr } = await runProgram(make);
    expect(code).toBe(3);
    expect(stderr).toMatch(/SELF_SIGNED_CERT.*--cacert/);
    const wrong = await runProgram([...make, '--cacert', 'package.json']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('holds no certificate in PEM') });
  });

  it('waits on this machine without a certificate, as the health check of the image does', async () => {
    expect(await runProgram(['wait', '--timeout', '5', '--url', server.url])).toMatchObject({ code: 0 });
    const port = new URL(server.url).port;
    const asInTheImage = { SANDBOX_TLS: 'self-signed', SANDBOX_PORT: port, SANDBOX_IMAGE: '1' };
    expect(await runProgram(['wait', '--timeout', '5'], asInTheImage)).toMatchObject({
      code: 0,
      stdout: `${server.url} is healthy\n`,
    });
    const nowhere = (await unusedAddress()).replace('http:', 'https:');
    expect(await runProgram(['wait', '--timeout', '0', '--url', nowhere])).toMatchObject({ code: 3 });
  });

  it(
    'exec and drill hand the certificate on to the client, with a server of their own too',
    async () => {
      const ran = await runProgram(['exec', '--url', server.url, '--cacert', cacert, ...client]);
      expect(ran).toMatchObject({
        code: 0,
        stdout: 'https: 200\n',
        stderr: expect.stringContaining('contract check passed'),
      });
      const own = await runProgram(['exec', '--start', ...client], { SANDBOX_TLS: 'self-signed' });
      expect(own).toMatchObject({ code: 0, stdout: 'https: 200\n' });
    },
    limit(60_000),
  );
});
