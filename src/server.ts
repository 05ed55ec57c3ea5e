/** The composition root: everything is built here, once, and ended here in the reverse order. */
import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import { createApp } from './app.ts';
import { type Clock, realClock, stopwatch } from './clock.ts';
import { type Settings, SettingsError } from './config.ts';
import { clockControls } from './controls/clock.ts';
import { documentControls } from './controls/documents.ts';
import { eventControls } from './controls/events.ts';
import { faultControls } from './controls/faults.ts';
import { fixtureControls } from './controls/fixtures.ts';
import { healthControls } from './controls/health.ts';
import { keyControls } from './controls/keys.ts';
import { metricsControls } from './controls/metrics.ts';
import { petControls } from './controls/pets.ts';
import { reportControls } from './controls/report.ts';
import { RequestFigures } from './controls/request-figures.ts';
import { requestControls } from './controls/requests.ts';
import { controlsRouter } from './controls/router.ts';
import { sandboxControls } from './controls/sandbox.ts';
import { sandboxesControls } from './controls/sandboxes.ts';
import { snapshotControls } from './controls/snapshots.ts';
import { dashboard } from './dashboard/static.ts';
import { Ending } from './ending.ts';
import { type Exchange, isRefereed } from './exchange.ts';
import { addressFor } from './http/address.ts';
import { Connections } from './http/connections.ts';
import { HeavyLane } from './http/heavy-lane.ts';
import { InFlight } from './http/in-flight.ts';
import { isLoopbackAddress, listen } from './http/listening.ts';
import { answerNodeErrors } from './http/node-errors.ts';
import { newSecret, requestIds } from './ids.ts';
import { withoutCredential } from './judge/credential.ts';
import { createJudge, type Judge } from './judge/judge.ts';
import type { Log } from './log.ts';
import { type MemoryPlan, planForProcess } from './memory-plan.ts';
import { clearedEvent, Events } from './sandbox/events.ts';
import { type Fixtures, openFixtures } from './sandbox/fixtures.ts';
import { Journals } from './sandbox/journals.ts';
import { newKey } from './sandbox/keys.ts';
import { readyKeyOf } from './sandbox/ready-key.ts';
import { createRedact, type Redact, redactingLog } from './sandbox/redact.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { SandboxClocks } from './sandbox/sandbox-clocks.ts';
import { Sandboxes } from './sandbox/sandboxes.ts';
import { shippedDashboard, shippedDocuments, shippedFixtures, version } from './shipped.ts';
import { openJsonFileStore } from './store/json-files.ts';
import { KeptStore } from './store/kept-store.ts';
import type { Store } from './store/store.ts';
import type { Notice } from './store/tidy.ts';

const SWEEP_EVERY_MS = 30_000;
/** In a process of tests, which closes many servers, and whose clients have sent all they want by then. */
const IDLE_MS = 150;
/** What is kept of the time to stop for the steps after the requests: verdicts, data, lock. */
const AFTER_REQUESTS_MS = 1_000;
/** How long a client may take to send a request's head, and all of it; and how often that is looked at. */
/** For how long a client may take nothing of a large response. */
const READING_MS = 30_000;
const PATIENCE = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 };

export interface ServerOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock?: Clock;
  /** Whether to make, or find again, a key that is ready to use. */
  readonly readyKey?: boolean;
  /** Other bounds on how slowly a client may send, in milliseconds: tests do not wait half a minute. */
  readonly patience?: typeof PATIENCE;
  /** Another bound on how long a client may take nothing of a large response. */
  readonly readingMs?: number;
  /** Bounds on memory; by default what fits into the memory of this process. */
  readonly memory?: MemoryPlan;
  /** Told when the server cannot go on: the referee is gone for good. */
  readonly onFatal?: (error: Error) => void;
  /** The referee's worker; the built one unless a test brings its own. */
  readonly referee?: URL;
  /** Between signs of life on an event stream. */
  readonly heartbeatMs?: number;
  /** How long idle connections stay open while the server stops, in milliseconds: their clients may be about to send. */
  readonly idleMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** `http://127.0.0.1:4020`, without a path. */
  readonly url: string;
  /** The address that it listens on; `0.0.0.0` and `::` are all addresses, and `url` is one of them. */
  readonly host: string;
  readonly readyKey: string | undefined;
  readonly adminToken: string;
  readonly sandboxes: Sandboxes;
  readonly clocks: SandboxClocks;
  readonly judge: Judge;
  readonly journals: Journals;
  /** Takes this server's secrets out of what is shown. */
  readonly redact: Redact;
  readonly store: Store;
  /**
   * Finishes what is under way, writes what is due, and leaves nothing running, within five seconds. May be called more
   * than once. Rejects when something did not end in order.
   */
  close(): Promise<void>;
}

