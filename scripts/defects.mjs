/**
 * Seeded defects: breaks a copy of the sources in one place after another, as people do by mistake, and the tests have to
 * fail each time. What they don't catch is listed: write a test for it, or see that nobody could notice.
 *
 *     node scripts/defects.mjs               60 places in the modules that hold what is promised
 *     node scripts/defects.mjs 20 src/http   20 places in these files; SEED=7 chooses the same ones again
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
const MODULES = ['src/store', 'src/petstore', 'src/report', 'src/requests'];
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

let seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
console.log(`SEED=${seed}`);
const random = () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed / 2 ** 32;
};

const [count = '60', ...given] = process.argv.slice(2);
const paths = given.length > 0 ? given : MODULES;
const inFolder = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(folder, name));
const files = paths
  .flatMap((each) => (each.endsWith('.ts') ? [each] : inFolder(each)))
  .filter((name) => name.endsWith('.ts'))
  .sort();
const all = files.flatMap(placesIn);
const chosen = Array.from({ length: Math.min(Number(count), all.length) }, () =>
  all.splice(Math.floor(random() * all.length), 1),
).flat();
if (chosen.length === 0) throw new Error(`there is nothing to break in ${paths.join(', ')}`);

/** The tests run here: nothing happens to the project itself, however this program ends. */
const copy = mkdtempSync(path.join(tmpdir(), 'petstore-defects-'));
let running;
process.on('exit', () => {
  // With all processes that the tests started.
  if (running?.exitCode === null) process.kill(-running.pid, 'SIGKILL');
  rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
const isCopied = (file) => !['.git', 'node_modules'].includes(path.relative(root, file));
cpSync(root, copy, { recursive: true, filter: isCopied });
symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));

/** Runs tests of `main` until one fails. @returns its title; `undefined` if none did */
async function failureOf(...tests) {
  const result = path.join(copy, 'result.json');
  rmSync(result, { force: true });
  const flags = ['--project', 'main', '--bail', '1', '--reporter', 'json', '--outputFile', result];
  const args = [path.join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...flags, ...tests];
  running = spawn(process.execPath, args, { cwd: copy, detached: true, stdio: 'ignore' });
  // A defect may be one that never ends.
  const late = setTimeout(() => process.kill(-running.pid, 'SIGKILL'), 600_000);
  await new Promise((resolve) => running.on('close', resolve));
  clearTimeout(late);
  if (!existsSync(result)) return 'the run ended early';
  const { testResults } = JSON.parse(readFileSync(result, 'utf8'));
  const failed = testResults.find(({ status }) => status === 'failed');
  return failed && (failed.assertionResults.find(({ status }) => status === 'failed')?.title ?? failed.name);
}

const title = await failureOf();
if (title !== undefined) throw new Error(`a test fails without any defect: ${title}`);
const missed = [];
for (const { file, text, what } of chosen) {
  const began = performance.now();
  writeFileSync(path.join(copy, file), text);
  // Most are caught by the tests beside them.
  const beside = path.dirname(file).replace('src/', 'test/').split('/').slice(0, 2).join('/');
  const failure = (await failureOf(`${beside}/`)) ?? (await failureOf());
  cpSync(path.join(root, file), path.join(copy, file));
  if (failure === undefined) missed.push(what);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${seconds.padStart(6)} s  ${what}  ${failure === undefined ? 'NOT CAUGHT' : `caught by: ${failure}`}`);
}
const caught = chosen.length - missed.length;
console.log([`${caught} of ${chosen.length} were caught. Not caught:`, ...missed].join('\n  '));
if (caught / chosen.length < LEAST_CAUGHT) process.exitCode = 1;
