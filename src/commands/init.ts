/** `init`: writes what a project needs to use the sandbox: a CI job, a first test and an environment file. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { newKey } from '../api/api-key.ts';
import { makeDirectory } from '../core/make-directory.ts';
import { shippedExamples } from '../core/shipped.ts';
import { printable } from '../core/text.ts';
import { SettingsError } from '../settings/settings.ts';
import type { LocalCall } from './command.ts';
import { INIT } from './flags.ts';

type RunnerName = (typeof INIT.runner.choices)[number];
type CiName = (typeof INIT.ci.choices)[number];

/** A test runner: how its projects are recognized, and what they get. */
interface Runner {
  /** One of these files is there, or one of these packages is in package.json. */
  readonly files?: readonly string[];
  readonly packages?: readonly string[];
  /** Its first test, below `examples/start`, and where that goes. */
  readonly example: string;
  readonly target: string;
  readonly command: string;
}

/** Found in this order: a project with Vitest has a package.json, too. */
const RUNNERS: Readonly<Record<Exclude<RunnerName, typeof NONE>, Runner>> = {
  vitest: {
    packages: ['vitest'],
    example: 'vitest.test.ts',
    target: 'test/petstore.test.ts',
    command: 'npx vitest run',
  },
  jest: { packages: ['jest'], example: 'jest.test.js', target: 'test/petstore.test.js', command: 'npx jest' },
  playwright: {
    packages: ['@playwright/test'],
    example: 'playwright.spec.ts',
    target: 'tests/petstore.spec.ts',
    command: 'npx playwright test',
  },
  pytest: {
    files: ['pyproject.toml', 'pytest.ini', 'conftest.py', 'setup.py', 'setup.cfg', 'tox.ini', 'requirements.txt'],
    example: 'test_petstore.py',
    target: 'tests/test_petstore.py',
    command: 'python3 -m pytest',
  },
  go: {
    files: ['go.mod'],
    example: 'petstore_test.go',
    target: 'petstore/petstore_test.go',
    command: 'go test ./...',
  },
  maven: {
    files: ['pom.xml'],
    example: 'PetstoreTest.java',
    target: 'src/test/java/PetstoreTest.java',
    command: 'mvn -B test',
  },
  gradle: {
    files: ['build.gradle', 'build.gradle.kts'],
    example: 'PetstoreTest.java',
    target: 'src/test/java/PetstoreTest.java',
    command: './gradlew test',
  },
  node: { files: ['package.json'], example: 'node.test.mjs', target: 'test/petstore.test.mjs', command: 'node --test' },
};

/** The CI systems, and the file of a job; a second one where the first is the project's own. */
const CI: Readonly<Record<Exclude<CiName, typeof NONE>, readonly string[]>> = {
  github: ['.github/workflows/petstore-sandbox.yml'],
  gitlab: ['.gitlab-ci.yml', '.gitlab/petstore-sandbox.yml'],
};

/** The line of a job that runs the tests. */
const IN_JOB = '-- npm test';
const ENVIRONMENT = '.env.sandbox';
const NONE = 'none';

/** A file to write. */
interface NewFile {
  readonly file: string;
  readonly what: string;
  readonly text: string;
}

/** @throws {SettingsError} for a file that cannot be written */
export async function init({ flags }: LocalCall<typeof INIT>): Promise<undefined> {
  const packages = await packagesIn('package.json');
  const found = runnerOf(packages);
  const [runner, ci] = await chosen(flags, found ?? NONE, existsSync('.gitlab-ci.yml') ? 'gitlab' : 'github');
  const row = runner === NONE ? undefined : RUNNERS[runner];
  const command = row?.command ?? 'npm test';

  for (const draft of await draftsOf(row, ci, command)) say(await writeNewFile(draft));
  if (ci === 'gitlab' && existsSync('.gitlab/petstore-sandbox.yml'))
    say('', 'Add this line to .gitlab-ci.yml:', '  include: .gitlab/petstore-sandbox.yml');
  if (!row) say('', `No first test was written. Name your test runner: --runner ${Object.keys(RUNNERS).join(', ')}`);
  say('', 'Next:');
  if (!packages.includes('petstore-sandbox'))
    say('  npm install --save-dev petstore-sandbox   # not published yet: name the file that "npm run package" makes');
  say(`  npx petstore-sandbox exec --start -- ${command}`);
  return undefined;
}

