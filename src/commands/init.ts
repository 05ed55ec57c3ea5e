/** `init`: writes what a project needs to use the sandbox: a CI job, a first test and an environment file. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { newKey } from '../api/api-key.ts';
import { makeDirectory } from '../core/make-directory.ts';
import { shippedExamples } from '../core/shipped.ts';
import { printable } from '../core/text.ts';
import { SettingsError } from '../settings/settings.ts';
import type { LocalCall } from './command.ts';
import type { INIT } from './flags.ts';
import { INSTALL_NODE, type Project, projectHere, RUNNERS } from './project.ts';
import { folderWith, type RunnerName, textOf } from './project-files.ts';

type CiName = (typeof INIT.ci.choices)[number];

/** The CI systems, and the file of a job; a second one where the first is the project's own. */
const CI: Readonly<Record<Exclude<CiName, typeof NONE>, readonly string[]>> = {
  github: ['.github/workflows/petstore-sandbox.yml'],
  gitlab: ['.gitlab-ci.yml', '.gitlab/petstore-sandbox.yml'],
};

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
  const found = projectHere(flags.runner === NONE ? undefined : flags.runner);
  const name = flags.runner ?? found?.runner;
  const runner = name === NONE ? undefined : name;
  const ci = flags.ci ?? (existsSync('.gitlab-ci.yml') ? 'gitlab' : 'github');
  const project = projectHere(runner);
  const lacking = runner && RUNNERS[runner].needs;
  const isLacking = lacking !== undefined && !lacking.in.some((file) => lacking.pattern.test(textOf(file)));

  const drafts = await draftsOf(project, isLacking ? undefined : runner, ci);
  for (const draft of drafts) say(await writeNewFile(draft));
  if (ci === 'gitlab' && existsSync('.gitlab/petstore-sandbox.yml'))
    say('', 'Add this line to .gitlab-ci.yml:', '  include: .gitlab/petstore-sandbox.yml');
  if (isLacking) say('', `No first test was written: it needs ${lacking.what}, which ${lacking.in[0]} does not have`);
  const names = Object.keys(RUNNERS).join(', ');
  if (!runner)
    say(
      '',
      `No ${project ? 'first test was' : 'job and no first test were'} written. Name your test runner: --runner ${names}`,
    );
  const root = folderWith('.git') ?? process.cwd();
  if (ci !== NONE && root !== process.cwd())
    say(
      '',
      `${ci === 'github' ? 'GitHub' : 'GitLab'} reads jobs in ${root} only: move the file there, and let it cd here`,
    );
  sayNext(project);
  return undefined;
}

function sayNext(project: Project | undefined): void {
  say('', 'Next:');
  const { program = 'npx petstore-sandbox', add = [], test = 'npm test' } = project ?? {};
  if (add.length > 0) say('  # not published yet: put the file that "npm run package" makes into tools/');
  for (const line of add) say(`  ${line}`);
  say(`  ${program} exec --start -- ${test}`);
  say(`  ${program} ready --start -- ${test}   # before a release`);
}

async function draftsOf(
  project: Project | undefined,
  runner: RunnerName | undefined,
  ci: CiName,
): Promise<readonly NewFile[]> {
  const targets = ci === NONE ? undefined : CI[ci];
  const job = targets &&
    project && {
      file: targets.find((file) => !existsSync(file)) ?? (targets.at(-1) as string),
      what: 'a job that runs your tests in a sandbox',
      text: (ci === 'github' ? gitHubJob : gitLabJob)(await example(`${ci}.yml`), project),
    };
  const row = runner && RUNNERS[runner];
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

/** What the shipped jobs, which are those of a project with npm, say of it. */
const OF_NPM = { install: 'npm ci', exec: 'npx petstore-sandbox exec', test: '-- npm test' };

/** The job with the project's own lines. */
const withLines = (
  job: string,
  { program, install, test }: Project,
  before: string,
  lines: readonly string[] = [],
): string =>
  job
    .replace(
      `${before}${OF_NPM.install}\n`,
      () => `${lines.join('')}${install.map((line) => `${before}${line}\n`).join('')}`,
    )
    .replace(OF_NPM.exec, () => `${program} exec`)
    .replace(OF_NPM.test, () => `-- ${test}`);

function gitHubJob(job: string, project: Project): string {
  const { setup } = project;
  const values = Object.entries(setup?.with ?? {}).map(([name, value]) => `          ${name}: ${value}\n`);
  const lines = setup ? [`      - uses: ${setup.uses}\n        with:\n`, ...values] : [];
  return withLines(job, project, '      - run: ', lines);
}

const gitLabJob = (job: string, project: Project): string =>
  withLines(job, project, '    - ', project.setup && [`    - ${INSTALL_NODE}\n`]).replace(
    'image: node:24',
    () => `image: ${project.image}`,
  );

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

function say(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${printable(line)}\n`);
}
