/** The composition root: everything is created here once, and shut down here in reverse order. */
import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import { requestIds } from '../core/ids.ts';
import { Ending } from '../core/shutdown.ts';
import { type Certificate, certificateFor, createTlsServer } from '../http/certificate.ts';
import { Connections } from '../http/connections.ts';
import { listen } from '../http/listening.ts';
import { respondToNodeErrors } from '../http/node-errors.ts';
import { createEndpoints } from './endpoints.ts';
import { connectionsWithin, openFileLimit } from './open-files.ts';
import type { RequestTimeouts, RunningServer, ServerOptions } from './options.ts';
import { openServices, type Services } from './services.ts';

export type { RunningServer, ServerOptions } from './options.ts';

const SWEEP_EVERY_MS = 30_000;
/** For test processes, which close many servers and whose clients have finished sending by then. */
const IDLE_MS = 150;
/** The part of the shutdown time reserved for the steps after the requests: verdicts, data, lock. */
const AFTER_REQUESTS_MS = 1_000;
const HEARTBEAT_MS = 15_000;
const HTTP = {
  requireHostHeader: false,
  keepAliveTimeout: 65_000,
  // A request without a body gets a stream that has already ended (Node 24.12 and later; older versions ignore this
  // option).
  optimizeEmptyRequests: true,
};
const TIMEOUTS: RequestTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
};

/**
 * Builds a server and listens.
 * @throws {SettingsError} if the port is taken or a setting is invalid
 * @throws {FixtureError} {DataFileError} {LockedError} naming the file
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const ending = new Ending();
  try {
    const services = await openServices(options, ending);
    const listening = await serve(services, options, ending);
    endWithoutValidator(services, options, ending);
    return { ...services, ...listening, close: () => ending.end() };
  } catch (error) {
    await ending.end().catch((err) => options.log.error({ err }, 'the server did not end in order'));
    throw error;
  }
}

/** Listens, and periodically sweeps expired sandboxes. */
async function serve(
  services: Services,
  { patience = TIMEOUTS, heartbeatMs = HEARTBEAT_MS, idleMs = IDLE_MS }: ServerOptions,
  ending: Ending,
): Promise<{ url: string; host: string; certificate: Certificate | undefined }> {
  const stopping = new AbortController();
  // Every delayed request adds a listener.
  setMaxListeners(0, stopping.signal);
  const newId = requestIds();
  let url = '';
  const endpoints = { newId, stopping: stopping.signal, listening: () => url, heartbeatMs };
  const certificate = await certificateFor(services.settings, { clock: services.clock, ending });
  const server = await createHttpServer({ ...HTTP, ...patience }, certificate);
  server.maxConnections = connectionsWithin(services.memory.connections, openFileLimit());
  server.once('drop', () => {
    services.log.warn(
      { connections: server.maxConnections },
      'further connections are closed; raise the limit of open files',
    );
  });
  const connections = new Connections(server, createEndpoints(services, endpoints));
  respondToNodeErrors(server, newId);
  const scheme = certificate ? 'https' : 'http';
  const listening = await listen(server, { ...services.settings, scheme });
  url = listening.url;
  const stopSweeping = sweepOften(services);
  ending.add('connections', async (leftMs) => {
    stopping.abort();
    stopSweeping();
    services.events.close();
    await connections.stop({ idleMs, graceMs: leftMs - AFTER_REQUESTS_MS });
  });
  return { ...listening, certificate };
}

/** HTTP/1.1, over TLS if there is a certificate. */
const createHttpServer = (
  options: typeof HTTP & RequestTimeouts,
  certificate?: Certificate,
): Promise<Server> | Server => (certificate ? createTlsServer(options, certificate) : createServer(options));

/** Removes expired sandboxes now and every half minute. Their keys are invalid already, so the start does not wait. */
function sweepOften({ sandboxes, log }: Services): () => void {
  const sweep = async (): Promise<void> => {
    const { failed, error: err } = await sandboxes.sweep();
    if (failed > 0) log.error({ err, failed }, 'the sweep could not end some sandboxes; the next one tries again');
  };
  void sweep();
  const sweeping = setInterval(() => void sweep(), SWEEP_EVERY_MS);
  sweeping.unref();
  return () => clearInterval(sweeping);
}

/** Ends the server when its validator has failed for good. Requests do not wait for a validator that is still starting. */
function endWithoutValidator({ validatorLost, log }: Services, { onFatal }: ServerOptions, ending: Ending): void {
  void validatorLost.then(async (error) => {
    if (ending.hasBegun) return;
    log.error({ err: error }, 'the server stops: no validator checks its traffic');
    await ending.end().catch((err) => log.error({ err }, 'the server did not end in order'));
    onFatal?.(error);
  });
}
