/** `petstore-sandbox drill`: the client as a command, the forms of the result, known failures, and exit codes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runInProcess } from '../support/in-process.ts';
import { type Ran, runProgram, startProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { SCRIPT_OF_CLIENT, script } from './support.ts';

const server = await startTestServer();

/** The command that runs a client: `name`, `id` and `task` of the drill, `create` and `print` are at hand. */
const client = (text: string): string[] =>
  script(`
    const { SANDBOX_PET_NAME: name, SANDBOX_PET_ID: id, SANDBOX_TASK: task } = process.env;
    const create = () => post('/pets', { name, categoryId: 1 });
    const print = async (response) => console.log(await response.text());
    ${text}`);
const CREATES_AGAIN = client('await print(await create().catch(create));');
const GIVES_UP = client(`
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
const HANGS = client(`await get('/pets'); setInterval(() => {}, 1000);`);

const drill = (only: string, command: readonly string[], ...flags: string[]): Promise<Ran> =>
  runInProcess(['drill', '--url', server.url, '--only', only, ...flags, ...command]);
const sandboxes = (): number => [...server.sandboxes.all()].length;

describe('petstore-sandbox drill', () => {
  it('keeps the last drills of a project, and says what the next ones fixed', async () => {
    const project = await newFolder({ 'node_modules/x/a.txt': '' });
    const create = `post('/pets', { name: process.env.SANDBOX_PET_NAME, categoryId: 1 })`;
    const again = `await ${create}.catch(() => ${create});`;
    const inProject = (text: string) => {
      const CLIENT = `${text} console.log(JSON.stringify((await (await get('/pets?limit=100')).json()).at(-1)));`;
      const args = ['drill', '--url', server.url, '--only', 'lost-create', ...SCRIPT_OF_CLIENT];
      return runProgram(args, { CI: '', CLIENT }, project);
    };
    const [first, second, third] = [
      await inProject(again),
      await inProject(`await ${create};`),
      await inProject(again),
    ];
    expect(first.stdout).not.toContain('since');
    expect(second.stdout).toMatch(/^✓ drills passed · fixed 1, new 0 since \d\d:\d\d \(exit 1\)/m);
    expect(third.stdout).toMatch(/^✗ drills failed · fixed 0, new 1 since \d\d:\d\d \(exit 0\)/m);
    await writeFile(join(project, 'node_modules/.cache/petstore-sandbox/drills.jsonl'), '{');
    expect(await inProject(again)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it is replaced'),
    });
  });

  it('passes a client that does no harm, lists the drills in the order of the catalog, and leaves no sandbox', async () => {
    // The first one ends last.
    const slow = client(`
      if (task === 'create') await new Promise((resolve) => setTimeout(resolve, 1000));
      process.exit((await (task === 'create' ? create() : get('/pets'))).ok ? 0 : 1);`);
    expect(await drill('outage,lost-create,flaky', slow)).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^✓ lost-create {2}passes\n- flaky {8}not applicable: the client did not try again\n✓ outage {7}passes\n✓ drills passed\n {2}\d+ requests?.*, writes 1 of 1, retries 1 of 1 and 1 not applicable\n$/,
      ),
      stderr: expect.stringMatching(/^(?:[✓-] (?:flaky|outage|lost-create): [^\n]+\n){3}$/),
    });
    expect(sandboxes()).toBe(0);
  });

  it('fails one that does harm: the situation, what it did and when, what was expected, why, and the fix', async () => {
    const { code, stdout, stderr } = await drill('lost-create', CREATES_AGAIN);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^✗ drills failed \(\d+ requests?.*, writes 0 of 1\)\n$/),
    ]);
    const lines = [
      /^✗ lost-create: 2 pets have the name: the client repeated a create that had happened$/,
      /^ {4}writes: The pet is created, and the connection is reset before the response\.$/,
      /^ {4}0 ms +createPet {2}cut, created 1 pet, connection broken after it happened$/,
      /^ {4}\d+ m?s +createPet {2}201, created 1 pet +after \d+ m?s$/,
      /^ {4}✗ There is at most one pet of that name +2× {2}req_\w+$/,
      /^ {8}expected {2}at most 1$/,
      /^ {8}got {7}2$/,
      /^ {8}source {4}RFC 9110, section 9\.2\.2$/,
      /^ {8}fix {7}Never retry a POST automatically\./,
    ];
    for (const [i, line] of lines.entries()) expect(stderr.split('\n')[i]).toMatch(line);
  });

  it.each([
    [0, 'the list', 'await print(await get("/pets"));'],
    [
      0,
      'the list between lines of a log',
      `console.log('{"level":30}'); console.log(JSON.stringify(await (await get('/pets')).json())); console.log('[');`,
    ],
    [1, 'one pet of the list', 'console.log(JSON.stringify((await (await get("/pets")).json())[0]));'],
    [1, 'the list to standard error', 'console.error(await (await get("/pets")).text());'],
  ])('grades a success by what the client prints, with %i: %s', async (code, _, text) => {
    const ran = await drill('new-field', client(text));
    expect(ran.code, ran.stderr).toBe(code);
    if (code === 1) expect(ran.stderr).toContain('the client reported success without');
  });

  it.each([
    ['255, as PHP and Perl do on an exception', 'new-error', client('await create(); process.exit(255);'), false, '60'],
    [
      'a signal',
      'new-error',
      client(`await create(); process.kill(process.pid, 'SIGTERM'); await get('/');`),
      true,
      '60',
    ],
    ['its end, as it takes too long', 'outage', HANGS, true, '2'],
  ])('takes an end with %s for a crash or for a failure', async (_, only, command, crashed, seconds) => {
    const { stdout } = await drill(only, command, '--json', '--timeout', seconds);
    expect(JSON.parse(stdout).drills[0].outcome).toMatchObject({ success: false, crashed });
  });

  it('runs against a server of its own with --start', async () => {
    const ran = await runProgram(['drill', '--start', '--group', 'compatibility', ...GIVES_UP]);
    const stdout = expect.stringMatching(
      /^(?:✓ [\w-]+ +passes.*\n){5}✓ drills passed, but with warnings\n {2}\d+ requests?.*, compatibility 5 of 5, 2 warnings\n$/,
    );
    expect(ran).toMatchObject({ code: 0, stdout });
  });

  it('is incomplete, and ends with 1, where the client never met what goes wrong; shows what it printed', async () => {
    const { code, stdout, stderr } = await drill('outage', client(`console.log('nothing to do');`));
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /^\? drills incomplete: your command sent nothing to http:\S+: does it read\s+SANDBOX_URL\?\n {2}\d+ requests?.*, retries 0 of 1\n$/,
      ),
    ]);
    expect(stderr).toContain('? outage: the client never met what goes wrong');
    expect(stderr).toContain('    | nothing to do');
  });

  it('takes known failures from a list, and fails one that passes', async () => {
    const folder = await newFolder({
      'known.txt': '# mended in the next release\n\n✗ lost-create: 2 pets have the name\r\n',
      'wrong.txt': 'flaky\nlost-crate\n',
    });
    const list = ['--known-failures', join(folder, 'known.txt')];
    expect(await drill('lost-create', CREATES_AGAIN, ...list)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^✓ drills passed \(\d+ requests?.*, writes 0 of 1\)\n$/),
    });
    expect(await drill('lost-create', GIVES_UP, ...list)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('✗ lost-create: passes, but is listed as a known failure'),
    });
    expect(await drill('outage', GIVES_UP, '--known-failures', join(folder, 'wrong.txt'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/wrong\.txt, line 2: .*did you mean lost-create\?/),
    });
  });

  it('gives the client its task, and not the admin token', async () => {
    const shows = client(`
      const { SANDBOX_DRILL, SANDBOX_TIMES, SANDBOX_ADMIN_TOKEN } = process.env;
      console.log([SANDBOX_DRILL, task, SANDBOX_TIMES, SANDBOX_ADMIN_TOKEN].join());`);
    const args = ['drill', '--url', server.url, '--only', 'flaky', ...shows];
    const { stderr } = await runInProcess(args, { SANDBOX_ADMIN_TOKEN: server.adminToken });
    expect(stderr).toContain('| flaky,list,8,\n');
  });

  it('ends the client and the sandboxes when it is told to end, and passes no drill that it cut short', async () => {
    const running = startProgram(['drill', '--url', server.url, '--only', 'slow-create', ...client('await create();')]);
    const triggered = () => server.sandboxes.all().next().value?.record.faults[0]?.triggered;
    await expect.poll(triggered, { timeout: limit(20_000) }).toBe(1);
    running.child.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('? drills incomplete: 1 drill did not end (0 requests)\n'),
    ]);
    expect(sandboxes()).toBe(0);
  });

  it.each([
    ['lost-creat', [], 'did you mean lost-create?'],
    ['outage', ['--group', 'writes'], 'leave no drill'],
    ['outage', ['--', '/nowhere/client'], '/nowhere/client cannot be run'],
  ])('ends with 2 for %s with %j, says why, and leaves no sandbox', async (only, flags, words) => {
    expect(await drill(only, GIVES_UP, ...flags)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(sandboxes()).toBe(0);
  });
});
