import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Fault, startWrongServer } from '../conform/wrong-server.ts';
import { newFolder } from '../support/folder.ts';
import { runInProcess } from '../support/in-process.ts';
import { type Ran, startProgram, unusedAddress } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const server = await startTestServer();

const conform = (url: string, key: string, ...flags: string[]): Promise<Ran> =>
  runInProcess(['conform', '--url', url, '--key', key, ...flags]);

const againstWrongServer = async (fault: Fault, ...flags: string[]): Promise<Ran> => {
  const { key = '' } = await server.sandbox();
  return conform(await startWrongServer(server.url, key, fault), key, ...flags);
};

test('ends with 0 where a server conforms, and says what it skipped and created', async () => {
  const sandbox = await server.sandbox();
  const { key = '' } = sandbox;
  const read = await runInProcess(['conform', '--url', `${server.url}/v1/`], { SANDBOX_KEY: key });
  expect(read).toMatchObject({ code: 0, stderr: '' });
  expect(read.stdout).not.toMatch(/^✓ .*: a list|pets created/m);
  expect(read.stdout).toMatch(/^· \d+ checks skipped: it may add a pet: needs --allow-create$/m);
  expect((await sandbox.get('/v1/pets?limit=100')).json).toHaveLength(12);
  const all = await conform(`${server.url}/v1`, key, '--allow-create', '--verbose');
  expect(all).toMatchObject({ code: 0, stderr: '' });
  for (const said of [
    /^✓ List pets +a list with the limit 1$/m,
    /^- Endpoints +PUT \/v1\/pets\?limit=zzz: 405 \(a wrong server might change or drop pets\)$/m,
    /^· pets created: 13, 14, 15, /m,
    /^✓ .* conforms\n {2}\d+ requests? validated, \d+ checks, \d+ ok, 0 differ from the specification, 0 from sandbox\n? +decisions, /m,
  ])
    expect(all.stdout).toMatch(said);
  expect(read.stdout + all.stdout).not.toContain(key.slice(0, -2));
});

test('ends with 1 where a server is wrong, and shows first what was sent, expected and got, safely', async () => {
  const { code, stdout, stderr } = await againstWrongServer('HTML error page');
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/^✗ response-type: .*\n {4}a response is not application/);
  expect(stdout).toContain(`
    sent      GET /v1/pets/13
    expected  Content-Type: application/json, in UTF-8
    got       404 text/html <h1>Something went \\u001b[31mwrong</h1>
`);
  expect(stdout).not.toContain('\u001b');
  // What shows everywhere is shown in full five times.
  expect(stdout.match(/^ {4}got /gm)).toHaveLength(5);
  expect(stdout.match(/^✗ response-type: /gm)?.length).toBeGreaterThan(20);
});

test('accepts the lines of the text form with --known-differences, and fails where one of them is gone', async () => {
  const before = await againstWrongServer('no HEAD');
  const lines = before.stdout.split('\n').filter((line) => /^✗ head: /.test(line));
  expect(lines).toHaveLength(4);
  const folder = await newFolder({
    'known.txt': `# Our gateway answers HEAD.\n\n${lines.join('\r\n')}\n`,
    'stale.txt': `${lines.join('\n')}\nsunset\n`,
  });
  const known = (name: string) => againstWrongServer('no HEAD', '--known-differences', join(folder, name));
  expect((await known('known.txt')).code).toBe(0);
  const { code, stdout } = await known('stale.txt');
  expect(code).toBe(1);
  expect(stdout).toContain('the known difference "sunset" is gone; take it off the list');
  expect(stdout).toMatch(/✗ .* conforms, but known differences are gone[\s\S]*, 1 stale/);
});

test('ends after the request under way when it is interrupted, and tells of the pets that it created', async () => {
  const sandbox = await server.sandbox();
  const args = ['conform', '--url', `${server.url}/v1`, '--allow-create', '--pause', '150'];
  const { child, ended } = startProgram(args, { SANDBOX_KEY: sandbox.key ?? '' });
  const total = async (): Promise<number> => (await sandbox.get('/_sandbox/requests')).json.total;
  await expect.poll(total, { timeout: limit(15_000) }).toBeGreaterThan(4);
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(1);
  expect(stderr).toBe('petstore-sandbox: stopping after this request; once more ends it at once\n');
  expect(stdout).toContain('was not checked to the end; nothing differs so far');
  const there = (await sandbox.get('/v1/pets?limit=100')).json as { id: number }[];
  const created = there.map(({ id }) => id).filter((id) => id > 12);
  expect(created.length).toBeGreaterThan(0);
  expect(stdout).toContain(`pets created: ${created.join(', ')}\n`);
});

test('ends with 3 when no server was reached, and with 2 when it rejects the key, without telling it', async () => {
  const url = `${await unusedAddress()}/v1`;
  const message = `${url} cannot be reached (ECONNREFUSED)`;
  const none = { code: 3, stdout: '', stderr: `petstore-sandbox: ${message}\n` };
  expect(await conform(url, 'a-key-of-somebody')).toEqual(none);
  const { code, stdout } = await conform(url, 'a-key-of-somebody', '--json');
  expect({ code, said: JSON.parse(stdout) }).toEqual({ code: 3, said: { url, verdict: 'none', message } });
  const rejected = `petstore-sandbox: ${server.url}/v1 rejects the key (401)\n`;
  expect(await conform(`${server.url}/v1`, 'not-the-key')).toEqual({ code: 2, stdout: '', stderr: rejected });
});

const NOWHERE = '--url http://127.0.0.1:1/v1';
const BOTH = `${NOWHERE} --key a-key-of-somebody`;

test.each([
  ['--key a-key-of-somebody', /required option '--url <url>'/],
  ['--url http://u:secret@127.0.0.1:1/v1 --key a-key-of-somebody', /--url is the base address/],
  [NOWHERE, /a key is needed: give it with --key or SANDBOX_KEY/],
  [`${NOWHERE} --key=secr\u00e9t`, /--key is 8 to 4096 visible ASCII characters/],
  [`${BOTH} --timeout 0`, /--timeout is a number like 0.2, from 0.1 to 300; "0" was given/],
  [`${BOTH} --ignore heads`, /--ignore: the rule "heads" is not known here; did you mean head\?/],
  [
    `${BOTH} --known-differences FOLDER/rule`,
    /rule, line 2: the rule "sunste" is not known here; did you mean sunset\?/,
  ],
  [`${BOTH} --known-differences FOLDER/check`, /check, line 1: there is no check named "HEAD of nothing"/],
  [`${BOTH} --known-differences FOLDER/none`, /none cannot be read: ENOENT/],
])('ends with 2 for %s', async (flags, why) => {
  const folder = await newFolder({ rule: 'head\nsunste: x', check: 'head: HEAD of nothing' });
  const { code, stdout, stderr } = await runInProcess(['conform', ...flags.replace('FOLDER', folder).split(' ')]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(why);
  expect(stderr).not.toMatch(/secr[eé]t/);
});
