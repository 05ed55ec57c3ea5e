/**
 * Seeded defects: checks that the tests catch mistakes like those that people make. Each row changes one place of the
 * sources in a copy of the project, and the tests that it names have to fail.
 *
 *     node scripts/defects.mjs              all rows
 *     node scripts/defects.mjs 7 src/store  some rows, by number or by the beginning of their file
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `find` occurs once in `file`. `tests`: a project of `vitest.config.ts`, and the files that catch the defect. */
const defects = [
  {
    file: 'src/petstore/parameters.ts',
    find: 'value <= maximum',
    replace: 'value < maximum',
    tests: ['main', 'test/petstore/limits.test.ts', 'test/petstore/agreement.test.ts'],
  },
  {
    file: 'src/http/request-head.ts',
    find: 'if (one[at] !== other[at]) return false;',
    replace: '',
    tests: ['main', 'test/petstore/authenticate.test.ts'],
  },
  {
    file: 'src/petstore/serve.ts',
    find: 'sandbox.now() >= removedAt',
    replace: 'sandbox.now() > removedAt',
    tests: ['main', 'test/control/clock.test.ts'],
  },
  {
    file: 'src/petstore/inject.ts',
    find: "if (status === 405) headers.push('Allow', allow);",
    replace: '',
    tests: ['main', 'test/petstore/faults.test.ts'],
  },
  {
    file: 'src/petstore/cors.ts',
    find: ', Sunset, Retry-After',
    replace: ', Sunset',
    tests: ['main', 'test/petstore/cors.test.ts'],
  },
  {
    file: 'src/petstore/operations/getPet.ts',
    find: "'/v1/pets', advice",
    replace: "'/v1/pet', advice",
    tests: ['main', 'test/petstore/authenticate.test.ts'],
  },
  {
    file: 'src/http/guard.ts',
    find: "if (headers['sec-fetch-site'] === 'cross-site') return true;",
    replace: '',
    tests: ['main', 'test/control/guard.test.ts'],
  },
  {
    file: 'src/http/well-formed.ts',
    find: 'times === 1 && !isHost',
    replace: 'times > 1 && !isHost',
    tests: ['main', 'test/http/broken-requests.test.ts'],
  },
  {
    file: 'src/http/body.ts',
    find: 'if (Number(declared) > maxBytes)',
    replace: 'if (Number(declared) >= maxBytes)',
    tests: ['main', 'test/http/body.test.ts'],
  },
  {
    file: 'src/http/compress.ts',
    find: '.filter((each) => !rejected.test(each))',
    replace: '',
    tests: ['main', 'test/dashboard/static.test.ts'],
  },
  {
    file: 'src/http/connection.ts',
    find: 'response.headersSent || response.req.complete',
    replace: 'response.headersSent',
    tests: ['main', 'test/http/broken-requests.test.ts'],
  },
  {
    file: 'src/http/response.ts',
    find: 'errorBody(code, redact(message), status)',
    replace: 'errorBody(code, message, status)',
    tests: ['hostile', 'test/hostile/secrets.test.ts'],
  },
  {
    file: 'src/core/int64.ts',
    find: 'const MAX_DIGITS = 20',
    replace: 'const MAX_DIGITS = 19',
    tests: ['main', 'test/core/json-reader.test.ts'],
  },
  {
    file: 'src/core/json-reader.ts',
    find: '!isSameValue(object[name], value)',
    replace: 'object[name] !== value',
    tests: ['main', 'test/core/json-reader.test.ts'],
  },
  {
    file: 'src/core/memory.ts',
    find: 'constrained > 0 && constrained < total',
    replace: 'constrained > 0',
    tests: ['main', 'test/core/memory-limit.test.ts'],
  },
  {
    file: 'src/core/fair-budget.ts',
    find: 'this.#lines.delete(owner);\n      if (line.length > 0) this.#lines.set(owner, line);',
    replace: 'if (line.length === 0) this.#lines.delete(owner);',
    tests: ['main', 'test/core/fair-budget.test.ts'],
  },
  {
    file: 'src/store/journal.ts',
    find: 'if (lines.length > 0) this.file?.append(lines);',
    replace: 'this.#state = state;\n      if (lines.length > 0) this.file?.append(lines);',
    tests: ['main', 'test/store/full-disk.test.ts'],
  },
  {
    file: 'src/store/journal-file.ts',
    find: 'truncateSync(this.path, this.#bytes);',
    replace: '',
    tests: ['slow', 'test/store/files.test.ts'],
  },
  {
    file: 'src/store/files.ts',
    find: 'await owned.release();',
    replace: '',
    tests: ['slow', 'test/store/files.test.ts'],
  },
  {
    file: 'src/store/state.ts',
    find: 'const next = { ...record, clock, faults, drill: null };',
    replace: 'const next = { ...record, faults, drill: null };',
    tests: ['main', 'test/control/snapshots.test.ts'],
  },
  {
    file: 'src/store/state.ts',
    find: 'own: own.fork()',
    replace: 'own',
    tests: ['main', 'test/store/memory.test.ts'],
  },
  {
    file: 'src/store/bounds.ts',
    find: 'this.pets + after.pets - before.pets > maxBytes',
    replace: 'this.pets + after.pets - before.pets >= maxBytes',
    tests: ['main', 'test/store/memory.test.ts'],
  },
  {
    file: 'src/store/lists.ts',
    find: 'JSON.stringify(query)',
    replace: 'String(query.limit)',
    tests: ['main', 'test/store/memory.test.ts'],
  },
  {
    file: 'src/sandbox/sandbox.ts',
    find: 'expiresAt !== null && expiresAt <= now',
    replace: 'expiresAt !== null && expiresAt < now',
    tests: ['main', 'test/control/keys.test.ts', 'test/sandbox/sandboxes.test.ts'],
  },
  {
    file: 'src/sandbox/fault-turns.ts',
    find: '(seen - from) % pattern.length',
    replace: '(seen - 1) % pattern.length',
    tests: ['main', 'test/control/fault-turns.test.ts'],
  },
  {
    file: 'src/sandbox/fault-turns.ts',
    find: 'Math.ceil((window.startedAt',
    replace: 'Math.floor((window.startedAt',
    tests: ['main', 'test/control/fault-turns.test.ts'],
  },
  {
    file: 'src/sandbox/key-records.ts',
    find: 'Math.min(own, latest)',
    replace: 'own',
    tests: ['main', 'test/control/keys.test.ts'],
  },
  {
    file: 'src/sandbox/sandboxes.ts',
    find: 'record.preconfigured ? record.keys.slice(1) : record.keys',
    replace: 'record.keys',
    tests: ['main', 'test/sandbox/sandboxes.test.ts'],
  },
  {
    file: 'src/requests/request-log.ts',
    find: 'this.#dropped = 0;',
    replace: '',
    tests: ['main', 'test/control/requests.test.ts'],
  },
  {
    file: 'src/requests/comparison.ts',
    find: ' && expected.length === actual.length',
    replace: '',
    tests: ['main', 'test/control/verify.test.ts'],
  },
  {
    file: 'src/requests/unmatched-requests.ts',
    find: "return isOfApi ? 'preflight' : undefined;",
    replace: 'return undefined;',
    tests: ['main', 'test/control/unmatched.test.ts'],
  },
  {
    file: 'src/requests/rounding.ts',
    find: 'exactly.isKept = true;',
    replace: '',
    tests: ['main', 'test/requests/tallies.test.ts'],
  },
  {
    file: 'src/requests/search.ts',
    find: '?? requestLog.first',
    replace: '?? requestLog.next',
    tests: ['main', 'test/control/pages.test.ts'],
  },
  {
    file: 'src/validator/known-verdicts.ts',
    find: 'one.authorization === other.authorization &&',
    replace: '',
    tests: ['main', 'test/validator/validator.test.ts'],
  },
  {
    file: 'src/validator/agreement.ts',
    find: '/^bearer\\s+\\S/i',
    replace: '/^Bearer\\s+\\S/',
    tests: ['main', 'test/validator/agreement.test.ts'],
  },
  {
    file: 'src/validator/agreement.ts',
    find: ' && disconnectedAt === undefined',
    replace: '',
    tests: ['main', 'test/control/exchange-life.test.ts'],
  },
  {
    file: 'src/core/fair-budget.ts',
    find: 'else this.#shares.delete(owner);',
    replace: '',
    tests: ['main', 'test/core/fair-budget.test.ts'],
  },
  {
    file: 'src/validator/warnings.ts',
    find: 'described.find((each) => each.name === name)',
    replace: 'described.find((each) => each.name === name.toLowerCase())',
    tests: ['main', 'test/validator/warnings.test.ts'],
  },
  {
    file: 'src/control/router.ts',
    find: 'if (named !== undefined && !caller.admin) throw forbidden(req);',
    replace: '',
    tests: ['main', 'test/control/sandbox.test.ts'],
  },
  {
    file: 'src/control/sandbox.ts',
    find: 'id > after',
    replace: 'id >= after',
    tests: ['main', 'test/control/operators.test.ts'],
  },
  {
    file: 'src/control/events.ts',
    find: 'this.#requestLog.first - 1) + 1',
    replace: 'this.#requestLog.first)',
    tests: ['main', 'test/control/events.test.ts'],
  },
  {
    file: 'src/control/faults.ts',
    find: "rejectSecret(call.req, 'body/query', request.query, redact);",
    replace: '',
    tests: ['main', 'test/control/strict.test.ts'],
  },
  {
    file: 'src/control/parse.ts',
    find: 'rejectUnknownParameters(pairs, described, problems);',
    replace: '',
    tests: ['main', 'test/control/strict.test.ts'],
  },
  {
    file: 'src/report/report.ts',
    find: "...some(skipped, 'HEAD request was not validated', 'HEAD requests were not validated'),",
    replace: '',
    tests: ['main', 'test/report/verdict.test.ts'],
  },
  {
    file: 'src/report/report.ts',
    find: '(expectedInvalid.get(operation) ?? new Set()).add(',
    replace: 'new Set().add(',
    tests: ['main', 'test/report/expected-invalid.test.ts'],
  },
  {
    file: 'src/report/behavior.ts',
    find: 'if ((effect.created[0] as bigint) <= (first.changes.created[0] as bigint)) return false;',
    replace: '',
    tests: ['main', 'test/report/behavior.test.ts'],
  },
  {
    file: 'src/report/formats/junit.ts',
    find: "'@skipped': count('skipped')",
    replace: "'@skipped': count('error')",
    tests: ['main', 'test/report/formats.test.ts'],
  },
  {
    file: 'src/report/formats/html.ts',
    find: 'printable(text).replace(/[&<>"\']/g',
    replace: "printable(text).replace(/[&<>']/g",
    tests: ['main', 'test/report/formats.test.ts'],
  },
  {
    file: 'src/drills/result-check.ts',
    find: 'absent.length === 0 ? null',
    replace: 'absent.length < pets.length ? null',
    tests: ['main', 'test/drills/checks.test.ts'],
  },
  {
    file: 'src/drills/grade.ts',
    find: "(level === 'must' || strict)",
    replace: "level === 'must'",
    tests: ['main', 'test/control/drills.test.ts'],
  },
  {
    file: 'src/drills/grade.ts',
    find: "if (main?.status === 'skipped')",
    replace: 'if (!main)',
    tests: ['main', 'test/drills/checks.test.ts'],
  },
  {
    file: 'src/drills/retry-checks.ts',
    find: 'Math.min(waits.longest - waits.shortest, arrivals.longest - arrivals.shortest)',
    replace: 'waits.longest - waits.shortest',
    tests: ['main', 'test/drills/checks.test.ts'],
  },
  {
    file: 'src/drills/attempts.ts',
    find: 'const [earliest] = retries.toSorted((a, b) => gapBetween(...a) - gapBetween(...b));',
    replace: 'const [earliest] = retries;',
    tests: ['main', 'test/drills/checks.test.ts'],
  },
  {
    file: 'src/drills/runs.ts',
    find: 'if (drillOf(drill).clockAt !== undefined) await sandbox.clock.reset();',
    replace: '',
    tests: ['main', 'test/control/drills.test.ts'],
  },
  {
    file: 'src/recording/read.ts',
    find: 'if (own.has(id))',
    replace: 'if (own.length < 0)',
    tests: ['slow', 'test/recording/import.test.ts'],
  },
  {
    file: 'src/recording/replay.ts',
    find: "verdict === 'same' && counts.same === 0 ? 'incomplete' : verdict",
    replace: 'verdict',
    tests: ['slow', 'test/recording/replay.test.ts'],
  },
  {
    file: 'src/recording/write.ts',
    find: ' && redact(line) === line',
    replace: '',
    tests: ['main', 'test/recording/export.test.ts'],
  },
  {
    file: 'src/conform/inspection.ts',
    find: '...wrongMethods(response),',
    replace: '',
    tests: ['slow', 'test/conform/wrong-servers.test.ts'],
  },
  {
    file: 'src/conform/conform.ts',
    find: 'runs.every(({ cutShort }) => !cutShort)',
    replace: 'runs.some(({ cutShort }) => !cutShort)',
    tests: ['slow', 'test/conform/conform.test.ts'],
  },
  {
    file: 'src/conform/http-probe.ts',
    find: 'this.#lost = 0;',
    replace: '',
    tests: ['slow', 'test/conform/conform.test.ts'],
  },
  {
    file: 'src/conform/checks/lists.ts',
    find: 'id < (ids[at - 1] as bigint)',
    replace: 'id > (ids[at - 1] as bigint)',
    tests: ['slow', 'test/conform/conform.test.ts'],
  },
  {
    file: 'src/core/text.ts',
    find: '\\u2066-\\u2069',
    replace: '',
    tests: ['main', 'test/report/formats.test.ts'],
  },
  {
    file: 'src/testing.ts',
    find: "report.verdict !== 'pass'",
    replace: "report.verdict === 'fail'",
    tests: ['main', 'test/testing/testing.test.ts'],
  },
  {
    file: 'src/testing/drill.ts',
    find: "if (result.verdict !== 'pass')",
    replace: "if (result.verdict === 'incomplete')",
    tests: ['main', 'test/testing/drill.test.ts'],
  },
  {
    file: 'src/mcp/schemas.ts',
    find: "format === 'int64' ?",
    replace: "format === 'int32' ?",
    tests: ['main', 'test/mcp/tools.test.ts'],
  },
  {
    file: 'src/commands/exec.ts',
    find: 'code === EXIT.done ? verdict : code',
    replace: 'verdict',
    tests: ['slow', 'test/commands/exec.test.ts'],
  },
  {
    file: 'src/commands/exec.ts',
    find: '{ SANDBOX_ADMIN_TOKEN: _, ...environment }: NodeJS.ProcessEnv,',
    replace: 'environment: NodeJS.ProcessEnv,',
    tests: ['slow', 'test/commands/exec.test.ts'],
  },
  {
    file: 'src/commands/wait.ts',
    find: 'response.statusCode === 200 && isHealthy(text)',
    replace: 'response.statusCode === 200',
    tests: ['main', 'test/commands/wait.test.ts'],
  },
  {
    file: 'src/commands/signals.ts',
    find: "['SIGTERM', 'SIGINT']",
    replace: "['SIGTERM']",
    tests: ['slow', 'test/commands/serve.test.ts'],
  },
  {
    file: 'src/settings/config.ts',
    find: '[...levels, ...(image ? [IMAGE_DEFAULTS] : [])]',
    replace: '[...(image ? [IMAGE_DEFAULTS] : []), ...levels]',
    tests: ['main', 'test/settings/config.test.ts'],
  },
  {
    file: 'src/server/app.ts',
    find: 'res.shouldKeepAlive = false;\n    await claim(req);',
    replace: 'await claim(req);',
    tests: ['main', 'test/http/broken-requests.test.ts'],
  },
  {
    file: 'src/dashboard/static.ts',
    find: "'Vary', 'Accept-Encoding'",
    replace: "'Vary', 'Accept'",
    tests: ['main', 'test/dashboard/static.test.ts'],
  },
  {
    file: 'src/dashboard/app/live/kept.ts',
    find: 'fresh.filter(({ respondedAt }) => respondedAt >= kept.countedUntil)',
    replace: 'fresh.filter(({ respondedAt }) => respondedAt > kept.countedUntil)',
    tests: ['main', 'test/dashboard/kept.test.ts'],
  },
  {
    file: 'src/requests/account.ts',
    find: 'account[kind] += count;',
    replace: 'account[kind] = count;',
    tests: ['main', 'test/requests/account.test.ts'],
  },
  {
    file: 'src/requests/account.ts',
    find: "if (!isViolation(exchange)) return { kind: 'notValidated', reason };",
    replace: '',
    tests: ['main', 'test/requests/conservation.test.ts'],
  },
  {
    file: 'src/server/app.ts',
    find: 'for (const raw of behind) void notServed(recorder.beginRaw(raw));',
    replace: '',
    tests: ['main', 'test/requests/conservation.test.ts'],
  },
  {
    file: 'src/report/report.ts',
    find: '...some(gone.dropped,',
    replace: '...some(0,',
    tests: ['main', 'test/requests/conservation.test.ts'],
  },
  {
    file: 'src/recording/har-report.ts',
    find: "report.verdict === 'pass' && why.length > 0 ? 'incomplete' : report.verdict",
    replace: 'report.verdict',
    tests: ['main', 'test/recording/har-report.test.ts'],
  },
  {
    file: 'src/recording/har-exchange.ts',
    find: 'REDACTED.test(authorization) && !/^(?:bearer|basic|digest)\\s/i.test(authorization)',
    replace: 'false',
    tests: ['main', 'test/recording/har-variants.test.ts'],
  },
  {
    file: 'src/recording/har-bases.ts',
    find: '.filter((each) => address === each ||',
    replace: '.filter((each) => address.startsWith(each) ||',
    tests: ['main', 'test/recording/har-stages.test.ts'],
  },
  {
    file: 'src/validator/draft-text.ts',
    find: 'countMembers(text, MAX_VALUES);',
    replace: '',
    tests: ['slow', 'test/report/preview-draft.test.ts'],
  },
  {
    file: 'src/petstore/cors.ts',
    find: "['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Credentials', 'true']",
    replace: "['Access-Control-Allow-Origin', '*', 'Access-Control-Allow-Credentials', 'true']",
    tests: ['main', 'test/petstore/cors.test.ts'],
  },
  {
    file: 'src/petstore/parameters.ts',
    find: 'field.required && !problems.some((problem) => problem.location === location)',
    replace: 'false',
    tests: ['slow', 'test/specification/change.test.ts'],
  },
  {
    file: 'src/petstore/list-parameters.ts',
    find: 'page.minimum === 0n ? 0 : 1',
    replace: '0',
    tests: ['slow', 'test/specification/change.test.ts'],
  },
  {
    file: 'src/requests/credentials.ts',
    find: 'if (isInTarget) credentials.addTarget(target);',
    replace: '',
    tests: ['hostile', 'test/hostile/own-credentials.test.ts'],
  },
  {
    file: 'src/http/cpu-queue.ts',
    find: "import { setImmediate, setTimeout } from '../core/real-globals.ts';",
    replace: '',
    tests: ['main', 'test/index.test.ts'],
  },
  {
    file: 'src/sandbox/sign-in-codes.ts',
    find: 'const found = this.#kept.get(hash);\n    this.#kept.delete(hash);',
    replace: 'const found = this.#kept.get(hash);',
    tests: ['main', 'test/control/sign-in.test.ts'],
  },
  {
    file: 'src/sandbox/ready-key.ts',
    find: '{ mode: 0o600 }',
    replace: "'utf8'",
    tests: ['slow', 'test/commands/serve.test.ts'],
  },
  {
    file: 'src/store/pets.ts',
    find: 'covered === chunk.length && chunk.isFull ? chunk',
    replace: 'covered === chunk.length ? chunk',
    tests: ['main', 'test/store/pets.test.ts', 'test/store/memory.test.ts'],
  },
  {
    file: 'src/report/merge.ts',
    find: 'duplicates.push(',
    replace: 'chosen.add(each);\n      duplicates.push(',
    tests: ['main', 'test/report/merge.test.ts'],
  },
  {
    file: 'src/report/merge.ts',
    find: 'const keyOf = ({ sandbox, since }: MergedSource)',
    replace: 'const keyOf = ({ sandbox, createdAt: since }: MergedSource)',
    tests: ['main', 'test/report/merge.test.ts'],
  },
  {
    file: 'src/dashboard/app/live/filters.ts',
    find: '!entry.fromDashboard && includes(entry)',
    replace: 'includes(entry)',
    tests: ['main', 'test/dashboard/filters.test.ts'],
  },
  {
    file: 'src/commands/requests.ts',
    find: 'requests.slice(0, flags.limit)',
    replace: 'requests',
    tests: ['slow', 'test/commands/control-commands.test.ts'],
  },
  {
    file: 'src/commands/init.ts',
    find: 'if (existsSync(file)) return',
    replace: 'if (file === ENVIRONMENT && existsSync(file)) return',
    tests: ['slow', 'test/examples/init.test.ts'],
  },
  {
    file: 'src/commands/proxies.ts',
    find: 'EXCEPTIONS.map((name) => [name, value])',
    replace: "[['NO_PROXY', value]]",
    tests: ['slow', 'test/commands/proxies.test.ts'],
  },
  {
    file: 'src/cli.ts',
    find: "if (error.code === 'EPIPE') return;",
    replace: '',
    tests: ['slow', 'test/commands/pipes.test.ts'],
  },
].map((row, index) => ({ ...row, number: index + 1 }));

