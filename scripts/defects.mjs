/**
 * Seeded defects: breaks a copy of the sources in one place after another, as people do by mistake, and the tests have to
 * fail each time. What they don't catch is listed: write a test for it, or see that nobody could notice.
 *
 *     node scripts/defects.mjs               for 30 minutes, in the modules that hold what is promised
 *     node scripts/defects.mjs 5 src/server/http    for 5 minutes, in these files; SEED=7 chooses the same places again
 */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const MODULES = ['src/sandbox/store', 'src/server/petstore', 'src/verdict/report', 'src/traffic'];
/** Some places make no difference: a bound that is one higher, a cache that is not used, a word in a log. */
const LEAST_CAUGHT = 0.8;
const ENDLESS_MS = 300_000;

const { SyntaxKind: Kind } = ts;
const OPERATORS = new Map([
  [Kind.EqualsEqualsEqualsToken, '!=='],
  [Kind.ExclamationEqualsEqualsToken, '==='],
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
  [Kind.AmpersandAmpersandToken, '||'],
  [Kind.BarBarToken, '&&'],
  [Kind.PlusToken, '-'],
  [Kind.MinusToken, '+'],
]);

/** What to write in place of a node; `undefined` where nothing is broken by it. */
function broken(node, text) {
  if (OPERATORS.has(node.kind) && ts.isBinaryExpression(node.parent)) return OPERATORS.get(node.kind);
  if (node.kind === Kind.TrueKeyword && !ts.isLiteralTypeNode(node.parent)) return 'false';
  if (node.kind === Kind.FalseKeyword && !ts.isLiteralTypeNode(node.parent)) return 'true';
  if (ts.isNumericLiteral(node) && !ts.isLiteralTypeNode(node.parent)) return String(Number(text) + 1);
  // A statement that is left out: a call, an assignment, an early return, an error.
  if (ts.isExpressionStatement(node)) return ';';
  if (ts.isIfStatement(node) && node.elseStatement === undefined) return ';';
  return undefined;
}

/** All places of a file, each with the text that breaks it. */
function placesIn(file) {
  const source = readFileSync(path.join(root, file), 'utf8');
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const places = [];
  const visit = (node) => {
    const [from, to] = [node.getStart(tree), node.getEnd()];
    const after = broken(node, source.slice(from, to));
    if (after !== undefined) {
      const line = tree.getLineAndCharacterOfPosition(from).line + 1;
      const before = source.slice(from, to).replaceAll(/\s+/g, ' ').slice(0, 80);
      const text = source.slice(0, from) + after + source.slice(to);
      places.push({ file, text, what: `${file}:${line}  ${before}  ->  ${after}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return places;
}

let seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
console.log(`SEED=${seed}`);
const random = () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed / 2 ** 32;
};

const [minutes = '30', ...given] = process.argv.slice(2);
const end = performance.now() + Number(minutes) * 60_000;
const paths = given.length > 0 ? given : MODULES;
const inFolder = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(folder, name));
const files = paths
  .flatMap((each) => (each.endsWith('.ts') ? [each] : inFolder(each)))
  .filter((name) => name.endsWith('.ts'))
  .sort();
const all = files.flatMap(placesIn);
if (all.length === 0) throw new Error(`there is nothing to break in ${paths.join(', ')}`);

/** The tests run here: nothing happens to the project itself, however this program ends. */
const copy = mkdtempSync(path.join(tmpdir(), 'petstore-defects-'));
let running;
process.on('exit', () => {
  // With all processes that the tests started.
  if (running?.exitCode === null && running.signalCode === null) process.kill(-running.pid, 'SIGKILL');
  rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
const isCopied = (file) => !['.git', 'node_modules'].includes(path.relative(root, file));
cpSync(root, copy, { recursive: true, filter: isCopied });
symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));

/** Runs tests of `main` until one fails. @returns its title; `undefined` if none did, `null` if the time is over */
async function failureOf(tests) {
  const result = path.join(copy, 'result.json');
  rmSync(result, { force: true });
  const flags = ['--project', 'main', '--bail', '1', '--retry', '1', '--reporter', 'json', '--outputFile', result];
  const args = [path.join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...flags, ...tests];
  running = spawn(process.execPath, args, { cwd: copy, detached: true, stdio: 'ignore' });
  // A defect may be one that never ends.
  const late = setTimeout(
    () => process.kill(-running.pid, 'SIGKILL'),
    Math.min(ENDLESS_MS, Math.max(0, end - performance.now())),
  );
  await new Promise((resolve) => running.on('close', resolve));
  clearTimeout(late);
  if (performance.now() >= end) return null;
  if (!existsSync(result)) return 'the run ended early';
  const { testResults } = JSON.parse(readFileSync(result, 'utf8'));
  const failed = testResults.find(({ status }) => status === 'failed');
  return failed && (failed.assertionResults.find(({ status }) => status === 'failed')?.title ?? failed.name);
}

const sound = new Set();
/** The same with a defect. @throws {Error} where these tests fail without one */
async function caughtBy({ file, text }, tests) {
  if (!sound.has(tests.join())) {
    const title = await failureOf(tests);
    if (title) throw new Error(`a test fails without any defect: ${title}`);
    sound.add(tests.join());
  }
  writeFileSync(path.join(copy, file), text);
  const failure = await failureOf(tests);
  cpSync(path.join(root, file), path.join(copy, file));
  return failure;
}

const missed = [];
let tried = 0;
while (all.length > 0 && performance.now() < end) {
  const [place] = all.splice(Math.floor(random() * all.length), 1);
  // Most are caught by the tests beside them.
  const beside = `${path.dirname(place.file).replace('src/', 'test/').split('/').slice(0, 3).join('/')}/`;
  const near = await caughtBy(place, [beside]);
  const failure = near === undefined ? await caughtBy(place, []) : near;
  if (failure === null) break;
  tried += 1;
  if (failure === undefined) missed.push(place.what);
  console.log(`${place.what}  ${failure === undefined ? 'NOT CAUGHT' : `caught by: ${failure}`}`);
}
const caught = tried - missed.length;
console.log([`${caught} of ${tried} were caught. Not caught:`, ...missed].join('\n  '));
if (tried === 0 || caught / tried < LEAST_CAUGHT) process.exitCode = 1;
