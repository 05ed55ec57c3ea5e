/** The command line over HTTPS. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runProgram, startProgram, unusedAddress } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { asUser } from './support.ts';

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

it('serve --tls self-signed prints the fingerprint, and a line for curl that works', {
  timeout: limit(60_000),
}, async () => {
  const data = join(await newFolder(), "petstore sandbox's", 'data');
  const { child, said, ended } = startProgram(['serve', '--tls', 'self-signed', '--port', '0', '--data', data], {
    SANDBOX_FIXTURE: 'empty',
  });
  await expect.poll(() => said.stdout, { timeout: limit(10_000) }).toMatch(/curl .*\/v1\/pets/);
  expect(said.stdout).toMatch(/certificate {2}SHA-256 (?:[0-9A-F]{2}:){31}[0-9A-F]{2}\n/);
  const [line = ''] = /curl .*/.exec(said.stdout) ?? [];
  expect(line).toContain('--cacert ');
  const { stdout } = await promisify(execFile)('sh', ['-c', line.replace('curl ', 'curl -sS ')]);
  expect(stdout).toBe('[]');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

it('a command trusts the certificate of --cacert or SANDBOX_CACERT, and says so where it is missing', async () => {
  const make = `keys create --url ${server.url}`;
  const offline = asUser();
  await offline.lines(`${make} --cacert ${cacert}`);
  await asUser({ SANDBOX_CACERT: cacert }).lines(make);
  expect(await offline.complaint(make, 3)).toMatch(/SELF_SIGNED_CERT.*--cacert/);
  expect(await offline.complaint(`${make} --cacert package.json`)).toContain('holds no certificate in PEM');
});

it('wait needs no certificate on this machine, as the health check of the image has none', async () => {
  const healthy = [`${server.url} is healthy`];
  expect(await asUser().lines(`wait --timeout 5 --url ${server.url}`)).toEqual(healthy);
  const { port } = new URL(server.url);
  const asInTheImage = asUser({ SANDBOX_TLS: 'self-signed', SANDBOX_PORT: port, SANDBOX_IMAGE: '1' });
  expect(await asInTheImage.lines('wait --timeout 5')).toEqual(healthy);
  const nowhere = (await unusedAddress()).replace('http:', 'https:');
  await asUser().complaint(`wait --timeout 0 --url ${nowhere}`, 3);
});

it('exec hands the certificate on to the client, with a server of its own too', {
  timeout: limit(60_000),
}, async () => {
  const reached = { code: 0, stdout: 'https: 200\n', stderr: expect.stringContaining('contract check passed') };
  expect(await runProgram(['exec', '--url', server.url, '--cacert', cacert, ...client])).toEqual(reached);
  expect(await runProgram(['exec', '--start', ...client], { SANDBOX_TLS: 'self-signed' })).toEqual(reached);
});
