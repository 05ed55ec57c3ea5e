import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { shortId } from '../../src/requests/short-id.ts';
import type { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { harOf } from '../support/har.ts';
import { listen } from '../support/listen.ts';
import { CLI, type Ran, runProgram, startProgram, unusedAddress } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { zipOf } from '../support/zip.ts';

const ADMIN_TOKEN = 'an-admin-token-of-the-test';

const server = await startTestServer({ settings: { adminToken: ADMIN_TOKEN } });

/** A sandbox, and the program as its user has it. */
async function newUser(): Promise<{ client: Client; run: (line: string, ...more: string[]) => Promise<Ran> }> {
  const client = await server.sandbox();
  const environment = { SANDBOX_URL: `${server.url}/v1`, SANDBOX_KEY: client.key as string };
  return { client, run: (line, ...more) => runProgram([...line.split(' '), ...more], environment) };
}

/** The JSON that a run printed. */
// biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
const json = ({ code, stdout, stderr }: Ran, wanted = 0): any => {
  expect({ code, stderr }).toEqual({ code: wanted, stderr: '' });
  return JSON.parse(stdout);
};

/** The lines that a run printed. */
const lines = ({ code, stdout, stderr }: Ran, wanted = 0): string[] => {
  expect({ code, stderr }).toEqual({ code: wanted, stderr: '' });
  return stdout.trimEnd().split('\n');
};

/** What a run complained of. */
const complaint = ({ code, stdout, stderr }: Ran, wanted: number): string => {
  expect({ code, stdout }).toEqual({ code: wanted, stdout: '' });
  return stderr;
};

/** What a line prints, whatever its exit code. */
const ranByShell = async (line: string): Promise<string> =>
  (await promisify(execFile)('bash', ['-c', `${line} || true`])).stdout;

describe('petstore-sandbox keys', () => {
  it('creates a key that works, shares it, lists it without showing it, and revokes it', async () => {
    const environment = { SANDBOX_URL: server.url };
    const created = await runProgram(
      ['keys', 'create', '--label', 'mine', '--fixture', 'empty', '--ttl', '60', '--json'],
      environment,
    );
    const first = json(created);
    expect([first.label, first.fixture]).toEqual(['mine', 'empty']);
    const client = server.client(first.key);
    expect((await client.get('/v1/pets')).json).toEqual([]);

    const mine = { ...environment, SANDBOX_KEY: first.key };
    const shared = lines(await runProgram(['keys', 'share'], mine));
    const second = Object.fromEntries(shared.map((line) => line.split(/ {2,}/))) as Record<string, string>;
    expect(second['sandbox']).toBe(first.sandbox);
    const code = second['dashboard']?.replace(`${server.url}/#/sign-in/`, '');
    expect((await server.client().post('/_sandbox/sign-in', { code })).json.key).toBe(second['key']);
    expect((await server.client(second['key']).get('/v1/pets')).status).toBe(200);

    const listed = await runProgram(['keys', 'list'], mine);
    expect(lines(listed)).toHaveLength(4);
    expect(listed.stdout).toContain(first.id);
    expect(listed.stdout).not.toContain(first.key);

    expect(lines(await runProgram(['keys', 'revoke', second['id'] as string], mine))).toEqual([
      `revoked ${second['id']}`,
    ]);
    expect((await server.client(second['key']).get('/v1/pets')).status).toBe(401);
    expect(complaint(await runProgram(['keys', 'revoke', second['id'] as string], mine), 2)).toContain('no active key');
  });
});

describe('petstore-sandbox reset, pets, fork and snapshots', () => {
  it('add pets, name states, go back to them, and copy them', async () => {
    const { client, run } = await newUser();
    const count = async () => (await client.get('/_sandbox')).json.pets.total;
    expect(lines(await run('pets generate --count 2 --seed 7 --status sold'))).toEqual([
      'added 2 pets, ids 13 to 14, seed 7',
    ]);
    expect(lines(await run('snapshots save two'))).toEqual(['saved two: 14 pets']);
    expect(json(await run('pets generate --count 1 --json')).count).toBe(1);
    const fork = json(await run('fork --label copy --ttl 60 --json'));
    expect([fork.label, await count()]).toEqual(['copy', 15]);
    expect((await server.client(fork.key).get('/_sandbox')).json.pets.total).toBe(15);
    expect(lines(await run('reset --snapshot two'))[0]).toMatch(/^reset sbx_\w+ to snapshot two: 14 pets, next id 15$/);
    expect(await count()).toBe(14);
    expect(json(await run('snapshots list --json')).snapshots).toMatchObject([{ name: 'two', pets: 14 }]);
    expect(lines(await run('snapshots list')).at(-1)).toBe('1 snapshot');
    expect(lines(await run('snapshots delete two'))).toEqual(['deleted two']);
    expect(lines(await run('reset'))[0]).toMatch(/to fixture default: 12 pets, next id 13$/);
    expect(json(await run('reset --fixture empty --request-log --json')).sandbox.pets.total).toBe(0);
    expect((await client.get('/_sandbox/requests')).json.total).toBe(0);
  });

  it('act on any sandbox, or on all, with the admin token', async () => {
    const { client } = await newUser();
    const { id } = (await client.get('/_sandbox')).json;
    const environment = {
      SANDBOX_URL: server.url,
      SANDBOX_ADMIN_TOKEN: ADMIN_TOKEN,
      SANDBOX_KEY: client.key as string,
    };
    const { code } = await runProgram(['pets', 'generate', '--count', '1', '--sandbox', id], environment);
    expect([code, (await client.get('/_sandbox')).json.pets.added]).toEqual([0, 1]);
    // One key alone could not: the token of the flag beats the key of the environment.
    const all = lines(await runProgram(['reset', '--all', '--admin-token', ADMIN_TOKEN], environment));
    expect(all[0]).toMatch(/^reset \d+ sandboxes$/);
    expect((await client.get('/_sandbox')).json.pets.added).toBe(0);
  });
});

describe('petstore-sandbox clock', () => {
  it('shows, sets, freezes, advances, starts and clears', async () => {
    const { client, run } = await newUser();
    expect(lines(await run('clock set 2030-12-04 --freeze'))).toEqual(['2030-12-04T00:00:00.000Z (frozen)']);
    expect(json(await run('clock advance P1D --json'))).toEqual({ now: '2030-12-05T00:00:00.000Z', frozen: true });
    expect(lines(await run('clock show'))).toEqual(['2030-12-05T00:00:00.000Z (frozen)']);
    expect((await client.get('/v1/pets/1')).status).toBe(410);
    expect(json(await run('clock set --run --json')).frozen).toBe(false);
    expect(json(await run('clock reset --json')).now).not.toContain('2030-');
    expect((await client.get('/v1/pets/1')).status).toBe(200);
  });
});

describe('petstore-sandbox faults', () => {
  it('adds rules that act, lists them, and clears one or all', async () => {
    const { client, run } = await newUser();
    const added = json(
      await run('faults add --operation getPet --when after --status 503 --retry-after 2 --times 1 --json'),
    );
    expect(added).toMatchObject({ operation: 'getPet', when: 'after', status: 503, retryAfter: 2, times: 1 });
    const response = await client.get('/v1/pets/1');
    expect([response.status, response.headers['retry-after']]).toEqual([503, '2']);
    const second = lines(await run('faults add --delay 5 --probability 0.5 --seed 7'))[0] ?? '';
    expect(second).toMatch(/^added flt_\w+: every operation, before it happens: .*delayMs=5/);
    const id = /flt_\w+/.exec(second)?.[0] as string;
    expect(lines(await run('faults list')).at(-1)).toBe('2 faults');
    expect(lines(await run('faults clear', id))).toEqual([`deleted ${id}`]);
    expect(json(await run('faults list --json')).faults).toMatchObject([{ id: added.id, triggered: 1 }]);
    expect(lines(await run('faults clear'))).toEqual(['deleted all faults']);
    expect(json(await run('faults list --json')).faults).toEqual([]);
  });
});

describe('petstore-sandbox requests', () => {
  it('lists, shows, verifies and clears what the client sent', async () => {
    const { client, run } = await newUser();
    await client.get('/v1/pets?limit=500');
    const created = await client.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}');
    const id = created.headers['sandbox-request-id'] as string;

    const listed = lines(await run('requests list'));
    expect(listed).toHaveLength(3);
    expect(listed[0]).toMatch(new RegExp(`^✓ [\\d:.]+ {2}201 {2}POST /v1/pets +created pet 13 +${id}$`));
    expect(listed[1]).toMatch(/^✗ [\d:.]+ {2}400 {2}GET \/v1\/pets\?limit=500 {2}limit must be <= 100 +req_\w+$/);
    expect(listed[2]).toBe('2 requests');
    expect(lines(await run('requests list --limit 1')).at(-1)).toBe('1 of 2 requests');
    expect(json(await run('requests list --violations --json')).requests).toMatchObject([{ status: 400 }]);
    expect(json(await run('requests list --operation createPet --status 201 --json')).total).toBe(1);
    expect(json(await run('requests list --json --since', id)).total).toBe(0);

    expect((await run('requests show', shortId(id))).stdout).toContain(`${id}  `);
    expect((await run('requests show', id)).stdout).toContain('> {"name":"Rex","categoryId":9223372036854775807}');
    expect(json(await run('requests show --json', id)).response.body).toContain('9223372036854775807');

    const exact = ['--body', '{"categoryId":9223372036854775807}'];
    expect(lines(await run('requests verify --operation createPet --exactly 1', ...exact))).toEqual([
      expect.stringMatching(/^✓ as expected: 1 request \(of /),
    ]);
    const rounded = ['--body', '{"categoryId":9223372036854775806}'];
    const missed = await run('requests verify --operation createPet', ...rounded);
    expect(lines(missed, 1)).toContain('    expected  9223372036854775806');
    const steps = '[{"status":400,"responseBody":{"code":"invalid_request"}},{"operation":"createPet"}]';
    expect(lines(await run('requests verify --sequence', steps))).toEqual([
      expect.stringMatching(/^✓ as expected: 2 requests \(of /),
    ]);
    expect(json(await run('requests verify --method GET --at-most 0 --json'), 1).code).toBe('verification_failed');

    expect(lines(await run('requests clear'))).toEqual(['cleared the request log']);
    expect(lines(await run('requests list'))).toEqual(['0 requests']);
  });

  it('lists as many of no sandbox as were asked for, and says of how many', async () => {
    const { run } = await newUser();
    await run('requests clear --unmatched');
    await server.client().getMany(3, (n) => `/v1/pets?limit=${n + 1}`);
    const listed = lines(await run('requests list --unmatched --limit 1'));
    expect(listed.filter((line) => line.startsWith('✗'))).toHaveLength(1);
    expect(listed.at(-1)).toBe('1 of 3 unmatched');
  });

  it('shows what a client sent without letting it act on the terminal', async () => {
    const { client, run } = await newUser();
    const name = '\u001b[2J\u009b31m\u202egnirts\u2028';
    const { headers } = await client.post('/v1/pets', { name, categoryId: 1, [name]: 1 });
    const id = headers['sandbox-request-id'] as string;
    for (const ran of [
      await run('requests show', id),
      await run('requests show --json', id),
      await run('requests list'),
    ]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(ran.stdout.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
    }
    expect(json(await run('requests show --json', id)).request.body).toContain('\u202egnirts\u2028');
  });

  it('tails what happens, one line each, until the server goes', async () => {
    const live = await startTestServer();
    const client = await live.sandbox();
    const environment = { SANDBOX_URL: live.url, SANDBOX_KEY: client.key as string };
    const people = startProgram(['requests', 'tail'], environment);
    await expect
      .poll(() => people.said.stderr, { timeout: limit(10_000) })
      .toContain(`waiting for requests to ${live.url}/v1`);
    await client.get('/v1/pets?limit=0');
    await expect
      .poll(() => people.said.stdout, { timeout: limit(10_000) })
      .toMatch(/^✗ .* {2}400 {2}GET \/v1\/pets\?limit=0 {2}limit must be >= 1 {2}req_\w+\n$/);
    const programs = startProgram(['requests', 'tail', '--json'], environment);
    await expect
      .poll(
        async () => {
          await client.post('/_sandbox/reset');
          return programs.said.stdout;
        },
        { timeout: limit(10_000) },
      )
      .toContain('\n');
    await live.end();
    const [one, two] = await Promise.all([people.ended, programs.ended]);
    expect([one.code, two.code]).toEqual([3, 3]);
    expect(one.stdout).toMatch(/^· [\d:.]+ {2}reset\n$/m);
    expect(JSON.parse(two.stdout.split('\n')[0] as string)).toMatchObject({ event: 'reset' });
  });
});

describe('petstore-sandbox report', () => {
  it('writes a file, and prints the verdict beside it', async () => {
    const { client, run } = await newUser();
    await client.post('/v1/pets', { name: 'Rex' });
    const file = join(await newFolder(), 'report');
    expect(lines(await run('report --format json --out', file), 1)[0]).toBe(
      '✗ contract check failed: 1 violation of the specification',
    );
    expect(JSON.parse(await readFile(file, 'utf8')).verdict).toBe('fail');
    const printed = await run('report');
    expect((await run('report --json --format text --out', file)).code).toBe(1);
    expect(await readFile(file, 'utf8')).toBe(printed.stdout);
    expect(lines(await run('report --format junit'), 1).join()).toContain('<testsuites');
    expect(complaint(await run('report --format docx'), 2)).toContain('--format must be one of text, json, junit');
  });
});

describe('petstore-sandbox preview', () => {
  it('ends with 1 where a request stops working, or nothing is known', async () => {
    const { client, run } = await newUser();
    expect(lines(await run('preview'), 1)).toEqual([
      '· also changes, not used by these requests: getPet is removed',
      '? preview incomplete: no request was seen',
      expect.stringMatching(/^ {2}0 requests, on 2030-12-05 /),
    ]);
    await client.get('/v1/pets');
    expect(lines(await run('preview')).at(-1)).toMatch(
      /^✓ preview passed \(1 request validated, on 2030-12-05 \(.* left\), 0 of 1 request fail\)$/,
    );
    await client.get('/v1/pets/1');
    const broken = lines(await run('preview --at 2031-01-01'), 1);
    expect(broken[0]).toMatch(/^✗ getPet {2,}removed on 2030-12-05 +1× {2}req_/);
    expect(broken.join('\n')).toContain('    + GET /v1/pets?status=available');
    expect(JSON.parse((await run('preview --format json')).stdout)).toMatchObject({ verdict: 'fail' });
  });

  it('is a gate in CI as `report --at`', async () => {
    const { client, run } = await newUser();
    await client.get('/v1/pets/1');
    expect(lines(await run('report --at 2030-12-04')).at(-1)).toMatch(
      /^✓ preview passed \(1 request validated, on 2030-12-04 /,
    );
    expect(lines(await run('report --at 2030-12-05'), 1).at(-1)).toMatch(
      /^ {2}1 request validated, on 2030-12-05 .*, 1 of 1 request fails$/,
    );
    expect(complaint(await run('report --at 2030-12-05 --strict'), 2)).toContain('--strict');
  });

  it('takes a HAR without a server, as the report does', async () => {
    const { client, run } = await newUser();
    await client.get('/v1/pets/1');
    await client.get('/v1/pets?limit=500');
    const har = join(await newFolder(), 'traffic.HAR');
    await run('export --format har --out', har);
    const offline = (line: string) => runProgram([...line.split(' '), har], {});
    expect(lines(await offline('preview --in'), 1).at(-1)).toMatch(/on 2030-12-05 .*, 1 of 2 requests fails$/);
    expect(lines(await offline('preview --at 2030-12-04 --in')).at(-1)).toMatch(/0 of 2 requests fail\)?$/);
    const base = `${server.url}/v1`;
    for (const line of ['report --har', `report --base ${base} --har`])
      expect(lines(await offline(line), 1)).toContain('✗ contract check failed: 1 violation of the specification');
    expect(json(await offline('report --json --base https://api.example.com/v1 --har'), 1)).toMatchObject({
      verdict: 'incomplete',
      totals: { exchanges: 0 },
    });
    expect(complaint(await run(`report --base ${base}`), 2)).toContain('--base needs --har');
    expect(complaint(await runProgram(['report', '--har', '/nowhere.har'], {}), 2)).toContain(
      '/nowhere.har: cannot be read',
    );
    await writeFile(har, '{"log":{"entries":[{"request":1}]}}');
    for (const line of ['preview --in', 'report --har'])
      expect(lines(await offline(line), 1).join('\n')).toMatch(
        /no request was seen(?:\n {2}| \()1 request = 1 skipped by rule/,
      );
    await writeFile(har, harOf('{{base}}/pets', 'https://api.example.com/v1/pets'));
    expect(lines(await offline('preview --in'), 1)).toContain(
      '? preview incomplete: 1 request could not be read: no complete URL',
    );
  });

  /** By its content: WebPageTest names it `.json`, and a pipe has no name. */
  it.runIf(process.platform !== 'win32')('takes a HAR by any name, packed or not, and through a pipe', async () => {
    const folder = await newFolder();
    const har = harOf('https://api.example.com/v1/pets?limit=500', 'https://api.example.com/v1/pets/1');
    const files: readonly [name: string, bytes: Buffer, from: (file: string) => string][] = [
      ['a.json', Buffer.from(har), (file) => file],
      ['b.txt', Buffer.from(`\ufeff${har}`, 'utf16le'), (file) => `<(cat ${file})`],
      ['c.har.gz', gzipSync(har), (file) => `/dev/stdin < <(cat ${file})`],
      ['d.download', zipOf([['traffic.har', har]]), (file) => file],
    ];
    for (const [name, bytes, from] of files) {
      const file = join(folder, name);
      await writeFile(file, bytes);
      const run = (line: string) => ranByShell(`'${process.execPath}' '${CLI}' ${line} ${from(`'${file}'`)}`);
      expect([name, await run('report --har')]).toEqual([name, expect.stringContaining('- limit=500')]);
      expect([name, await run('preview --in')]).toEqual([name, expect.stringMatching(/^✗ getPet/)]);
    }
  });

  it('takes a draft of the specification, and a recording without a server', async () => {
    const { client, run } = await newUser();
    await client.get('/v1/pets/1');
    await client.get('/v1/pets?limit=60');
    const directory = await newFolder();
    const [recording, draft] = [join(directory, 'recording.jsonl'), join(directory, 'next.yaml')];
    const today = await readFile('spec/openapi.yaml', 'utf8');
    await writeFile(draft, today.replace('maximum: 100', 'maximum: 50'));
    await run('export --out', recording);
    const ofServer = lines(await run('preview --spec', draft), 1);
    expect(ofServer[0]).toMatch(/^✗ listPets {2}query\/limit {2}must be <= 50 +1× {2}req_/);
    expect(ofServer.join('\n')).toContain('    + GET /v1/pets?limit=50');
    const offline = await runProgram(['preview', '--in', recording, '--spec', draft], {});
    expect(lines(offline, 1)).toEqual(ofServer);
    expect(lines(await runProgram(['preview', '--in', recording], {}), 1).at(-1)).toMatch(/, 1 of 2 requests fails$/);
    await writeFile(draft, 'openapi: 2.0');
    for (const line of [
      ['--in', recording],
      ['--url', server.url, '--key', client.key as string],
    ])
      expect(complaint(await runProgram(['preview', '--spec', draft, ...line], {}), 2)).toContain('#/openapi: must be');
    expect(complaint(await runProgram(['preview', '--in', draft], {}), 2)).toContain(
      'next.yaml: line 1: not valid JSON',
    );
  });
});

describe('petstore-sandbox fixtures check', () => {
  it('needs no server, and ends with 1 where a server would not start', async () => {
    const directory = await newFolder();
    const check = (...more: string[]) => runProgram(['fixtures', 'check', directory, ...more]);
    expect(lines(await check(), 1)[0]).toContain('no fixtures');
    await mkdir(join(directory, 'deeper'));
    await writeFile(join(directory, 'two.json'), '{"description":"made up","generate":{"count":2,"seed":1}}');
    expect(lines(await check())).toEqual(['two  2 pets  made up', '1 fixture, nothing wrong']);
    await writeFile(join(directory, 'bad.json'), '{"description":"bad","pets":[{"id":1,"name":"Rex"}]}');
    const { ok, problems } = json(await check('--json'), 1);
    expect([ok, problems.length]).toEqual([false, 1]);
    expect(problems[0]).toContain('categoryId');
    expect(complaint(await runProgram(['fixtures', 'check', join(directory, 'none')]), 2)).toContain(
      'is not a directory',
    );
    expect(complaint(await runProgram(['fixtures', 'check']), 2)).toContain('missing required argument');
  });
});

describe('every command that talks to a server', () => {
  const all = ['keys create', 'snapshots list', 'requests tail', 'report', 'exec -- true'];

  it(
    'ends with 3 when no server answers',
    async () => {
      const url = await unusedAddress();
      const environment = { SANDBOX_URL: url, SANDBOX_KEY: 'a-key-that-nobody-asks-for' };
      const ran = await Promise.all(all.map((line) => runProgram(line.split(' '), environment)));
      const said = (own: string) =>
        `petstore-sandbox: ${url} cannot be reached (ECONNREFUSED); start it, ${own}or name another with --url\n`;
      expect(ran.map((each) => complaint(each, 3))).toEqual(
        all.map((line) => said(line.startsWith('exec') ? 'let this command bring its own with --start, ' : '')),
      );
      const asJson = json(await runProgram(['reset', '--json'], environment), 3);
      expect(asJson).toEqual({ code: 'not_reached', message: `${url} cannot be reached (ECONNREFUSED)`, status: 0 });
    },
    limit(60_000),
  );

  // wrong-use.test.ts has what needs no server to be wrong.
  it.each([
    ['pets generate --count 1 --status lost', '--status must be one of available, pending, sold; got "lost"'],
    ['reset --fixture none', 'no fixture'],
    ['keys revoke nope', 'must be a string like key_8Zt1Kc9wPq3LrV0n; got "nope"\n'],
    ['keys create --fixture larg', 'did you mean large?; "petstore-sandbox fixtures list" lists them'],
    ['faults add --status 999', ': --status must be an integer from 400 to 599; got 999'],
    ['faults add --retry-after 3', ': faults add must have at least one of --status, --delay, --bytes-per-second, '],
    [
      'faults add --status 503 --connection reset',
      'must not have --status together with a --connection that is reset or empty, since no status is sent',
    ],
    [
      'faults add --vary field,ordr',
      ': --vary must be one of field, order, space, status, code; got "ordr"; did you mean order?',
    ],
    ['faults add --limit 0/3', ': --limit requests: must be an integer from 1 to 1000000; got 0'],
    ['faults clear flt_none', '; "petstore-sandbox faults list" lists them'],
    ['clock advance 3d', ': <duration> must be an ISO 8601 duration'],
    [
      'requests verify --sequence [{"status":503},{"sttus":201}]',
      ': --sequence 1/sttus: is not known here; did you mean status?',
    ],
    ['reset --fixture empty --snapshot one', 'contradict each other'],
    ['reset --all', 'admin token'],
    ['keys create --key an-unneeded-key-of-mine', '--key has no effect here'],
    ['clock set', 'set to what?'],
    ['clock set --freeze --run', 'contradict each other'],
    ['faults add --status 503 --probability often', 'must be a number'],
    ['preview --at tomorrow', 'must be a date, like 2030-12-05'],
    ['requests verify --body {', '--body must be JSON'],
  ])('ends with 2 for %j, and says why', async (line, words) => {
    const { run } = await newUser();
    expect(complaint(await run(line), 2)).toContain(words);
  });

  it('ends with 3 when the server cannot do it', async () => {
    const url = await listen((_, res) => {
      res.writeHead(503, { 'Sandbox-Request-Id': 'req_1', 'Content-Type': 'application/json' });
      res.end('{"code":"storage_failed","message":"the disk is full","status":503}');
    });
    const ran = await runProgram(['reset', '--url', url, '--key', 'k'.repeat(16)]);
    expect(complaint(ran, 3)).toBe('petstore-sandbox: the disk is full\n');
  });

  it('ends with 2 without a key, with a wrong one, and with one that cannot be one, which it does not repeat', async () => {
    const run = (...flags: string[]) => runProgram(['reset', '--url', server.url, ...flags]);
    expect(complaint(await run(), 2)).toContain('which sandbox?');
    expect(complaint(await run('--key', 'a-key-that-opens-nothing'), 2)).toContain('key');
    const odd = complaint(await run('--key', 'naïve-secret-of-mine'), 2);
    expect(odd).toContain('--key must be 16 to 256 characters');
    expect(odd).not.toContain('secret-of-mine');
    expect(complaint(await run('--key', 'k'.repeat(16), '--admin-token', ADMIN_TOKEN), 2)).toContain('contradict');
    expect(complaint(await run('--key', 'k'.repeat(16), '--sandbox', 'sbx_1'), 2)).toContain('needs the admin token');
    expect(complaint(await run('--sandbox', 'sbx_1'), 2)).toContain('needs the admin token');
    expect(complaint(await run('--wrong'), 2)).toContain("unknown option '--wrong'");
  });
});
