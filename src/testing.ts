/**
 * For the tests of a client, in any runner: a sandbox for each test, its journal when the test fails, and the assertion
 * that the client kept to the contract. The runner is not known here; `vitest.ts` has fixtures for Vitest.
 */
import { ControlsClient } from './client/client.ts';
import { ClientError } from './client/errors.ts';
import { exchangeLines, printable } from './client/text.ts';
import type { Report } from './report/report.ts';
import { reportLines } from './report/text.ts';

export type { ControlsClient, Report };

/** Where a sandbox server is: what `startSandbox()` returns will do. */
export interface SandboxServer {
  /** Base address of its interface. */
  readonly url: string;
  /** Needed where only the admin may make keys. */
  readonly adminToken?: string | undefined;
}

/** What a test's sandbox shall be. */
export interface TestSandboxOptions {
  /** The fixture that it starts with; the server's own default where it is left out. */
  readonly fixture?: string | undefined;
  readonly label?: string | undefined;
  readonly ttlSeconds?: number | undefined;
}

/** One test's own world. */
export interface TestSandbox {
  /** Base address of the interface, for the client under test. */
  readonly url: string;
  /** The key, for the client under test. */
  readonly key: string;
  readonly id: string;
  /** The controls of this sandbox: `client.ask('POST /clock/advance', { body: { by: 'P30D' } })`. */
  readonly client: ControlsClient;
  /** What the client under test sent and was answered, in words, the oldest first; or why that cannot be told. */
  journal(): Promise<string>;
  /** The contract report so far. */
  report(options?: { strict?: boolean }): Promise<Report>;
  /** Ends the sandbox, with its data and its key; does nothing where they have ended already. */
  end(): Promise<void>;
}

/** The client under test broke the contract, or nobody knows whether it did: `report` says which. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly report: Report;

  constructor(report: Report) {
    super(reportLines(report).map(printable).join('\n'));
    this.report = report;
  }
}

/** A journal in words has at most this many exchanges, the last ones. */
const MAX_SHOWN = 20;

/** Makes a sandbox; whoever makes it ends it. @throws {ClientError} */
export async function openSandbox(server: SandboxServer, options: TestSandboxOptions = {}): Promise<TestSandbox> {
  const { fixture, label, ttlSeconds } = options;
  const anyone = new ControlsClient({ url: server.url, credential: server.adminToken });
  const { key, sandbox } = await anyone.ask('POST /keys', { body: { fixture, label, ttlSeconds } });
  const client = anyone.as(key);
  return {
    url: client.interfaceUrl,
    key,
    id: sandbox,
    client,
    journal: () => journalOf(client),
    report: async ({ strict } = {}) => (await client.ask('GET /report', { query: { strict } })) as unknown as Report,
    end: () => end(client),
  };
}

/**
 * Runs a test with a sandbox of its own, which ends with it. When the test fails, what its client sent and was answered
 * is told first.
 *
 * @param tell where the journal goes; standard error, as a rule
 * @throws what the test throws
 */
export async function withSandbox<Result>(
  server: SandboxServer,
  test: (sandbox: TestSandbox) => Promise<Result> | Result,
  {
    tell = (text) => process.stderr.write(`${text}\n`),
    ...options
  }: TestSandboxOptions & { tell?: (text: string) => unknown } = {},
): Promise<Result> {
  const sandbox = await openSandbox(server, options);
  try {
    return await test(sandbox);
  } catch (error) {
    tell(await sandbox.journal());
    throw error;
  } finally {
    await sandbox.end();
  }
}

/**
 * Asserts that what the client under test sent so far keeps to the document.
 *
 * @param strict whether warnings and the use of deprecated operations break the contract too
 * @throws {ContractError} where it does not, where not all could be judged, or where nothing was sent at all
 */
export async function expectContractKept(
  sandbox: Pick<TestSandbox, 'report'>,
  { strict = false }: { strict?: boolean } = {},
): Promise<void> {
  const report = await sandbox.report({ strict });
  if (report.verdict !== 'pass') throw new ContractError(report);
}

/** A test may have ended its sandbox or its key itself, and a server that is gone took them along. */
async function end(client: ControlsClient): Promise<void> {
  try {
    await client.ask('DELETE /');
  } catch (error) {
    if (!(error instanceof ClientError) || !['unauthorized', 'not_reached'].includes(error.code)) throw error;
  }
}

/** Never in the way of the failure that it is to explain. */
async function journalOf(client: ControlsClient): Promise<string> {
  try {
    return await readJournal(client);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return `petstore sandbox: the journal cannot be read: ${printable(error.message)}`;
  }
}

async function readJournal(client: ControlsClient): Promise<string> {
  const { requests, total } = await client.ask('GET /requests', { query: { limit: MAX_SHOWN } });
  const exchanges = [];
  for (const { id } of requests.toReversed()) {
    exchanges.push(await client.ask('GET /requests/{requestId}', { params: { requestId: id } }));
  }
  const head = total > requests.length ? `the last ${requests.length} of ${total} requests` : `${total} requests`;
  return [`petstore sandbox: ${head}`, ...exchanges.flatMap(exchangeLines)].map(printable).join('\n');
}