/**
 * Builds a server and listens.
 *
 * @throws {SettingsError} when the port is taken or a setting fits nothing
 * @throws {FixtureError} {DataFileError} {LockedError} naming the file
 */
export async function startServer({
  settings,
  log: openLog,
  clock = realClock,
  readyKey = false,
  patience = PATIENCE,
  readingMs = READING_MS,
  memory = planForProcess(settings.maxBody),
  onFatal,
  referee,
  heartbeatMs = 15_000,
  idleMs = IDLE_MS,
}: ServerOptions): Promise<RunningServer> {
  const started = stopwatch();
  const adminToken = settings.adminToken ?? newSecret();
  const redact = createRedact([...settings.keys, adminToken]);
  const log = redactingLog(openLog, redact);
  const fixtures = await openFixtures({ shipped: shippedFixtures, extra: settings.fixtures });
  if (!fixtures.has(settings.fixture)) {
    throw new SettingsError(
      `there is no fixture named ${settings.fixture}; there are ${fixtures
        .list()
        .map(({ name }) => name)
        .join(', ')}`,
    );
  }
  const store = await openStore(settings, memory, fixtures, log);
  const ending = new Ending();
  ending.add('the store', () => store.close());
  try {
    const journals = new Journals({
      clock,
      redact,
      find: (id) => sandboxes.get(id),
      maxBytes: memory.journals,
      maxFindingsBytes: memory.findings,
    });
    // The longest head comes on top of a body.
    const largest = memory.exchange - 32 * 1024;
    const inFlight = new InFlight({ most: memory.inFlight, largest, patienceMs: readingMs });
    const events = new Events();
    const figures = new RequestFigures();
    const settle = (exchange: Exchange): void => {
      figures.countVerdict(exchange);
      journals.settle(exchange);
      inFlight.leave(exchange);
      events.wake(exchange.sandbox);
    };
    let tellGone: (error: Error) => void = () => undefined;
    /** Why the referee is gone for good: it could not start, or not start again. */
    const gone = new Promise<Error>((resolve) => {
      tellGone = resolve;
    });
    const judge = createJudge({
      log,
      onVerdict: settle,
      onFatal: tellGone,
      bounds: { characters: memory.queue, input: memory.exchange },
      maxRemembered: memory.verdicts,
      ...(referee && { referee }),
    });
    judge.ready.catch(tellGone);
    ending.add('the referee', (leftMs) => judge.close(leftMs * 0.9));
    const { keyTtlSeconds, fixture, maxSandboxes } = settings;
    const sandboxes = new Sandboxes({
      store,
      fixtures,
      clock,
      maxSandboxes,
      keyTtlSeconds,
      fixture,
      onEnd: (sandbox) => {
        journals.end(sandbox);
        events.end(sandbox);
      },
      // After the exchanges that came before it.
      onEvent: (sandbox, event) => void judge.settled(sandbox.id).then(() => events.tell(sandbox, event)),
    });
    const clocks = new SandboxClocks({ sandboxes, clock });
    ending.add('writes that are due', () => sandboxes.flush());
    for (const key of settings.keys) await sandboxes.openFixed(key);
    const key = readyKey ? await openReadyKey(settings, sandboxes) : undefined;

    const newId = requestIds();
    const done = (exchange: Exchange): void => {
      figures.count(exchange);
      journals.record(exchange);
      if (isRefereed(exchange)) judge.submit(exchange);
      else settle(exchange);
    };
    const stopping = new AbortController();
    // Every delayed request listens.
    setMaxListeners(0, stopping.signal);
    let url = '';
    const address = addressFor({ publicUrl: settings.publicUrl, listening: () => url, redact });
    const clearJournal = async (sandbox: Sandbox): Promise<void> => {
      await judge.settled(sandbox.id);
      // Ended meanwhile: its journal is gone, and must not start again.
      if (sandboxes.get(sandbox.id) !== sandbox) return;
      journals.clear(sandbox);
      events.tell(sandbox, clearedEvent(clock.now()));
    };
    const context = { sandboxes, store, clock, addressFor: address };
    const history = { journals, redact, settled: (sandbox: string) => judge.settled(sandbox), clearJournal };
    const limits = { maxBytes: settings.maxBody };
    const app = createApp({
      log,
      redact,
      record: {
        clock,
        newId,
        withoutCredential,
        room: (owner) => judge.room(owner),
        lane: new HeavyLane(),
        inFlight,
        done,
      },
      guard: { ...settings, loopbackOnly: isLoopbackAddress(settings.host) },
      petstore: { sandboxes, clock, limits, redact, stopping: stopping.signal },
      controls: controlsRouter({
        ...context,
        adminToken,
        limits,
        controls: {
          ...healthControls({
            version,
            store,
            judge: () => judge.tallies,
            stopping: () => stopping.signal.aborted,
            uptimeSeconds: () => (stopwatch() - started) / 1000,
          }),
          ...keyControls({ ...context, keyIssuing: settings.keyIssuing, redact }),
          ...petControls(),
          ...snapshotControls({ ...context, redact }),
          ...clockControls(clocks),
          ...sandboxControls({ ...context, clearJournal }),
          ...requestControls(history),
          ...reportControls({ ...history, clock, version, documents: shippedDocuments }),
          ...eventControls({ ...context, journals, redact, events, heartbeatMs, maxWaiting: memory.events }),
          ...faultControls(),
          ...sandboxesControls(context),
          ...metricsControls({ version, figures, sandboxes, store, clock, judge: () => judge.tallies }),
          ...fixtureControls(fixtures),
          ...documentControls({ directory: shippedDocuments, pages: shippedDashboard, addressFor: address }),
        },
      }),
      dashboard: dashboard({ directory: shippedDashboard }),
    });

    const server = createServer({ requireHostHeader: false, keepAliveTimeout: 65_000, ...patience });
    server.maxConnections = memory.connections;
    const connections = new Connections(server, app);
    answerNodeErrors(server, newId);
    const listening = await listen(server, settings);
    url = listening.url;
    const sweep = async (): Promise<void> => {
      const { failed, error: err } = await sandboxes.sweep();
      if (failed > 0) log.error({ err, failed }, 'the sweep could not end some sandboxes; the next one tries again');
    };
    // What expired while no server ran opens nothing already: the start does not wait for its files to be deleted.
    void sweep();
    const sweeping = setInterval(() => void sweep(), SWEEP_EVERY_MS);
    sweeping.unref();
    ending.add('connections', async (leftMs) => {
      stopping.abort();
      clearInterval(sweeping);
      events.close();
      await connections.stop({ idleMs, graceMs: leftMs - AFTER_REQUESTS_MS });
    });
    // Requests are not kept waiting for a referee that has yet to start: they are judged when it has.
    void gone.then(async (error) => {
      if (ending.hasBegun) return;
      log.error({ err: error }, 'the server stops: no referee judges what it does');
      await ending.end().catch((err) => log.error({ err }, 'the server did not end in order'));
      onFatal?.(error);
    });
    const close = (): Promise<void> => ending.end();
    return { ...listening, readyKey: key, adminToken, sandboxes, clocks, judge, journals, redact, store, close };
  } catch (error) {
    await ending.end().catch((err) => log.error({ err }, 'the server did not end in order'));
    throw error;
  }
}

async function openStore(settings: Settings, memory: MemoryPlan, fixtures: Fixtures, log: Log): Promise<Store> {
  const { data, maxPets, maxBytes = memory.pets } = settings;
  const limits = { maxPets, maxBytes, maxHeadBytes: memory.heads };
  const options = { fixtures, limits, maxListed: memory.lists };
  if (data === undefined) return new KeptStore(options);
  const onLeftOver = (err: unknown) => log.warn({ err }, 'a file that is no longer needed could not be deleted');
  const onNotice = ({ details, message }: Notice) => log.warn(details, message);
  const onWarning = (message: string) => log.warn({}, message);
  return openJsonFileStore({ ...options, directory: data, onLeftOver, onNotice, onWarning });
}

async function openReadyKey({ data }: Settings, sandboxes: Sandboxes): Promise<string> {
  const key = data === undefined ? newKey() : await readyKeyOf(data);
  await sandboxes.openFixed(key);
  return key;
}
