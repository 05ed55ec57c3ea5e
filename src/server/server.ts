/** A server: listens with all parts, which `wiring.ts` makes, and shuts them down in reverse order. */

import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ApiError } from '../base/api/errors.ts';
import { requestIds } from '../base/ids.ts';
import { RESERVED_FILES, type RequestTimeouts, TIMEOUTS } from '../base/limits.ts';
import { AbortController, clearInterval, setInterval } from '../base/real-globals.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { Shutdown } from '../base/shutdown.ts';
import { FixtureError } from '../sandbox/fixture-file.ts';
import { DataFileError } from '../sandbox/store/data-file.ts';
import { LockedError } from '../sandbox/store/lock.ts';
import { type Certificate, certificateFor, createTlsServer } from './http/certificate.ts';
import { Connections } from './http/connections.ts';
import { listen } from './http/listening.ts';
import { respondToNodeErrors } from './http/node-errors.ts';
import { type PartsOptions, type ServerParts, wire } from './wiring.ts';

const SWEEP_EVERY_MS = 30_000;
/** For test processes, which close many servers and whose clients have finished sending by then. */
const IDLE_MS = 150;
/** The part of the shutdown time reserved for the steps after the requests: verdicts, data, lock. */
const AFTER_REQUESTS_MS = 1_000;
const HTTP = {
  requireHostHeader: false,
  // Heads of up to 16 KiB are served; of those that are a little larger, the key and the target can still be read.
  maxHeaderSize: 64 * 1024,
  // A request without a body gets a stream that has already ended (Node 24.12 and later; older versions ignore this
  // option).
  optimizeEmptyRequests: true,
};

export interface ServerOptions extends PartsOptions {
  /** Overrides the request timeouts, so that tests do not wait half a minute. */
  readonly timeouts?: RequestTimeouts;
  /** Called when the server cannot continue because the validator failed for good. */
  readonly onFatal?: (error: Error) => void;
  /** How long idle connections stay open during shutdown, in milliseconds: their clients may be about to send. */
  readonly idleMs?: number;
}

/** A server that listens. */
export interface RunningServer
  extends Pick<
    ServerParts,
    | 'readyKey'
    | 'adminToken'
    | 'signInCodes'
    | 'sandboxes'
    | 'validator'
    | 'requestLogs'
    | 'unmatched'
    | 'redact'
    | 'store'
    | 'fixtures'
    | 'callLocally'
  > {
  /** `http://127.0.0.1:4020`, without a path. */
  readonly url: string;
  /** The address that it listens on. `0.0.0.0` and `::` mean all addresses; `url` then contains one of them. */
  readonly host: string;
  /** With HTTPS: what it shows its clients. */
  readonly certificate: Certificate | undefined;
  /**
   * Finishes requests in flight, writes pending data, and leaves nothing running, within five seconds. It may be called
   * more than once. It rejects if a part failed to shut down.
   */
  close(): Promise<void>;
}

/**
 * Builds a server and listens.
 * @throws {SettingsError} if the port is taken or a setting is invalid
 * @throws {FixtureError} {DataFileError} {LockedError} naming the file
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const shutdown = new Shutdown();
  const stopping = new AbortController();
  // Every delayed request adds a listener.
  setMaxListeners(0, stopping.signal);
  const newId = requestIds();
  let url = '';
  try {
    const parts = await wire(options, { newId, stopping: stopping.signal, listening: () => url }, shutdown);
    const { settings, clock, log, events } = parts;

    const certificate = await certificateFor(settings, { clock, shutdown });
    const http = { ...HTTP, ...TIMEOUTS, ...options.timeouts };
    const server = certificate ? await createTlsServer(http, certificate) : createServer(http);
    server.maxConnections = connectionsWithin(parts.memory.connections, openFileLimit());
    server.once('drop', () => {
      const message = 'further connections are closed; raise the limit of open files';
      log.warn({ connections: server.maxConnections }, message);
    });
    const connections = new Connections(server, parts.app);
    respondToNodeErrors(server, parts.app);
    server.on('checkExpectation', parts.app.rejectExpectation);
    const listening = await listen(server, { ...settings, scheme: certificate ? 'https' : 'http' });
    url = listening.url;

    const stopSweeping = sweepOften(parts);
    shutdown.add('connections', async (leftMs) => {
      stopping.abort();
      stopSweeping();
      events.close();
      await connections.stop({ idleMs: options.idleMs ?? IDLE_MS, graceMs: leftMs - AFTER_REQUESTS_MS });
    });
    stopWithoutValidator(parts, options, shutdown);
    return { ...parts, ...listening, certificate, close: () => shutdown.run() };
  } catch (error) {
    await shutdown.run().catch((err) => options.log.error({ err }, 'shutdown did not complete cleanly'));
    throw error;
  }
}

/** Removes expired sandboxes now and every half minute. Their keys are invalid already, so the start does not wait. */
function sweepOften({ sandboxes, log }: ServerParts): () => void {
  const sweep = async (): Promise<void> => {
    const { failed, error: err } = await sandboxes.sweep();
    if (failed > 0) log.error({ err, failed }, 'the sweep could not end some sandboxes; the next one tries again');
  };
  void sweep();
  const sweeping = setInterval(() => void sweep(), SWEEP_EVERY_MS);
  sweeping.unref();
  return () => clearInterval(sweeping);
}

/** Stops the server when its validator has failed for good. Requests do not wait for a validator that is still starting. */
function stopWithoutValidator({ validator, log }: ServerParts, { onFatal }: ServerOptions, shutdown: Shutdown): void {
  void validator.lost.then(async (error) => {
    if (shutdown.hasBegun) return;
    log.error({ err: error }, 'the server stops: no validator checks its traffic');
    await shutdown.run().catch((err) => log.error({ err }, 'shutdown did not complete cleanly'));
    onFatal?.(error);
  });
}

/** The limit of open files, which Node raises to the hard one at its start; `undefined` where the system does not tell. */
function openFileLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    // There is no such file outside of Linux.
    return undefined;
  }
}

/** The connections that leave enough files for everything else. @param most those that there is memory for */
const connectionsWithin = (most: number, files: number | undefined): number =>
  files === undefined ? most : Math.min(most, Math.max(Math.floor(files / 4), files - RESERVED_FILES));

/**
 * Whether a start failed by its settings or the files that they name. It's an `ApiError` if there is no room for the
 * sandbox of a preconfigured key.
 */
export const isWrongSetting = (error: unknown): error is Error =>
  error instanceof ApiError ||
  error instanceof SettingsError ||
  error instanceof FixtureError ||
  error instanceof DataFileError ||
  error instanceof LockedError;
