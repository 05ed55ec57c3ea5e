/**
 * For tests of a client, in any runner: a sandbox for each test, its request log when the test fails, and the assertion
 * that the client passed the contract check. This module is independent of the runner; `vitest.ts` has fixtures for Vitest.
 */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDirectory } from './base/files.ts';
import { forCallers } from './base/for-callers.ts';
import { counted, printable } from './base/text.ts';
import { type ControlsClient, endSandbox, makeRevokedKey, waitForValidator } from './client/client.ts';
import { ClientError } from './client/errors.ts';
import { exchangeLines } from './client/exchange-lines.ts';
import type { Schema } from './client/routes.ts';
import type { DrillResult } from './client/run-drill.ts';
import { connectTo } from './client/trusting.ts';
import { type InlineFixture, rejectRounded } from './sandbox/new-fixture.ts';
import { type DrillCall, drillOn, type SandboxServer } from './verdict/drills/drill-on.ts';
import { detailLines } from './verdict/report/formats/text.ts';
import type { Report } from './verdict/report/report.ts';
import { reportResults } from './verdict/report/report-results.ts';
import { summaryInWords } from './verdict/report/results.ts';

export { type DrillCall, DrillError, type SandboxServer } from './verdict/drills/drill-on.ts';
export type { ControlsClient, DrillResult, InlineFixture, Report };

/** Options of a test's sandbox. */
export interface TestSandboxOptions {
  /** Its fixture, by name or as its pets. */
  readonly fixture?: string | InlineFixture | undefined;
  /** Its name in lists and reports. */
  readonly label?: string | undefined;
  /** The lifetime of its key. */
  readonly ttlSeconds?: number | undefined;
}

export interface ReportOptions {
  /** Unexpected rejections, warnings and deprecated operations fail the contract check, too. */
  readonly strict?: boolean | undefined;
  /** Responses to violations that the test sends on purpose: `createPet:400`. */
  readonly expectedInvalid?: readonly string[] | undefined;
}

/** The sandbox of one test. */
export interface TestSandbox {
  /** The sandbox's own address, for the client under test. */
  readonly url: string;
  /** The certificate to trust, in PEM, if the server's is self-signed. */
  readonly ca: string | undefined;
  /** The key, for the client under test. */
  readonly key: string;
  /** The sandbox's id. */
  readonly id: string;
  /** A client of this sandbox's control API: `client.request('POST /clock/advance', { body: { duration: 'P30D' } })`. */
  readonly client: ControlsClient;
  /** Creates a revoked key, with which the client gets a 401. */
  revokedKey(): Promise<string>;
  /** The client's requests as text, oldest first. */
  requestLog(): Promise<string>;
  /** A recording without secrets, which `petstore-sandbox open` shows. */
  recording(): Promise<string>;
  /** The contract report so far. */
  report(options?: ReportOptions): Promise<Report>;
  /** Deletes the sandbox. */
  end(): Promise<void>;
}

/** The client under test failed the contract check, or this could not be determined: `report` contains the details. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly report: Report;

  constructor(report: Report) {
    const results = reportResults(report);
    const lines = detailLines(results, { listed: ['accepted'], full: true });
    super([printable(summaryInWords(results)), ...lines].join('\n'));
    this.report = report;
  }
}

/** A request log as text has at most this many exchanges, the latest ones. */
const MAX_LOGGED_REQUESTS = 20;

/** Creates a sandbox; call its `end()`. @throws {ClientError} */
export const openSandbox = forCallers(
  async (server: SandboxServer, options: TestSandboxOptions = {}): Promise<TestSandbox> => {
    const { label, ttlSeconds } = options;
    // Digits that a number has lost cannot be seen on the server.
    if (typeof options.fixture === 'object') rejectRounded(options.fixture, 'fixture');
    // The client writes integers of either kind.
    const fixture = options.fixture as Schema<'NewKey'>['fixture'];
    const anyone = await connectTo({ url: server.url, ca: server.ca, credential: server.adminToken });
    await (server.ready ?? waitForValidator(anyone));
    const { key, sandbox } = await anyone.request('POST /keys', { body: { fixture, label, ttlSeconds } });
    const client = anyone.as(key).at(sandbox);
    const expected = new Set<string>();
    let isEnded = false;
    return {
      url: client.apiUrl,
      ca: server.ca,
      key,
      id: sandbox,
      client,
      revokedKey: () => makeRevokedKey(client),
      requestLog: () => requestLogOf(client),
      recording: () => client.text('GET /export', { query: { format: 'recording' } }),
      report: async ({ strict, expectedInvalid } = {}) => {
        for (const each of expectedInvalid ?? []) expected.add(each);
        const query = { strict, expectedInvalid: expectedInvalid?.join(','), unmatched: true, finish: true };
        return (await client.request('GET /report', { query })) as unknown as Report;
      },
      end: async () => {
        if (!isEnded) await leaveReport(client, sandbox, [...expected]);
        isEnded = true;
        await endSandbox(client);
      },
    };
  },
);

