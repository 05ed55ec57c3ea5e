/** The wiring of a server: every part that requests use, from the secrets to the endpoints, each made once. */

import { newKey } from '../base/api/api-key.ts';
import { type Exchange, isSettled, whyNotValidated } from '../base/api/exchange.ts';
import { type Clock, realClock } from '../base/clock.ts';
import { newSecret } from '../base/ids.ts';
import { READING_MS, THREAD_MS } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import { collectorOf, type MemoryPlan, planForProcess } from '../base/memory.ts';
import type { AbortSignal } from '../base/real-globals.ts';
import { type Settings, SettingsError } from '../base/settings/settings.ts';
import { builtDocumentation, shippedDashboard, shippedDocumentation, shippedFixtures } from '../base/shipped.ts';
import { isDoneWithin, type Shutdown } from '../base/shutdown.ts';
import { type Fixtures, openFixtures } from '../sandbox/fixtures.ts';
import { readyKeyOf } from '../sandbox/ready-key.ts';
import { Sandboxes } from '../sandbox/sandboxes.ts';
import { SignInCodes } from '../sandbox/sign-in-codes.ts';
import { openFiles } from '../sandbox/store/files.ts';
import type { NewFixture } from '../sandbox/store/fixture.ts';
import { Store } from '../sandbox/store/store.ts';
import { Events } from '../traffic/events.ts';
import { createRedact, redactingLog } from '../traffic/redact.ts';
import { type RequestLine, terminalLine } from '../traffic/remarks.ts';
import { RequestLogs } from '../traffic/request-logs.ts';
import { Unanswered } from '../traffic/unanswered.ts';
import { Unmatched } from '../traffic/unmatched-requests.ts';
import { Documents } from '../verdict/documents/documents.ts';
import { DrillRuns } from '../verdict/drills/runs.ts';
import { createValidator, type ValidatorOptions } from '../verdict/validator/validator.ts';
import { createApp } from './app.ts';
import { localCalls } from './control/local-calls.ts';
import { RequestFigures } from './control/request-figures.ts';
import { controlApi } from './control/router.ts';
import { Capacity } from './http/capacity.ts';
import { addressFor, isLoopbackAddress } from './http/listening.ts';
import { unrecorded } from './http/open-exchange.ts';
import { documentationPages } from './pages/documentation.ts';
import { dashboardPages } from './pages/pages.ts';

const HEARTBEAT_MS = 15_000;

export interface PartsOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock?: Clock;
  /** What a new sandbox starts with, instead of the fixture that the settings name. */
  readonly fixture?: NewFixture | undefined;
  /** Whether to create, or load, a ready-to-use key. */
  readonly readyKey?: boolean;
  /** Overrides how long a client may take to read a long response, in milliseconds. */
  readonly readingMs?: number;
  /** Overrides how long the threads may take, in milliseconds. */
  readonly threadMs?: typeof THREAD_MS;
  /** Memory limits; by default those that fit the memory of this process. */
  readonly memory?: MemoryPlan;
  /** The validator's worker; the built one unless a test supplies another. */
  readonly worker?: ValidatorOptions['worker'];
  /** Interval of keep-alive comments on an event stream, in milliseconds. */
  readonly heartbeatMs?: number;
  /** Called with a line, without secrets, for each request of the API once its verdict is final. */
  readonly print?: ((line: RequestLine) => void) | undefined;
  /** Gets each request of either API after its response: tests check those of the control API against its specification. */
  readonly onFinished?: (exchange: Exchange) => void;
}

/** What the parts take from the server that listens. */
interface ListeningServer {
  /** Generates values of `Sandbox-Request-Id`. */
  readonly newId: () => string;
  /** Aborted when shutdown starts. */
  readonly stopping: AbortSignal;
  /** Returns the address that the server listens on, once it listens. */
  readonly listening: () => string;
}

/** A request whose sandbox ended before its response. */
const ofNobody = (exchange: Exchange): Exchange => ({
  ...exchange,
  sandbox: undefined,
  unmatched: exchange.address === undefined ? 'unknown-key' : 'unknown-address',
});

