/** The files for test frameworks of other languages, each in its framework: tests that pass, and three that must fail. */
import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { CLI } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { junit, PYTEST, run } from './support.ts';

interface Framework {
  /** The language of its block in docs/guides/languages.md, and where the test in it is saved. */
  readonly complete: readonly [language: string, file: string];
  /** The file of examples to copy, and where to. */
  readonly example: readonly [file: string, copy: string];
  /** The file of test/examples/frameworks with one test that passes and three that fail, and where to. */
  readonly failing: readonly [file: string, copy: string];
  readonly command: readonly [file: string, ...args: string[]];
  /** How it counts two tests that passed and three that failed. */
  readonly counts: RegExp;
}

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  pytest: {
    complete: ['python', 'test_pets.py'],
    example: ['pytest/conftest.py', 'conftest.py'],
    failing: ['test_failing.py', 'test_failing.py'],
    command: PYTEST,
    counts: /3 failed, 2 passed/,
  },
  'Go testing': {
    complete: ['go', 'pets_test.go'],
    example: ['go/sandbox.go', 'sandbox/sandbox.go'],
    failing: ['failing_test.go', 'failing_test.go'],
    command: ['go', 'test', '-v', './...'],
    counts: /PASS: TestGood.*FAIL: TestContract.*FAIL: TestOwn.*FAIL: TestVerified.*PASS: TestCreatesAPet/s,
  },
  'JUnit 5': {
    complete: ['java', 'PetsTest.java'],
    example: ['junit/PetstoreSandbox.java', 'PetstoreSandbox.java'],
    failing: ['FailingTest.java', 'FailingTest.java'],
    command: junit(),
    counts: /2 tests successful.*3 tests failed/s,
  },
  RSpec: {
    complete: ['ruby', 'spec/pets_spec.rb'],
    example: ['rspec/petstore_sandbox.rb', 'spec/petstore_sandbox.rb'],
    failing: ['failing_spec.rb', 'spec/failing_spec.rb'],
    command: ['rspec'],
    counts: /5 examples, 3 failures/,
  },
};

/** The framework's run in a folder with the copied file, the test that the page shows, and those that fail. */
async function runIn({ complete, example, failing, command }: Framework, env: Record<string, string> = {}) {
  const page = await readFile('docs/guides/languages.md', 'utf8');
  const shown = new RegExp(`\`\`\`${complete[0]}\\n(.*?)\`\`\``, 's').exec(page)?.[1] as string;
  const folder = await newFolder({
    'go.mod': 'module example.org/pets\n\ngo 1.19\n',
    [complete[1]]: shown,
    [example[1]]: await readFile(join('examples', example[0])),
    [failing[1]]: await readFile(join('test/examples/frameworks', failing[0])),
  });
  const [program, ...args] = command;
  const { code, stdout, stderr } = await run(program, args, { folder, env });
  return { folder, code, output: stdout + stderr };
}

it.for(Object.entries(FRAMEWORKS))(
  'one file gives each test of %s a sandbox, that of the page too, and fails it where its client fails the contract check',
  { timeout: limit(120_000) },
  async ([, framework]) => {
    const server = await startTestServer();
    const exec = [process.execPath, CLI, 'exec', '--url', server.url, '--out', 'report.json', '--'] as const;
    const { folder, code, output } = await runIn({ ...framework, command: [...exec, ...framework.command] });

    expect({ code, output }).toEqual({ code: expect.any(Number), output: expect.stringMatching(framework.counts) });
    expect(code).not.toBe(0);
    expect(output).toContain('query/limit');
    expect(output).toContain('expected exactly 2 of such requests, found 1');
    // The requests of all tests, each in a sandbox of its own, in one verdict.
    expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).toMatchObject({
      verdict: 'fail',
      sandbox: '5 reports',
      account: { total: 6, validated: 5, expectedInvalid: 1 },
      counts: { violation: 1, expectedInvalid: 1 },
    });
    // The recordings of the failed tests, which open.
    const recordings = (await readdir(join(folder, 'artifacts'))).sort();
    expect(recordings).toEqual(
      ['contract', 'own', 'verified'].map((name) => expect.stringMatching(new RegExp(name, 'i'))),
    );
    for (const name of recordings) {
      expect(output).toContain(`petstore-sandbox open artifacts/${name}`);
      const recording = await readFile(join(folder, 'artifacts', name), 'utf8');
      expect((await server.client().importRecording(recording)).status).toBe(201);
    }
    // Each test's own sandbox has ended; those of the recordings are there.
    expect(server.sandboxes.size).toBe(recordings.length);
  },
);

it('the file for Go starts a server where none is named, and ends it', { timeout: limit(120_000) }, async () => {
  // The program by its name, which also tells its process id.
  const script = `#!/bin/sh\necho $$ > "$(dirname "$0")/pid"\nexec ${process.execPath} ${CLI} "$@"\n`;
  const program = await newFolder({ 'petstore-sandbox': script });
  await chmod(join(program, 'petstore-sandbox'), 0o755);
  const PATH = `${program}:${process.env['PATH']}`;
  const framework = FRAMEWORKS['Go testing'] as Framework;
  expect((await runIn(framework, { PATH })).output).toMatch(framework.counts);
  const pid = Number(await readFile(join(program, 'pid'), 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
