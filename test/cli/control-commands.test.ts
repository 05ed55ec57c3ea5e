/** The commands of the control API, for programs most of all: the guides show what people see, and `docs/pages.test.ts` holds that. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { shortId } from '../../src/base/ids.ts';
import { newFolder } from '../support/folder.ts';
import { harOf } from '../support/har.ts';
import { listen } from '../support/ports.ts';
import { CLI, runProgram, startProgram, unusedAddress } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { asUser } from './support.ts';

const ADMIN_TOKEN = 'an-admin-token-of-the-test';

const server = await startTestServer({ settings: { adminToken: ADMIN_TOKEN } });

/** A sandbox, and commands that act on it. */
async function newUser() {
  const client = await server.sandbox();
  return { client, ...asUser({ SANDBOX_URL: `${server.url}/v1`, SANDBOX_KEY: client.key }) };
}

const offline = asUser();
/** For files that get a thread of their own: in this process, they would change the heaps of other tests. */
const apart = asUser({}, (args) => runProgram(args));

describe('petstore-sandbox keys', () => {
  it('creates a key that works, shares it, lists it without showing it, and revokes it', async () => {
    const nobody = asUser({ SANDBOX_URL: server.url });
    const first = await nobody.json('keys create --label mine --fixture empty --ttl 60 --json');
    expect([first.label, first.fixture]).toEqual(['mine', 'empty']);
    expect((await server.client(first.key).get('/v1/pets')).json).toEqual([]);

    const { lines, complaint } = asUser({ SANDBOX_URL: server.url, SANDBOX_KEY: first.key });
    const shared = (await lines('keys share')).map((line) => line.split(/ {2,}/));
    const { id, key, sandbox, dashboard, ...rest } = Object.fromEntries(shared);
    expect([rest['url'], rest['shared url']]).toEqual([`${server.url}/${sandbox}/v1`, `${server.url}/v1`]);
    expect(sandbox).toBe(first.sandbox);
    const code = dashboard.replace(`${server.url}/${sandbox}/#/sign-in/`, '');
    expect((await server.client().post('/_sandbox/sign-in', { code })).json.key).toBe(key);
    expect((await server.client(key).get('/v1/pets')).status).toBe(200);

    const listed = await lines('keys list');
    expect(listed).toHaveLength(4);
    expect(listed.join()).toContain(first.id);
    expect(listed.join()).not.toContain(first.key);

    expect(await lines(`keys revoke ${id}`)).toEqual([`revoked ${id}`]);
    expect((await server.client(key).get('/v1/pets')).status).toBe(401);
    expect(await complaint(`keys revoke ${id}`)).toContain('no active key');
  });
});

describe('petstore-sandbox reset, pets, fork and snapshots', () => {
  it('add pets, name states, go back to them, and copy them', async () => {
    const { client, lines, json } = await newUser();
    const count = async () => (await client.get('/_sandbox')).json.pets.total;
    await lines('snapshots save twelve');
    expect((await json('pets generate --count 1 --status sold --json')).count).toBe(1);
    const fork = await json('fork --label copy --ttl 60 --json');
    expect([fork.label, await count()]).toEqual(['copy', 13]);
    expect((await server.client(fork.key).get('/_sandbox')).json.pets.total).toBe(13);
    await lines('reset --snapshot twelve');
    expect(await count()).toBe(12);
    expect((await json('snapshots list --json')).snapshots).toMatchObject([{ name: 'twelve', pets: 12 }]);
    expect((await lines('snapshots list')).at(-1)).toBe('1 snapshot');
    expect(await lines('snapshots delete twelve')).toEqual(['deleted twelve']);
    expect((await json('reset --fixture empty --request-log --json')).sandbox.pets.total).toBe(0);
    expect((await client.get('/_sandbox/requests')).json.total).toBe(0);
  });

  it('act on any sandbox, or on all, with the admin token', async () => {
    const { client } = await newUser();
    const { id } = (await client.get('/_sandbox')).json;
    const admin = asUser({ SANDBOX_URL: server.url, SANDBOX_ADMIN_TOKEN: ADMIN_TOKEN, SANDBOX_KEY: client.key });
    const added = async () => (await client.get('/_sandbox')).json.pets.added;
    await admin.lines(`pets generate --count 1 --sandbox ${id}`);
    expect(await added()).toBe(1);
    // One key alone could not: the token of the flag beats the key of the environment.
    const [all] = await admin.lines(`reset --all --admin-token ${ADMIN_TOKEN}`);
    expect(all).toMatch(/^reset \d+ sandboxes$/);
    expect(await added()).toBe(0);
  });
});