/**
 * Runs a test with its own sandbox, which is deleted afterward. If the test fails, the requests of its client are
 * printed first.
 * @param print receives the request log; usually writes to standard error
 * @throws what the test throws
 */
export async function withSandbox<Result>(
  server: SandboxServer,
  test: (sandbox: TestSandbox) => Promise<Result> | Result,
  {
    print = (text) => process.stderr.write(`${text}\n`),
    ...options
  }: TestSandboxOptions & { print?: (text: string) => unknown } = {},
): Promise<Result> {
  const sandbox = await openSandbox(server, options);
  try {
    return await test(sandbox);
  } catch (error) {
    print(await sandbox.requestLog());
    throw error;
  } finally {
    await sandbox.end();
  }
}

/**
 * Asserts that the client under test has followed the specification so far. `expectedInvalid`, such as `['createPet:400']`,
 * names violations that the test sends on purpose.
 *
 * @throws {ContractError} if it has not, if not everything could be validated, or if nothing was sent at all
 */
export const expectContractPassed = forCallers(
  async (
    sandbox: Pick<TestSandbox, 'report'>,
    { strict = false, expectedInvalid }: ReportOptions = {},
  ): Promise<void> => {
    const report = await sandbox.report({ strict, expectedInvalid });
    if (report.verdict !== 'pass') throw new ContractError(report);
  },
);

/**
 * Runs the client under test through a drill, in its own sandbox: `await drill('lost-create', ({ url, key, pet }) =>
 * new PetClient(url, key).create(pet))`. The client reports failure by throwing.
 *
 * @param options `server`: the server of the sandbox; by default a temporary server for this drill. `strict`: failed
 *   checks of the level `should` count too
 * @throws {DrillError} if the client did harm, or could not be graded
 */
export const drill = forCallers(
  async (
    id: string,
    client: (call: DrillCall) => unknown,
    { server, strict }: { server?: SandboxServer | undefined; strict?: boolean | undefined } = {},
  ): Promise<DrillResult> => {
    if (server) return drillOn(server, id, client, { strict });
    const { startSandbox } = await import('./index.ts');
    const own = await startSandbox();
    try {
      return await drillOn(own, id, client, { strict });
    } finally {
      await own.close();
    }
  },
);

/**
 * Leaves the report of a sandbox where `petstore-sandbox exec` gathers them, in the directory SANDBOX_REPORTS. What the test
 * declared to be invalid is so in the report. @param expected such as `createPet:400`
 */
async function leaveReport(client: ControlsClient, sandbox: string, expected: readonly string[]): Promise<void> {
  const { SANDBOX_REPORTS: directory } = process.env;
  if (!directory) return;
  const query = { expectedInvalid: expected.join(',') || undefined, unmatched: true, finish: true };
  const text = await client.text('GET /report', { query }).catch((error: unknown) => {
    if (!(error instanceof ClientError)) throw error;
    const { code, message, status } = error;
    return JSON.stringify({ code, message, status });
  });
  try {
    await makeDirectory(resolve(directory));
    await writeFile(join(directory, `${sandbox}.json`), text);
  } catch (cause) {
    throw new Error(
      `the report of a sandbox cannot be written, so its requests would be missing from the verdict: ${(cause as Error).message}. ` +
        'Set SANDBOX_REPORTS, or TMPDIR around `npx petstore-sandbox exec`, to a directory that can be written.',
      { cause },
    );
  }
}

/** Why it cannot be read, instead of an error that would hide the failure of the test. */
async function requestLogOf(client: ControlsClient): Promise<string> {
  try {
    const { requests, total } = await client.request('GET /requests', { query: { limit: MAX_LOGGED_REQUESTS } });
    const exchanges = [];
    for (const { id } of requests.toReversed()) {
      exchanges.push(await client.request('GET /requests/{requestId}', { params: { requestId: id } }));
    }
    const head =
      total > requests.length ? `the last ${requests.length} of ${total} requests` : counted(total, 'request');
    return [`petstore sandbox: ${head}`, ...exchanges.flatMap(exchangeLines)].map(printable).join('\n');
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return `petstore sandbox: the request log cannot be read: ${printable(error.message)}`;
  }
}
