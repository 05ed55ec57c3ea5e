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
import { type Exchange, isRefereed } from './exchange.ts';
import { addressFor } from './http/address.ts';
import { HeavyLane } from './http/heavy-lane.ts';
import { isLoopbackAddress, listen, stopListening } from './http/listening.ts';
import { answerNodeErrors } from './http/node-errors.ts';
import { newSecret, requestIds } from './ids.ts';
import { withoutCredential } from './judge/credential.ts';
import { createJudge, type Judge } from './judge/judge.ts';
import type { Log } from './log.ts';
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

const SWEEP_EVERY_MS = 30_000;
/** How long a client may take to send a request's head, and all of it; and how often that is looked at. */
const PATIENCE = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 };

export interface ServerOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock?: Clock;
  /** Whether to make, or find again, a key that is ready to use. */
  readonly readyKey?: boolean;
  /** Other bounds on how slowly a client may send, in milliseconds: tests do not wait half a minute. */
  readonly patience?: typeof PATIENCE;
  /** Told when the server cannot go on: the referee is gone for good. */
  readonly onFatal?: (error: Error) => void;
  /** The referee's worker; the built one unless a test brings its own. */
  readonly referee?: URL;
  /** Between signs of life on an event stream. */
  readonly heartbeatMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** `http://127.0.0.1:4020`, without a path. */
  readonly url: string;
  readonly readyKey: string | undefined;
  readonly adminToken: string;
  readonly sandboxes: Sandboxes;
  readonly clocks: SandboxClocks;
  readonly judge: Judge;
  readonly journals: Journals;
  /** Takes this server's secrets out of what is shown. */
  readonly redact: Redact;
  readonly store: Store;
  /** Finishes what is under way, writes what is due, and leaves nothing running. May be called more than once. */
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
  onFatal,
  referee,
  heartbeatMs = 15_000,
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
  const store = await openStore(settings, fixtures, log);
  /** What has to end, the last built first. */
  const ending: (() => Promise<unknown>)[] = [() => store.close()];
  let closed: Promise<void> | undefined;
  try {
    const journals = new Journals({ clock, redact, find: (id) => sandboxes.get(id) });
    const events = new Events();
    const figures = new RequestFigures();
    const settle = (exchange: Exchange): void => {
      figures.countVerdict(exchange);
      journals.settle(exchange);
      events.wake(exchange.sandbox);
    };
    let tellGone: (error: Error) => void = () => undefined;
    /** Why the referee is gone for good: it could not start, or not start again. */
    const gone = new Promise<Error>((resolve) => {
      tellGone = resolve;
    });
    const judge = createJudge({ log, onVerdict: settle, onFatal: tellGone, ...(referee && { referee }) });
    judge.ready.catch(tellGone);
    ending.unshift(() => judge.close());
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
    ending.unshift(() => sandboxes.flush());
    await sandboxes.sweep();
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
    const address = addressFor({ publicUrl: settings.publicUrl, listening: () => url });
    const clearJournal = async (sandbox: Sandbox): Promise<void> => {
      await judge.settled(sandbox.id);
      journals.clear(sandbox);
      events.tell(sandbox, clearedEvent(clock.now()));
    };
    const context = { sandboxes, store, clock, addressFor: address };
    const history = { journals, redact, settled: (sandbox: string) => judge.settled(sandbox), clearJournal };
    const limits = { maxBytes: settings.maxBody };
    const app = createApp({
      log,
      record: {
        clock,
        newId,
        withoutCredential,
        room: (owner) => judge.room(owner),
        lane: new HeavyLane(),
        done,
      },
      guard: { ...settings, loopbackOnly: isLoopbackAddress(settings.host) },
      petstore: { sandboxes, clock, limits, stopping: stopping.signal },
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
          ...keyControls({ ...context, keyIssuing: settings.keyIssuing }),
          ...petControls(),
          ...snapshotControls(context),
          ...clockControls(clocks),
          ...sandboxControls({ ...context, clearJournal }),
          ...requestControls(history),
          ...reportControls({ ...history, clock, version, documents: shippedDocuments }),
          ...eventControls({ ...context, journals, redact, events, heartbeatMs }),
          ...faultControls(),
          ...sandboxesControls(context),
          ...metricsControls({ version, figures, sandboxes, store, clock, judge: () => judge.tallies }),
          ...fixtureControls(fixtures),
          ...documentControls({ directory: shippedDocuments, pages: shippedDashboard, addressFor: address }),
        },
      }),
      dashboard: dashboard({ directory: shippedDashboard }),
    });

    const server = createServer({ requireHostHeader: false, keepAliveTimeout: 65_000, ...patience }, app);
    answerNodeErrors(server, newId);
    url = await listen(server, settings);
    const sweeping = setInterval(
      () => void sandboxes.sweep().catch((err) => log.error({ err }, 'the sweep failed')),
      SWEEP_EVERY_MS,
    );
    sweeping.unref();
    ending.unshift(async () => {
      stopping.abort();
      clearInterval(sweeping);
      events.close();
      await stopListening(server);
    });
    // Requests are not kept waiting for a referee that has yet to start: they are judged when it has.
    void gone.then(async (error) => {
      if (closed) return;
      log.error({ err: error }, 'the server stops: no referee judges what it does');
      await close();
      onFatal?.(error);
    });
    return { url, readyKey: key, adminToken, sandboxes, clocks, judge, journals, redact, store, close };
  } catch (error) {
    await close();
    throw error;
  }

  /** Everyone who calls waits for the same end. */
  function close(): Promise<void> {
    closed ??= (async () => {
      for (const end of ending) await end();
    })();
    return closed;
  }
}

async function openStore(settings: Settings, fixtures: Fixtures, log: Log): Promise<Store> {
  const { data, maxPets, maxBytes } = settings;
  const options = { fixtures, limits: { maxPets, maxBytes } };
  if (data === undefined) return new KeptStore(options);
  const onLeftOver = (err: unknown) => log.warn({ err }, 'a file that is no longer needed could not be deleted');
  const onMended = (path: string) =>
    log.warn(
      { path },
      'the last write to this file was cut off, before anyone was told that it was done: it was taken out',
    );
  return openJsonFileStore({ ...options, directory: data, onLeftOver, onMended });
}

async function openReadyKey({ data }: Settings, sandboxes: Sandboxes): Promise<string> {
  const key = data === undefined ? newKey() : await readyKeyOf(data);
  await sandboxes.openFixed(key);
  return key;
}