/** All parts of a server. */
export type ServerParts = Awaited<ReturnType<typeof wire>>;

/**
 * Makes all parts, in the order in which later ones need earlier ones. Each that must be shut down is added to
 * `shutdown` as soon as it is open.
 * @throws {SettingsError} if the fixture of new sandboxes is unknown
 * @throws {FixtureError} {DataFileError} {LockedError} naming the file
 */
export async function wire(options: PartsOptions, { newId, stopping, listening }: ListeningServer, shutdown: Shutdown) {
  const { settings, clock = realClock, memory = planForProcess(), print } = options;
  const { threadMs = THREAD_MS } = options;

  // Secrets, and the log that never shows them.
  const adminToken = settings.adminToken ?? newSecret();
  const redact = createRedact([...settings.keys, adminToken]);
  const log = redactingLog(options.log, redact);

  const fixtures = await openFixtures({ shipped: shippedFixtures, extra: settings.fixtures });
  rejectUnknownFixture(settings, fixtures);
  const store = await openStore(settings, { memory, fixtures, log });
  shutdown.add('the store', () => store.close());

  // The sandboxes.
  const sandboxes = new Sandboxes({
    ...{ store, fixtures, clock },
    name: settings.name,
    maxSandboxes: settings.maxSandboxes,
    keyTtlSeconds: settings.keyTtlSeconds,
    fixture: options.fixture ?? settings.fixture,
  });

  // The validator. The start does not wait for it: early exchanges are validated when it is ready.
  const validator = createValidator({
    log,
    bounds: { characters: memory.queue, input: memory.exchange },
    maxRemembered: memory.verdicts,
    timeoutMs: threadMs.verdict,
    ...(options.worker && { worker: options.worker }),
  });
  shutdown.add('the validator', (leftMs) => endValidator(validator, leftMs, log));

  // The request log, and what is counted and announced of requests.
  const events = new Events(redact);
  const requestLogs = new RequestLogs({
    ...{ clock, redact, events },
    find: (id) => sandboxes.get(id),
    validated: (id) => validator.whenValidated(id),
    maxBytes: memory.requestLogs,
  });
  const unanswered = new Unanswered();
  const figures = new RequestFigures();
  const unmatched = new Unmatched();
  const capacity = new Capacity({
    validator: (owner) => validator.capacity(owner),
    // The longest head comes in addition to a body.
    ...{ most: memory.inFlight, largest: memory.exchange - 32 * 1024 },
    readingMs: options.readingMs ?? READING_MS,
  });

  const documents = new Documents({ heap: memory.documents, ms: threadMs });
  shutdown.add('the thread for documents', () => documents.close());

  // What happens to an exchange after its response: it is counted and recorded, then validated, then settled.
  const settle = (exchange: Exchange): void => {
    figures.countVerdict(exchange);
    requestLogs.settle(exchange);
    if (print === undefined) return;
    const line = terminalLine(exchange);
    if (line !== undefined) print({ ...line, text: redact(line.text) });
  };
  validator.watch(settle);
  const noteUnmatched = (exchange: Exchange): void => {
    const request = unmatched.note(exchange);
    if (request) events.notifyUnmatched(request);
  };
  const finish = (exchange: Exchange): void => {
    const why = whyNotValidated(exchange);
    if (why !== undefined) exchange.verdict = { violations: [], warnings: [], validationError: why };
    figures.count(exchange);
    if (exchange.sandbox === undefined) noteUnmatched(exchange);
    // The sandbox of a request may end before its response.
    else if (!sandboxes.get(exchange.sandbox)) noteUnmatched(ofNobody(exchange));
    requestLogs.record(exchange);
    if (isSettled(exchange)) settle(exchange);
    else validator.submit(exchange);
    options.onFinished?.(exchange);
  };

  // What follows the lifecycle of sandboxes.
  const drills = new DrillRuns({ sandboxes, clock, requestLogs, redact });
  sandboxes.watch({
    ended: (sandbox) => {
      requestLogs.end(sandbox);
      events.end(sandbox);
    },
    happened: (sandbox, event) => requestLogs.notify(sandbox, event),
    resetting: (sandbox) => drills.keepResult(sandbox),
    clearRequests: (sandbox) => requestLogs.clear(sandbox),
  });
  shutdown.add('the sweep', () => sandboxes.stop());
  for (const key of settings.keys) await sandboxes.openPreconfigured(key);
  const readyKey = options.readyKey ? await openReadyKey(settings, sandboxes) : undefined;

  const addressOf = addressFor({ publicUrl: settings.publicUrl, listening, redact });
  const parts = {
    ...{ settings, memory, clock, redact, log, adminToken, readyKey, stopping },
    ...{ store, fixtures, sandboxes, drills },
    ...{ requestLogs, unanswered, unmatched, events, figures, validator },
    signInCodes: new SignInCodes(clock),
    addressFor: addressOf,
    unmatchedForKeys: isReachedLocally(settings),
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    ...{ documents, capacity },
  };

  // Everything that is served.
  const controls = controlApi(parts);
  const endpoints = [
    ...controls.endpoints,
    ...dashboardPages(shippedDashboard),
    ...documentationPages({
      directory: builtDocumentation,
      pictures: shippedDocumentation,
      // Examples in it make keys, of sandboxes of their own.
      addressFor: addressOf,
    }),
  ];
  const app = await createApp({
    ...{ log, redact, capacity, endpoints },
    record: { newId, clock, logHeaders: settings.logHeaders, unanswered, done: finish },
    guard: { ...settings, loopbackOnly: isLoopbackAddress(settings.host) },
    petstore: {
      name: settings.name,
      sandboxes,
      clock,
      limits: { maxBytes: settings.maxBody },
      stopping,
    },
  });

  /** Calls the control API without HTTP, as the `fetch` of a client; what it calls is neither recorded nor validated. */
  const callLocally = localCalls(controls.runLocally, parts, (method, target) =>
    unrecorded(newId(), clock.now(), method, target),
  );
  return { ...parts, app, callLocally };
}