it('petstore-sandbox faults adds rules that act, lists them, and clears one or all', async () => {
  const { client, lines, json } = await newUser();
  const rule = { operation: 'getPet', when: 'after', status: 503, retryAfter: 2, times: 1 };
  const flags = '--operation getPet --when after --status 503 --retry-after 2 --times 1 --json';
  const { id, ...added } = await json(`faults add ${flags}`);
  expect(added).toMatchObject(rule);
  expect((await client.get('/v1/pets/1')).headers['retry-after']).toBe('2');
  const [said = ''] = await lines('faults add --delay 5 --probability 0.5 --seed 7');
  const [, second] = /^added (flt_\w+): every operation, before it happens: .*delayMs=5/.exec(said) ?? [];
  expect((await lines('faults list')).at(-1)).toBe('2 faults');
  expect(await lines(`faults clear ${second}`)).toEqual([`deleted ${second}`]);
  expect((await json('faults list --json')).faults).toMatchObject([{ id, triggered: 1 }]);
  await lines('faults clear');
  expect((await json('faults list --json')).faults).toEqual([]);
});

describe('petstore-sandbox requests', () => {
  it('lists, shows, verifies and clears what the client sent', async () => {
    const { client, run, lines, json } = await newUser();
    await client.get('/v1/pets?limit=500');
    const { requestId: id } = await client.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}');

    expect(await lines('requests list')).toEqual([
      expect.stringMatching(new RegExp(`^✓ [\\d:.]+Z {2}201 {2}POST /v1/pets +created pet 13 +${id}$`)),
      expect.stringMatching(/^✗ [\d:.]+Z {2}400 {2}GET \/v1\/pets\?limit=500 {2}limit is at most 100 +req_\w+$/),
      '2 requests',
    ]);
    expect((await lines('requests list --limit 1')).at(-1)).toBe('1 of 2 requests');
    expect((await json('requests list --violations --json')).requests).toMatchObject([{ status: 400 }]);
    expect((await json('requests list --operation createPet --status 201 --json')).total).toBe(1);
    expect((await json(`requests list --json --since ${id}`)).total).toBe(0);
    expect((await json('requests list --json --since 2020-01-01')).total).toBe(2);

    expect((await run(`requests show ${shortId(id)}`)).stdout).toContain(`${id}  `);
    expect((await run(`requests show ${id}`)).stdout).toContain('> {"name":"Rex","categoryId":9223372036854775807}');
    expect((await json(`requests show --json ${id}`)).response.body).toContain('9223372036854775807');

    const verify = 'requests verify --operation createPet';
    expect(await lines(`${verify} --exactly 1 --body {"categoryId":9223372036854775807}`)).toEqual([
      expect.stringMatching(/^✓ as expected: 1 request \(of /),
    ]);
    const rounded = await lines(`${verify} --body {"categoryId":9223372036854775806}`, 1);
    expect(rounded).toContain('    expected  9223372036854775806');
    expect((await json('requests verify --method GET --at-most 0 --json', 1)).code).toBe('verification_failed');

    await client.get('/v1/pets', { 'X-Test-Name': 'checkout 7' });
    const [{ id: named }] = (await json('requests list --limit 1 --json')).requests;
    const kept = 'headers of your own are kept only with: npx petstore-sandbox serve --log-header NAME';
    expect((await run(`requests show ${named}`)).stdout).toMatch(new RegExp(`x-test-name.*; ${kept}\n`));
    expect(await lines('requests list --contains checkout')).toEqual(['0 requests', `· ${kept}`]);
    expect(await lines('requests clear')).toEqual(['cleared the request log']);
    expect(await lines('requests list')).toEqual(['0 requests']);
  });

  it('lists as many of no sandbox as were asked for, and says of how many', async () => {
    const { run, lines } = await newUser();
    await run('requests clear --unmatched');
    await server.client().getMany(3, (n) => `/v1/pets?limit=${n + 1}`);
    const listed = await lines('requests list --unmatched --limit 1');
    expect(listed.filter((line) => line.startsWith('✗'))).toHaveLength(1);
    expect(listed.at(-1)).toBe('1 of 3 unmatched');
  });

  it('tails what happens, one line each, until the server goes', async () => {
    const live = await startTestServer();
    const client = await live.sandbox();
    const environment = { SANDBOX_URL: live.url, SANDBOX_KEY: client.key as string };
    const waits = { timeout: limit(10_000) };
    const people = startProgram(['requests', 'tail'], environment);
    await expect
      .poll(() => people.said.stderr, waits)
      .toBe(`petstore-sandbox: waiting for requests to ${live.url}/v1\n`);
    await client.get('/v1/pets?limit=0');
    await expect
      .poll(() => people.said.stdout, waits)
      .toMatch(/^✗ .* {2}400 {2}GET \/v1\/pets\?limit=0 {2}limit is at least 1 {2}req_\w+\n$/);
    const programs = startProgram(['requests', 'tail', '--json'], environment);
    const afterReset = async () => (await client.post('/_sandbox/reset')) && programs.said.stdout;
    await expect.poll(afterReset, waits).toContain('\n');
    await live.end();
    const [one, two] = await Promise.all([people.ended, programs.ended]);
    expect([one.code, two.code]).toEqual([3, 3]);
    expect(one.stdout).toMatch(/^· [\d:.]+Z {2}reset$/m);
    expect(JSON.parse(two.stdout.split('\n')[0] as string)).toMatchObject({ event: 'reset' });
  });
});