/** The source with the defect in it. @throws {Error} if `find` does not occur exactly once */
const spoilt = ({ number, file, find, replace }) => {
  const parts = readFileSync(path.join(root, file), 'utf8').split(find);
  if (parts.length === 2) return parts.join(replace);
  throw new Error(`defect ${number}: ${file} has ${parts.length - 1} times, not once: ${find}`);
};
const texts = new Map(defects.map((row) => [row, spoilt(row)]));

const wanted = process.argv.slice(2);
const isWanted = ({ number, file }) =>
  wanted.length === 0 || wanted.some((each) => each === String(number) || file.startsWith(each));

/** The tests run here: nothing happens to the project itself, however this program ends. */
const copy = mkdtempSync(path.join(tmpdir(), 'petstore-defects-'));
let running;
process.on('exit', () => {
  // With all processes that the tests started.
  if (running?.exitCode === null) process.kill(-running.pid, 'SIGKILL');
  rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
const isCopied = (file) => !['.git', 'dist', 'node_modules'].includes(path.relative(root, file));
cpSync(root, copy, { recursive: true, filter: isCopied });
symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));

/** Runs tests, which build the program first. @returns the title of a test that failed; `undefined` if none did */
const failureOf = async ([project, ...files]) => {
  const result = path.join(copy, 'result.json');
  rmSync(result, { force: true });
  const flags = ['--project', project, '--bail', '1', '--reporter', 'json', '--outputFile', result];
  const args = [path.join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...flags, ...files];
  running = spawn(process.execPath, args, { cwd: copy, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  running.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  await new Promise((resolve) => running.on('close', resolve));
  const { testResults } = JSON.parse(readFileSync(result, 'utf8'));
  if (testResults.length === 0) throw new Error(`no test ran: ${said}`);
  const failed = testResults.find(({ status }) => status === 'failed');
  const title = failed?.assertionResults.find(({ status }) => status === 'failed')?.title;
  return failed && (title ?? path.relative(copy, failed.name));
};

const missed = [];
for (const row of defects.filter(isWanted)) {
  const { number, file, find, replace, tests } = row;
  const began = performance.now();
  writeFileSync(path.join(copy, file), texts.get(row));
  const failure = await failureOf(tests);
  cpSync(path.join(root, file), path.join(copy, file));
  if (failure === undefined) missed.push(number);
  const outcome = failure === undefined ? `NOT CAUGHT: ${find} -> ${replace}` : `caught by: ${failure}`;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${String(number).padStart(3)}  ${seconds.padStart(5)} s  ${file}  ${outcome}`);
}
if (missed.length > 0) {
  console.error(`The tests do not catch: ${missed.join(', ')}`);
  process.exitCode = 1;
}
