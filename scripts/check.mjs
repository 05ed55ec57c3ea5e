/**
 * Runs checks side by side, prints one line for each with its time, and at the end what failed.
 *
 *     node scripts/check.mjs change         what `.ci/run` runs at each change
 *     node scripts/check.mjs all            that, and what takes long and seldom fails
 *     node scripts/check.mjs check slow     some groups; `check` is `npm test`
 *     node scripts/check.mjs src/sandbox/store      what a change of these files needs (`npm run check -- src/sandbox/store`)
 *     node scripts/check.mjs                the quick part of that for the files that differ from HEAD (`npm run test:quick`)
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Scripts of package.json, as `.ci/run` and the jobs of CI group them. `test:suites` has projects of `vitest.config.ts`. */
const GROUPS = {
  check: [['lint:code'], ['lint:layers'], ['lint:spec'], ['lint:generated'], ['types'], ['test:main']],
  slow: [['test:suites', 'slow', 'hostile', 'faults', 'package']],
  browser: [['test:suites', 'browser']],
  servers: [['test:suites', 'crash', 'servers']],
  image: [['test:image']],
};

/** What has to hold before a change goes in. The other groups run on the main branch, and each night. */
const AT_A_CHANGE = ['check', 'slow', 'browser'];

/** What a change below a path needs, beside lint and the tests in the folder of the same name. CONTRIBUTING.md has this table. */
const NEEDS = {
  'src/': ['lint:layers', 'types:quick'],
  'src/cli/': ['lint:generated', 'test:slow'],
  'src/dashboard/': ['types:dashboard', 'test:browser'],
  'src/server/pages/': ['test:slow', 'test:browser'],
  'scripts/pages/': ['test:slow', 'test:browser'],
  'src/server/mcp/': ['test:slow'],
  'src/traffic/files/': ['test:slow'],
  'src/sandbox/store/': ['test:slow', 'test:crash'],
  'examples/servers/': ['test:servers'],
  'src/verdict/': ['test:slow'],
  'test/': ['types:quick'],
  'test/browser/': ['types:browser', 'test:browser'],
  'spec/': ['lint:spec', 'lint:generated', 'test:slow'],
  'docs/': ['lint:generated', 'test:slow'],
  'examples/': ['test:slow'],
  'scripts/': ['lint:generated', 'test:package'],
  'package.json': ['lint:layers', 'types', 'test:package'],
  Dockerfile: ['test:image'],
};

/** Test files for a source file: those with its name, else those of its folder. */
function testsOf(file) {
  if (/^test\/.*\.test\.ts$/.test(file)) return existsSync(path.join(root, file)) ? [file] : [];
  const [, place, name = ''] = /^(?:src|test)\/(.*?)([^/.]*)(?:\.\w+)?$/.exec(file) ?? [];
  if (place === undefined) return [];
  const folder = `test/${place}`;
  if (!existsSync(path.join(root, folder))) return [];
  const named = readdirSync(path.join(root, folder)).filter(
    (test) => name !== '' && test.startsWith(name) && test.endsWith('.test.ts'),
  );
  return named.length > 0 ? named.map((test) => `${folder}${test}`) : [folder];
}

/** The files that differ from HEAD. */
const changedFiles = () =>
  execFileSync('git', ['status', '--porcelain=v1', '--untracked-files=all', '--no-renames'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [line.slice(3)]));

/** @returns {string[][]} scripts of package.json with their arguments */
function stepsFor(files) {
  const needed = Object.entries(NEEDS).flatMap(([prefix, scripts]) =>
    files.some((file) => file.startsWith(prefix) || `${file}/`.startsWith(prefix)) ? scripts : [],
  );
  const tests = [...new Set(files.flatMap(testsOf))];
  const scripts = [...new Set(['lint:code', ...needed])].map((script) => [script]);
  return tests.length === 0 ? scripts : [...scripts, ['test:main', '--', '--passWithNoTests', ...tests]];
}

/** Runs one script. @returns its output, and whether it succeeded */
async function run([script, ...args]) {
  const began = Date.now();
  const child = spawn('npm', ['run', '--silent', script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const patience = setInterval(() => console.log(`… ${script} ${seconds(began)}`), 60_000);
  const status = await new Promise((resolve) => child.on('error', () => resolve(127)).on('close', resolve));
  clearInterval(patience);
  const text = stripVTControlCharacters(output);
  const counts = [...text.matchAll(/^ +Tests +(.*)$/gm)].map(([, tests]) => `, ${tests}`).join('');
  console.log(`${status === 0 ? '✓' : '✗'} ${script} ${seconds(began)}${counts}`);
  return { command: ['npm run', script, ...args].join(' '), output, isOk: status === 0 };
}

const seconds = (began) => `${((Date.now() - began) / 1000).toFixed(1)} s`;

/**
 * All suites of several groups in one run, so that each processor has work until the last of them ends. Their tests wait for
 * programs, browsers and times, so there is one worker more than there are processors.
 */
function inOneRun(steps) {
  const isSuites = ([script]) => script === 'test:suites';
  const projects = steps.filter(isSuites).flatMap(([, ...names]) => names);
  if (projects.length === 0) return steps;
  const flags = projects.flatMap((name) => ['--project', name]);
  const workers = ['--maxWorkers', String(availableParallelism() + 1)];
  return [...steps.filter((step) => !isSuites(step)), ['test:suites', '--', ...workers, ...flags]];
}

/** A suite of Vitest keeps every processor busy, so they run one after another; lint and types run beside them. */
async function runAll(steps) {
  const suites = steps.filter(([script]) => script.startsWith('test:'));
  const others = steps.filter(([script]) => !script.startsWith('test:'));
  const inTurn = async (lane) => {
    const results = [];
    for (const step of lane) results.push(await run(step));
    return results;
  };
  return (await Promise.all([inTurn(others), inTurn(suites)])).flat();
}

const names = process.argv.slice(2);
const groups = names.flatMap((name) => {
  if (name === 'all') return Object.keys(GROUPS);
  if (name === 'change') return AT_A_CHANGE;
  return Object.hasOwn(GROUPS, name) ? [name] : [];
});
const isQuick = names.length === 0;
const files = isQuick ? changedFiles() : names.map((name) => path.relative(root, path.resolve(name)));
const needed = groups.length > 0 ? inOneRun(groups.flatMap((group) => GROUPS[group])) : stepsFor(files);
const isSlow = ([script]) => isQuick && script.startsWith('test:') && script !== 'test:main';
const steps = needed.filter((step) => !isSlow(step));
const began = Date.now();
const results = await runAll(steps);
const failed = results.filter(({ isOk }) => !isOk);
for (const { command, output } of failed) console.log(`\n== failed; run it alone: ${command}\n${output}`);
for (const [script] of needed.filter(isSlow)) console.log(`not run: npm run ${script}`);
console.log(`\nin ${seconds(began)}\n${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