it('petstore-sandbox report writes a file, and prints the verdict beside it', async () => {
  const { client, run, lines, complaint } = await newUser();
  await client.post('/v1/pets', { name: 'Rex' });
  const file = join(await newFolder(), 'report.json');
  const [verdict] = await lines(`report --out ${file}`, 1);
  expect(verdict).toBe('✗ contract check failed: 1 violation of the specification');
  expect(JSON.parse(await readFile(file, 'utf8')).verdict).toBe('fail');
  const printed = await run('report');
  expect((await run(`report --out ${file}.TXT`)).code).toBe(1);
  expect(await readFile(`${file}.TXT`, 'utf8')).toBe(printed.stdout);
  expect(await complaint(`report --out ${file}.docx`)).toContain('in .txt, .json, .xml, .html, .md, .github.txt;');
  expect((await lines('report --format junit', 1)).join()).toContain('<testsuites');
  expect(await complaint('report --format docx')).toContain('--format is one of text, json, junit');
});

describe('petstore-sandbox preview', () => {
  it('ends with 1 where a request stops working, or nothing is known', async () => {
    const { client, json, lines } = await newUser();
    expect(await lines('preview', 1)).toEqual([
      '· getPet: removed, but none of these requests use it',
      '? preview incomplete: no request was seen',
      expect.stringMatching(/^ {2}0 requests, on 2030-12-05 /),
    ]);
    await client.get('/v1/pets');
    expect((await lines('preview')).at(-1)).toMatch(
      /^✓ preview passed \(1 request validated, on 2030-12-05 \(.* left\), 0 of 1 request fail\)$/,
    );
    await client.get('/v1/pets/1');
    expect(await json('preview --at 2031-01-01 --format json', 1)).toMatchObject({ verdict: 'fail' });
    expect((await lines('preview --at 2030-12-05T01:00:00+02:00')).at(-1)).toContain(', on 2030-12-04 (');
  });

  it('takes a HAR without a server, as the report does', async () => {
    const { client, run, complaint } = await newUser();
    const { lines, json } = apart;
    await client.get('/v1/pets/1');
    await client.get('/v1/pets?limit=500');
    const har = join(await newFolder(), 'traffic.HAR');
    await run(`export --format har --out ${har}`);
    expect((await lines(`preview --in ${har}`, 1)).at(-1)).toMatch(/on 2030-12-05 .*, 1 of 2 requests fails$/);
    expect((await lines(`preview --at 2030-12-04 --in ${har}`)).at(-1)).toMatch(/0 of 2 requests fail\)?$/);
    const base = `${server.url}/v1`;
    for (const line of [`report --har ${har}`, `report --base ${base} --har ${har}`])
      expect(await lines(line, 1)).toContain('✗ contract check failed: 1 violation of the specification');
    const elsewhere = await json(`report --json --base https://api.example.com/v1 --har ${har}`, 1);
    expect(elsewhere).toMatchObject({ verdict: 'incomplete', counts: { exchanges: 0 } });
    expect(await complaint(`report --base ${base}`)).toContain('--base needs --har');
    expect(await apart.complaint('report --har /nowhere.har')).toContain('/nowhere.har cannot be read');
  });

  /** By its content: WebPageTest names it `.json`, and a pipe has no name. */
  it.runIf(process.platform !== 'win32')('takes a HAR by any name, and packed through a pipe', async () => {
    const har = harOf('https://api.example.com/v1/pets?limit=500', 'https://api.example.com/v1/pets/1');
    const folder = await newFolder({ 'a.json': har, 'c.har.gz': gzipSync(har) });
    for (const [call, said] of [
      ['report --har a.json', '- limit=500'],
      ['preview --in <(cat c.har.gz)', '✗ getPet'],
    ] as const) {
      const line = `'${process.execPath}' '${CLI}' ${call} || true`;
      const { stdout } = await promisify(execFile)('bash', ['-c', line], { cwd: folder });
      expect([call, stdout]).toEqual([call, expect.stringContaining(said)]);
    }
  });

  it('takes a draft of the specification, and a recording without a server', async () => {
    const { client, run, lines, complaint } = await newUser();
    await client.get('/v1/pets/1');
    await client.get('/v1/pets?limit=60');
    const directory = await newFolder();
    const [recording, draft] = [join(directory, 'recording.jsonl'), join(directory, 'next.yaml')];
    await writeFile(draft, (await readFile('spec/openapi.yaml', 'utf8')).replace('maximum: 100', 'maximum: 50'));
    await run(`export --out ${recording}`);
    const ofServer = await lines(`preview --spec ${draft}`, 1);
    expect(ofServer[0]).toMatch(/^✗ listPets {2}query\/limit {2}is at most 50 +1× {2}req_/);
    expect(await apart.lines(`preview --in ${recording} --spec ${draft}`, 1)).toEqual(ofServer);
    expect((await apart.lines(`preview --in ${recording}`, 1)).at(-1)).toMatch(/, 1 of 2 requests fails$/);
    await writeFile(draft, (await readFile('spec/openapi.yaml', 'utf8')).replace('in: query', 'in: qery'));
    for (const line of [`preview --spec ${draft} --in ${recording}`, `preview --spec ${draft}`])
      expect(await complaint(line)).toContain('--spec: #/paths/~1pets/get/parameters/0/in: `in` can be one of');
    expect(await apart.complaint(`preview --in ${draft}`)).toContain('next.yaml: line 1: not valid JSON');
  });
});

