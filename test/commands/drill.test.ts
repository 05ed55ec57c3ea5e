/** `petstore-sandbox drill`: the client as a command, the forms of the result, known failures, and exit codes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { asOnWindows, type Ran, runProgram, startProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const server = await startTestServer();

/** A client's program: `get` and `create` are at hand. */
const script = (text: string): string[] => [
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  `const { SANDBOX_URL: url, SANDBOX_KEY: key, SANDBOX_PET_NAME: name, SANDBOX_PET_ID: id, SANDBOX_TASK: task } = process.env;
   const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' };
   const get = (path) => fetch(url + path, { headers });
   const create = () => fetch(url + '/pets', { headers, method: 'POST', body: JSON.stringify({ name, categoryId: 1 }) });
   const print = async (response) => console.log(await response.text());
   ${text}`,
];
const CREATES_AGAIN = script('await print(await create().catch(create));');
const GIVES_UP = script(`
  const steps = {
    create: [create],
    get: [() => get('/pets/' + id)],
    all: [() => get('/pets'), create, () => get('/pets/' + id)],
  }[task] ?? [() => get('/pets')];
  for (const step of steps) {
    const response = await step();
    if (!response.ok) process.exit(1);
    await print(response);
  }`);

const drill = (flags: readonly string[], client: readonly string[]): Promise<Ran> =>
  runProgram(['drill', '--url', server.url, ...flags, ...client]);
const sandboxes = (): number => [...server.sandboxes.all()].length;