/** @throws {DataFileError} {LockedError} naming the file */
async function openStore(
  { data, name, maxPets, maxBytes }: Settings,
  { memory, fixtures, log }: { readonly memory: MemoryPlan; readonly fixtures: Fixtures; readonly log: Log },
): Promise<Store> {
  const limits = { maxPets, maxBytes: maxBytes ?? memory.pets, maxHeadBytes: memory.heads };
  const warn = (message: string, details: object = {}): void => log.warn(details, message);
  const opened = data === undefined ? {} : await openFiles({ directory: data, name, fixtures, warn });
  return new Store({ ...opened, limits, maxListed: memory.lists, onGivenUp: collectorOf(memory) });
}

/** A thread that is slow to end holds nothing that anybody still needs, and ends with the process. */
async function endValidator(
  validator: { close(withinMs: number): Promise<void> },
  leftMs: number,
  log: Log,
): Promise<void> {
  const ended = await isDoneWithin(validator.close(leftMs * 0.8), leftMs * 0.95);
  if (!ended) log.debug({}, 'the validator did not end in time; it ends with the process');
}

function rejectUnknownFixture({ fixture }: Settings, fixtures: Fixtures): void {
  if (fixtures.has(fixture)) return;
  const names = fixtures.list().map(({ name }) => name);
  throw new SettingsError(`there is no fixture named ${fixture}; there are ${names.join(', ')}`);
}

/** Whether only this machine reaches the server: as far as the settings tell, no proxy forwards requests of others. */
const isReachedLocally = ({ host, publicUrl, allowHosts }: Settings): boolean =>
  isLoopbackAddress(host) && publicUrl === undefined && allowHosts.length === 0;

async function openReadyKey({ data, name }: Settings, sandboxes: Sandboxes): Promise<string> {
  const key = data === undefined ? newKey(name) : await readyKeyOf(data, name);
  await sandboxes.openPreconfigured(key);
  return key;
}