describe('every command that talks to a server', () => {
  it.each([
    ['snapshots list', ''],
    ['requests tail', ''],
    ['exec -- true', 'let this command bring its own with --start, '],
  ])('ends with 3 when no server answers: %s', async (line, hint) => {
    const url = await unusedAddress();
    const { complaint, json } = asUser({ SANDBOX_URL: url, SANDBOX_KEY: 'a-key-that-nobody-asks-for' });
    const message = `${url} cannot be reached (ECONNREFUSED)`;
    expect(await complaint(line, 3)).toBe(
      `petstore-sandbox: ${message}; start it, ${hint}or name another with --url\n`,
    );
    expect(await json('reset --json', 3)).toEqual({ code: 'not_reached', message, status: 0 });
  });

  // wrong-use.test.ts has what needs no server to be wrong.
  it.each([
    ['keys create --fixture larg', 'did you mean large?; "npx petstore-sandbox fixtures list" lists them'],
    ['faults add --retry-after 3', ': faults add needs at least one of --status, --delay, --bytes-per-second, '],
    [
      'faults add --status 503 --connection reset',
      'must not have --status together with a --connection that is reset or empty, since no status is sent',
    ],
    ['faults add --limit 0/3', ': --limit/requests is at least 1; 0 was sent'],
    ['faults clear flt_none', '; "npx petstore-sandbox faults list" lists them'],
    ['clock advance 3d', ': <duration> is an ISO 8601 duration'],
    ['reset --all', 'admin token'],
    ['keys create --key an-unneeded-key-of-mine', "unknown option '--key'"],
    ['clock set', 'set to what?'],
    ['clock set --freeze --run', "option '--freeze' cannot be used with option '--run'"],
    ['requests verify --body {', '--body must be JSON'],
    [`reset --key ${'k'.repeat(16)} --admin-token ${ADMIN_TOKEN}`, "cannot be used with option '--admin-token <"],
    [`reset --key ${'k'.repeat(16)} --sandbox sbx_1`, "cannot be used with option '--sandbox <id>'"],
  ])('ends with 2 for %j, and says why', async (line, words) => {
    const { complaint } = await newUser();
    expect(await complaint(line)).toContain(words);
  });

  it('ends with 3 when the server cannot do it', async () => {
    const url = await listen((_, res) => {
      res.writeHead(503, { 'Sandbox-Request-Id': 'req_1', 'Content-Type': 'application/json' });
      res.end('{"code":"storage_failed","message":"the disk is full","status":503}');
    });
    const said = await offline.complaint(`reset --url ${url} --key ${'k'.repeat(16)}`, 3);
    expect(said).toBe('petstore-sandbox: the disk is full\n');
  });

  it('ends with 2 without a key, and with one that cannot be one, which it does not repeat', async () => {
    const reset = `reset --url ${server.url}`;
    expect(await offline.complaint(reset)).toContain('which sandbox?');
    expect(await offline.complaint(`${reset} --sandbox sbx_1`)).toContain('needs the admin token');
    const odd = await offline.complaint(`${reset} --key naïve-secret-of-mine`);
    expect(odd).toContain('--key is 16 to 256 characters');
    expect(odd).not.toContain('secret-of-mine');
  });
});