describe('petstore-sandbox drill', () => {
  it('starts a command through the shell of Windows, as `npm` is a script there', async () => {
    const { code, stderr } = await runProgram(
      ['drill', '--url', server.url, '--only', 'lost-create', '--', 'npm', 'test'],
      await asOnWindows('echo "$@"; exit 1'),
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('| /d /s /c "npm ^"test^""') });
  });

  it('passes a client that does no harm, in the order of the catalog, and leaves no sandbox', async () => {
    // The first one ends last.
    const slow = script(`
      if (task === 'create') await new Promise((resolve) => setTimeout(resolve, 1000));
      process.exit((await (task === 'create' ? create() : get('/pets'))).ok ? 0 : 1);`);
    const { code, stdout, stderr } = await drill(['--only', 'outage,lost-create,flaky'], slow);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^✓ drills passed\n {2}\d+ requests?.*, writes 1 of 1, retries 1 of 1 and 1 not graded\n$/,
      ),
    });
    expect(stderr.split('\n')).toEqual([
      '✓ lost-create: passes',
      '- flaky: not graded: the client did not try again',
      '✓ outage: passes',
      '',
    ]);
    expect(sandboxes()).toBe(0);
  });

  it('fails one that does harm: the situation, what it did and when, what was expected, why, and the fix', async () => {
    const { code, stdout, stderr } = await drill(['--only', 'lost-create'], CREATES_AGAIN);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^✗ drills failed \(\d+ requests?.*, writes 0 of 1\)\n$/),
    });
    const lines = [
      /^✗ lost-create: 2 pets have the name: the client repeated a create that had happened$/,
      /^ {4}writes: The pet is created, and the connection is reset before the response\.$/,
      /^ {4}0 ms +createPet {2}cut, created 1 pet, connection=reset; when=after$/,
      /^ {4}\d+ m?s +createPet {2}201, created 1 pet +after \d+ m?s$/,
      /^ {4}✗ There is at most one pet of that name +2× {2}req_\w+$/,
      /^ {8}expected {2}at most 1$/,
      /^ {8}got {7}2$/,
      /^ {8}source {4}RFC 9110, section 9\.2\.2$/,
      /^ {8}fix {7}Never retry a POST automatically\./,
    ];
    for (const [i, line] of lines.entries()) expect(stderr.split('\n')[i]).toMatch(line);
    expect(stderr.match(/^(must|should): /gm)).toEqual(['must: ', 'should: ']);
  });

  it.each([
    ['the list', 'await print(await get("/pets"));', 0],
    ['the list, indented', 'console.log(JSON.stringify(await (await get("/pets")).json(), null, 2));', 0],
    [
      'the list between lines of a log',
      `console.log('{"level":30}'); console.log(JSON.stringify(await (await get('/pets')).json())); console.log('[');`,
      0,
    ],
    ['nothing', 'await get("/pets");', 1],
    ['an empty list', 'await get("/pets"); console.log("[]");', 1],
    ['one pet of the list', 'console.log(JSON.stringify((await (await get("/pets")).json())[0]));', 1],
    ['the list to standard error', 'console.error(await (await get("/pets")).text());', 1],
  ])('grades a success by what the client prints: %s', async (_, client, code) => {
    const ran = await drill(['--only', 'new-field'], script(client));
    expect(ran.code, ran.stderr).toBe(code);
    if (code === 1) expect(ran.stderr).toContain('the client reported success without');
  });

  it.each([
    ['255, as PHP and Perl do on an exception', 'process.exit(255);', false],
    ['143, as a shell does after SIGTERM', 'process.exit(143);', true],
    ['a signal', 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000);', true],
  ])('takes an end with %s for a crash or for a failure', async (_, end, crashed) => {
    const ran = await drill(['--only', 'new-error', '--json'], script(`await create(); ${end}`));
    expect(JSON.parse(ran.stdout).drills[0].outcome).toMatchObject({ success: false, crashed });
  });

  it('runs against a server of its own with --start', async () => {
    const { code, stdout } = await runProgram(['drill', '--start', '--group', 'compatibility', ...GIVES_UP]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^✓ drills passed \(\d+ requests?.*, compatibility 5 of 5\)\n$/),
    });
  });

  it('is incomplete, and ends with 1, where the client never met what goes wrong; shows what it printed', async () => {
    const { code, stdout, stderr } = await drill(['--only', 'outage'], script(`console.log('nothing to do');`));
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^\? drills incomplete \(\d+ requests?.*, retries 0 of 1\)\n$/),
    ]);
    expect(stderr).toContain('? outage: the client never met what goes wrong');
    expect(stderr).toContain('    | nothing to do');
  });

  it('takes known failures from a list, and fails one that passes', async () => {
    const directory = await newFolder();
    const list = join(directory, 'drills.yml');
    await writeFile(list, '# mended in the next release\n- lost-create\n');
    const known = await drill(['--only', 'lost-create', '--known-failures', list], CREATES_AGAIN);
    expect([known.code, known.stdout]).toEqual([
      0,
      expect.stringMatching(/^✓ drills passed \(\d+ requests?.*, writes 0 of 1\)\n$/),
    ]);
    const stale = await drill(['--only', 'lost-create', '--known-failures', list], GIVES_UP);
    expect(stale.code).toBe(1);
    expect(stale.stderr).toContain('✗ lost-create: passes, but is listed as a known failure');
    await writeFile(list, '- lost-crate\n');
    const unknown = await drill(['--known-failures', list], GIVES_UP);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean lost-create?')]);
  });

  it('ends a client that takes too long, and counts it as a crash', async () => {
    const never = script(`await get('/pets'); setInterval(() => {}, 1000);`);
    const { code, stdout } = await drill(['--only', 'outage', '--timeout', '2', '--json'], never);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).drills[0].outcome).toMatchObject({ success: false, crashed: true });
  });

  it('gives the client its task, and not the admin token', async () => {
    const shows = script(`
      const { SANDBOX_DRILL, SANDBOX_TASK, SANDBOX_TIMES, SANDBOX_ADMIN_TOKEN } = process.env;
      console.log([SANDBOX_DRILL, SANDBOX_TASK, SANDBOX_TIMES, SANDBOX_ADMIN_TOKEN].join());`);
    const args = ['drill', '--url', server.url, '--only', 'flaky', ...shows];
    const { stderr } = await runProgram(args, { SANDBOX_ADMIN_TOKEN: server.adminToken });
    expect(stderr).toContain('| flaky,list,8,\n');
  });

  it('ends the client and the sandboxes when it is told to end', async () => {
    const waits = script(`await get('/pets'); setInterval(() => {}, 1000);`);
    const running = startProgram(['drill', '--url', server.url, '--only', 'outage', ...waits]);
    await expect.poll(sandboxes, { timeout: limit(10_000) }).toBe(1);
    await expect
      .poll(() => server.sandboxes.all().next().value?.faults.rules[0]?.triggered, { timeout: limit(10_000) })
      .toBe(1);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(1);
    expect(sandboxes()).toBe(0);
  });

  it.each([
    [['--only', 'lost-creat'], 'did you mean lost-create?'],
    [['--only', 'outage', '--group', 'writes'], 'leave no drill'],
    [['--parallel', '0'], '--parallel must be an integer, 1 or more; got "0"'],
    [['--known-failures', '/nowhere/drills.yml'], '--known-failures /nowhere/drills.yml cannot be read'],
  ])('ends with 2 for %j, and says why', async (flags, words) => {
    const { code, stderr } = await drill(flags, GIVES_UP);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('ends with 2 where the command cannot be run, and leaves no sandbox', async () => {
    const { code, stderr } = await drill(['--only', 'outage'], ['--', '/nowhere/client']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('/nowhere/client cannot be run')]);
    expect(sandboxes()).toBe(0);
  });
});
