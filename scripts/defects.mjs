/**
 * Seeded defects: breaks a copy of the sources in one place after another, as people do by mistake, and the tests have to
 * fail each time. What they don't catch is listed: write a test for it, or see that nobody could notice.
 *
 *     node scripts/defects.mjs                                      for 30 minutes, in the folders that hold what is promised
 *     node scripts/defects.mjs --most 3 --seed 7 src/client    3 defects in this folder, the same ones each time
 *
 * The folders take turns, and each has a figure at the end.
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
import { parseArgs } from 'node:util';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['src/sandbox/store', 'src/server/petstore', 'src/verdict/report', 'src/traffic'];
/** Some places make no difference: a bound that is one higher, a cache that is not used, a word in a log. */
const LEAST_CAUGHT = 0.8;

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

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    most: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
  allowPositionals: true,
});
const end = performance.now() + Number(values.minutes) * 60_000;
let seed = Number(values.seed);
console.log(`--seed ${seed}`);
const random = () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed / 2 ** 32;
};

/** Of each folder, the places that are left, and what became of those that were tried. */
const folders = (positionals.length > 0 ? positionals : FOLDERS).map((folder) => {
  const files = readdirSync(path.join(root, folder), { recursive: true }).filter((name) => name.endsWith('.ts'));
  const places = files.sort().flatMap((name) => placesIn(path.join(folder, name)));
  if (places.length === 0) throw new Error(`there is nothing to break in ${folder}`);
  return { folder, places, tried: 0, missed: [] };
});

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
async function failureOf(tests, limitMs) {
  const result = path.join(copy, 'result.json');
  rmSync(result, { force: true });
  const flags = ['--project', 'main', '--bail', '1', '--retry', '1', '--reporter', 'json', '--outputFile', result];
  const args = [path.join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--passWithNoTests', ...flags, ...tests];
  running = spawn(process.execPath, args, { cwd: copy, detached: true, stdio: 'ignore' });
  const late = setTimeout(() => process.kill(-running.pid, 'SIGKILL'), Math.min(limitMs, end - performance.now()));
  await new Promise((resolve) => running.on('close', resolve));
  clearTimeout(late);
  if (performance.now() >= end) return null;
  if (!existsSync(result)) return 'the run ended early';
  const { testResults } = JSON.parse(readFileSync(result, 'utf8'));
  const failed = testResults.find(({ status }) => status === 'failed');
  return failed && (failed.assertionResults.find(({ status }) => status === 'failed')?.title ?? failed.name);
}

/** How long these tests take without a defect. */
const soundMs = new Map();
/** The same with a defect. @throws {Error} where these tests fail without one */
async function caughtBy({ file, text }, tests) {
  const key = tests.join();
  if (!soundMs.has(key)) {
    const began = performance.now();
    const title = await failureOf(tests, Number.POSITIVE_INFINITY);
    if (title) throw new Error(`a test fails without any defect: ${title}`);
    soundMs.set(key, performance.now() - began);
  }
  writeFileSync(path.join(copy, file), text);
  // A defect may be one that never ends.
  const failure = await failureOf(tests, 60_000 + 3 * soundMs.get(key));
  cpSync(path.join(root, file), path.join(copy, file));
  return failure;
}

/** The folder of tests that is nearest to a file. */
function testsBeside(file) {
  let folder = path.dirname(file).replace('src', 'test');
  while (!existsSync(path.join(root, folder))) folder = path.dirname(folder);
  return `${folder}/`;
}

for (let count = 0; count < Number(values.most) && performance.now() < end; count += 1) {
  const group = folders[count % folders.length];
  const [place] = group.places.splice(Math.floor(random() * group.places.length), 1);
  if (place === undefined) break;
  // Most are caught by the tests beside them.
  const near = await caughtBy(place, [testsBeside(place.file)]);
  const failure = near === undefined ? await caughtBy(place, []) : near;
  if (failure === null) break;
  group.tried += 1;
  if (failure === undefined) group.missed.push(place.what);
  console.log(`${place.what}  ${failure === undefined ? 'NOT CAUGHT' : `caught by: ${failure}`}`);
}
for (const { folder, tried, missed } of folders)
  console.log([`${folder}: ${tried - missed.length} of ${tried} were caught`, ...missed].join('\n  not caught: '));
const isCaught = ({ tried, missed }) => tried > 0 && missed.length <= (1 - LEAST_CAUGHT) * tried;
if (!folders.every(isCaught)) process.exitCode = 1;