async function draftsOf(row: Runner | undefined, ci: CiName, command: string): Promise<readonly NewFile[]> {
  const targets = ci === NONE ? undefined : CI[ci];
  const job = targets && {
    file: targets.find((file) => !existsSync(file)) ?? (targets.at(-1) as string),
    what: 'a job that runs your tests in a sandbox',
    text: (await example(`${ci}.yml`)).replace(IN_JOB, `-- ${command}`),
  };
  const test = row && { file: row.target, what: 'a first test', text: await example(row.example) };
  const key = newKey();
  const environment = {
    file: ENVIRONMENT,
    what: 'an address and a key',
    text: [
      '# For your client, with a server on this machine that knows the key:',
      `#   npx petstore-sandbox --memory --api-key ${key}`,
      'SANDBOX_URL=http://127.0.0.1:4020/v1',
      `SANDBOX_KEY=${key}`,
      '',
    ].join('\n'),
  };
  return [...(job ? [job] : []), ...(test ? [test] : []), environment];
}

/** Writes a file, unless there is one. @returns what was done @throws {SettingsError} */
async function writeNewFile({ file, what, text }: NewFile): Promise<string> {
  if (existsSync(file)) return `kept  ${file}: it is there already`;
  try {
    await makeDirectory(dirname(resolve(file)));
    await writeFile(file, text, { flag: 'wx' });
    return `wrote ${file}: ${what}`;
  } catch (cause) {
    throw new SettingsError(`${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

const example = (name: string): Promise<string> => readFile(join(shippedExamples, 'start', name), 'utf8');

/** The names of the packages that a package.json depends on; none without one. @throws {SettingsError} for a damaged one */
async function packagesIn(file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  try {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(await readFile(file, 'utf8'));
    return Object.keys({ ...dependencies, ...devDependencies });
  } catch (cause) {
    throw new SettingsError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** The first runner that the project has. */
const runnerOf = (packages: readonly string[]): RunnerName | undefined =>
  (Object.entries(RUNNERS) as [RunnerName, Runner][]).find(
    ([, row]) => row.packages?.some((name) => packages.includes(name)) || row.files?.some((file) => existsSync(file)),
  )?.[0];

/** What the flags say, else what somebody answers, else what was found. */
async function chosen(
  { runner, ci, yes }: LocalCall<typeof INIT>['flags'],
  likelyRunner: RunnerName,
  likelyCi: CiName,
): Promise<readonly [runner: RunnerName, ci: CiName]> {
  const isAsking = !yes && process.stdin.isTTY && process.stdout.isTTY;
  if (!isAsking) return [runner ?? likelyRunner, ci ?? likelyCi];
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return [
      runner ?? (await answered(lines, 'Test runner', INIT.runner.choices, likelyRunner)),
      ci ?? (await answered(lines, 'CI system', INIT.ci.choices, likelyCi)),
    ];
  } catch (cause) {
    throw new SettingsError('nothing was written: a question had no answer; with --yes, none is asked', { cause });
  } finally {
    lines.close();
  }
}

/** Asks until the answer is one of the values. An empty one is the likely value. */
async function answered<Value extends string>(
  lines: ReturnType<typeof createInterface>,
  question: string,
  values: readonly Value[],
  likely: Value,
): Promise<Value> {
  for (;;) {
    const answer = (await lines.question(`${question} (${values.join(', ')}) [${likely}] `)).trim() || likely;
    const value = values.find((each) => each === answer);
    if (value) return value;
  }
}

function say(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${printable(line)}\n`);
}
