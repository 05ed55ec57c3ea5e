/** Servers for tests: in memory, on a free port, watched and closed by `servers.ts`. */
import { type Exchange, isToBeValidated } from '../../src/base/api/exchange.ts';
import type { Clock } from '../../src/base/clock.ts';
import { type Level, resolveSettings } from '../../src/base/settings/config.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/server.ts';
import { builtValidator } from '../../src/verdict/validator/validator.ts';
import { Client } from './client.ts';
import './compile-once.ts';
import { KeptLog, type LogLine } from './log.ts';
import { servers } from './servers.ts';
import { shareWorker } from './shared-worker.ts';
import { limit } from './slow.ts';

export interface TestServerOptions
  extends Partial<
    Pick<ServerOptions, 'readyKey' | 'timeouts' | 'heartbeatMs' | 'idleMs' | 'readingMs' | 'threadMs' | 'memory'>
  > {
  /** Settings that differ from: any free port, memory. */
  readonly settings?: Level;
  readonly clock?: Clock;
}

const worker = shareWorker(builtValidator());

/** What a thread may take on this machine. One that takes longer is ended, and would be for all servers. */
const threadMs = { verdict: limit(10_000), draft: limit(5_000), har: limit(20_000) };

export interface TestServer extends RunningServer {
  /** All that it logged so far. */
  readonly lines: readonly LogLine[];
  /** A client without a key, or with this one. */
  client(key?: string): Client;
  /** A new sandbox, and a client that holds its key. */
  sandbox(request?: { fixture?: string; ttlSeconds?: number; label?: string }): Promise<Client>;
  /**
   * Ends it once all is validated. `close()` alone waits 4.5 s, and on a loaded machine its validator may start later than that.
   */
  end(): Promise<void>;
  /** Announces errors in its log by their message; the validator logs whatever it counts against the service. */
  expectTrouble(pattern: RegExp): void;
}

/** Starts a server that needs no closing. */
export const startTestServer = (options: TestServerOptions = {}): Promise<TestServer> => startOne(options);

let shared: Promise<TestServer> | undefined;

/**
 * The server of all test files that need no more than sandboxes of their own, which end with the file. A file that closes its
 * server, configures it, or counts all that is on it (unmatched requests, metrics, log lines) starts its own.
 */
export function sharedServer(): Promise<TestServer> {
  shared ??= startOne({}, { isShared: true });
  return shared;
}

async function startOne(
  { settings = {}, ...options }: TestServerOptions,
  { isShared = false } = {},
): Promise<TestServer> {
  const log = new KeptLog();
  const controls: Exchange[] = [];
  const running = await startServer({
    worker,
    threadMs,
    // The clients of a test that is over send nothing more.
    idleMs: 0,
    ...options,
    onFinished: (exchange) => {
      if (exchange.specification === 'control' && isToBeValidated({ ...exchange, specification: 'petstore' }))
        controls.push(exchange);
    },
    log,
    settings: resolveSettings([{ port: 0, ...(settings.data === undefined && { memory: true }), ...settings }]),
  });
  servers.add(running, log, { isShared, controls });
  return {
    ...running,
    lines: log.lines,
    client: (key) => new Client(running.url, key),
    sandbox: async (request = {}) => new Client(running.url, (await running.sandboxes.create(request)).secret),
    end: async () => {
      await running.validator.whenValidated();
      await running.close();
    },
    expectTrouble: (pattern) => log.expect(pattern),
  };
}
