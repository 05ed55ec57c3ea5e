/**
 * The services behind all requests: store, sandboxes, request logs, validator. Opened in this order, ended in reverse order.
 */

import { RequestFigures } from '../control/request-figures.ts';
import { type Clock, realClock } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { newSecret } from '../core/ids.ts';
import type { Log } from '../core/log.ts';
import { type MemoryPlan, planForProcess } from '../core/memory.ts';
import { shippedFixtures } from '../core/shipped.ts';
import type { Ending } from '../core/shutdown.ts';
import { DrillRuns } from '../drills/runs.ts';
import { InFlight } from '../http/in-flight.ts';
import { isLoopbackAddress } from '../http/listening.ts';
import { Budget } from '../requests/allowance.ts';
import { Events } from '../requests/events.ts';
import { type Exchange, isToBeValidated } from '../requests/exchange.ts';
import { createRedact, type Redact, redactingLog } from '../requests/redact.ts';
import { RequestLogs } from '../requests/request-logs.ts';
import { Unmatched } from '../requests/unmatched.ts';
import type { Backend, Histories } from '../sandbox/backend.ts';
import { type Fixtures, openFixtures } from '../sandbox/fixtures.ts';
import { hashOf, newKey } from '../sandbox/keys.ts';
import { readyKeyOf } from '../sandbox/ready-key.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { SandboxClocks } from '../sandbox/sandbox-clocks.ts';
import { Sandboxes, type SandboxesOptions } from '../sandbox/sandboxes.ts';
import type { Store } from '../store/store.ts';
import { createValidator, type Validator } from '../validator/validator.ts';
import { openBackend } from './backends.ts';
import type { ServerOptions } from './options.ts';
import { type Settings, SettingsError } from './settings.ts';

/** How long a client may read too little of a large response: see `Patience`. */
const READING_MS = 15_000;

export interface Services {
  readonly settings: Settings;
  readonly memory: MemoryPlan;
  readonly clock: Clock;
  readonly redact: Redact;
  /** Redacts everything it writes. */
  readonly log: Log;
  readonly adminToken: string;
  readonly readyKey: string | undefined;
  readonly fixtures: Fixtures;
  readonly backend: Backend;
  readonly store: Store;
  readonly histories: Histories;
  readonly sandboxes: Sandboxes;
  readonly clocks: SandboxClocks;
  readonly drills: DrillRuns;
  readonly validator: Validator;
  readonly requestLogs: RequestLogs;
  readonly unmatched: Unmatched;
  /** Whether every key may read the unmatched requests: only this machine reaches the server. */
  readonly unmatchedForKeys: boolean;
  readonly events: Events;
  readonly figures: RequestFigures;
  readonly inFlight: InFlight;
  /** Resolves with the cause when the validator has failed for good: it could not start or restart. */
  readonly validatorLost: Promise<Error>;
  /** Records an exchange after its response was sent, and submits it to the validator. */
  finish(exchange: Exchange): void;
}

/**
 * Opens all services. Each part that must be shut down is added to `ending` as soon as it is open.
 * @throws {SettingsError} if the fixture of new sandboxes is unknown
 * @throws {FixtureError} {DataFileError} {LockedError} naming the file
 */
export async function openServices(options: ServerOptions, ending: Ending): Promise<Services> {
  const { settings, clock = realClock, readingMs = READING_MS, memory = planForProcess(settings.maxBody) } = options;
  const adminToken = settings.adminToken ?? newSecret();
  const redact = createRedact([...settings.keys, adminToken]);
  const log = redactingLog(options.log, redact);
  const fixtures = await openFixtures({ shipped: shippedFixtures, extra: settings.fixtures });
  rejectUnknownFixture(settings, fixtures);
  const backend = await openBackend({ settings, memory, fixtures, clock, log });
  const { store } = backend;
  ending.add('the store', () => backend.close());
  const requestLogs = new RequestLogs({
    clock,
    redact,
    isShared: store.isShared,
    find: (id) => sandboxes.get(id),
    maxBytes: memory.requestLogs,
    maxFindingsBytes: memory.findings,
  });
  // The longest head comes in addition to a body.
  const largest = memory.exchange - 32 * 1024;
  const inFlight = new InFlight({ most: memory.inFlight, largest, patienceMs: readingMs });
  const events = new Events(redact);
  const histories = backend.historiesOf({
    ...{ requestLogs, events, clock, redact },
    sandboxes: () => sandboxes,
    validated: (id) => validator.settled(id),
  });
  const records = {
    histories,
    requestLogs,
    inFlight,
    events,
    figures: new RequestFigures(),
    unmatched: new Unmatched({ share: backend.unmatched, redact }),
  };
  backend.unmatched?.onAdded((text) => events.tellUnmatched(JSON.parse(text)));
  const { validator, validatorLost } = startValidator({ ...options, log, memory, onVerdict: settlerFor(records) });
  ending.add('the validator', (leftMs) => validator.close(leftMs * 0.9));
  const forgetDrill = (sandbox: Sandbox): void => drills.forget(sandbox);
  const fixture = options.fixture ?? settings.fixture;
  const parts = { backend, store, fixtures, clock, forgetDrill, memory, ...records };
  const sandboxes = openSandboxes({ ...settings, fixture }, parts);
  const clocks = new SandboxClocks({ sandboxes, clock });
  const drills = new DrillRuns({ sandboxes, clocks, clock, requestLogs, histories, notes: backend.notes });
  ending.add('writes that are due', () => sandboxes.flush());
  for (const key of settings.keys) await openFixed(key, backend, sandboxes);
  return {
    ...{ settings, memory, clock, redact, log, adminToken, fixtures, backend, store, sandboxes, clocks, drills },
    ...records,
    ...{ validator, validatorLost },
    readyKey: options.readyKey && !store.isShared ? await openReadyKey(settings, sandboxes) : undefined,
    unmatchedForKeys: isReachedLocally(settings),
    finish: finisherFor(records, validator),
  };
}

/** The parts that receive an exchange after its response was sent. */
type Records = Pick<Services, 'histories' | 'requestLogs' | 'inFlight' | 'events' | 'figures' | 'unmatched'>;

/** Called once for each exchange, when its verdict is final. */
const settlerFor =
  ({ figures, histories, inFlight }: Records) =>
  (exchange: Exchange): void => {
    figures.countVerdict(exchange);
    histories.settle(exchange);
    inFlight.leave(exchange);
  };

function finisherFor(records: Records, validator: Validator): Services['finish'] {
  const { figures, histories, unmatched, events } = records;
  const settle = settlerFor(records);
  return (exchange) => {
    figures.count(exchange);
    if (exchange.sandbox === undefined) {
      const request = unmatched.note(exchange);
      if (request) events.tellUnmatched(request);
    }
    histories.record(exchange);
    if (isToBeValidated(exchange)) validator.submit(exchange);
    else settle(exchange);
  };
}

/** Starts the validator without waiting for it: early exchanges are validated when it is ready. */
function startValidator({
  log,
  memory,
  onVerdict,
  worker,
}: Pick<ServerOptions, 'log' | 'worker'> & { memory: MemoryPlan; onVerdict: (exchange: Exchange) => void }): Pick<
  Services,
  'validator' | 'validatorLost'
> {
  const { promise: validatorLost, resolve: announceLoss } = withResolvers<Error>();
  const validator = createValidator({
    log,
    onVerdict,
    onFatal: announceLoss,
    bounds: { characters: memory.queue, input: memory.exchange },
    maxRemembered: memory.verdicts,
    ...(worker && { worker }),
  });
  validator.ready.catch(announceLoss);
  return { validator, validatorLost };
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

type SandboxParts = Pick<Services, 'backend' | 'store' | 'fixtures' | 'clock' | 'memory'> &
  Records & { forgetDrill: (sandbox: Sandbox) => void };

function openSandboxes(
  { keyTtlSeconds, fixture, maxSandboxes }: Pick<SandboxesOptions, 'keyTtlSeconds' | 'fixture' | 'maxSandboxes'>,
  { backend, store, fixtures, clock, histories, requestLogs, events, forgetDrill, memory }: SandboxParts,
): Sandboxes {
  return new Sandboxes({
    ...{ store, places: backend.places, trails: backend.trails, fixtures, clock, maxSandboxes, keyTtlSeconds, fixture },
    steps: new Budget(memory.steps),
    onEnd: (sandbox) => {
      sandbox.trail.release();
      requestLogs.end(sandbox);
      events.end(sandbox);
      forgetDrill(sandbox);
    },
    onEvent: (sandbox, event) => {
      if (event.event === 'reset') forgetDrill(sandbox);
      histories.tell(sandbox, event);
    },
  });
}

function rejectUnknownFixture({ fixture }: Settings, fixtures: Fixtures): void {
  if (fixtures.has(fixture)) return;
  const names = fixtures.list().map(({ name }) => name);
  throw new SettingsError(`there is no fixture named ${fixture}; there are ${names.join(', ')}`);
}

/** Whether only this machine reaches the server: as far as the settings tell, no proxy forwards requests of others. */
const isReachedLocally = ({ host, publicUrl, allowHosts }: Settings): boolean =>
  isLoopbackAddress(host) && publicUrl === undefined && allowHosts.length === 0;

async function openReadyKey({ data }: Settings, sandboxes: Sandboxes): Promise<string> {
  const key = data === undefined ? newKey() : await readyKeyOf(data);
  await sandboxes.openFixed(key);
  return key;
}

/** The sandbox of a key from the settings. Another server with the same key may be starting, too. */
async function openFixed(key: string, { door, store }: Backend, sandboxes: Sandboxes): Promise<void> {
  await door.openKey(hashOf(key), false);
  await sandboxes.openFixed(key).catch(async (error: unknown) => {
    if (!store.isShared || !(error instanceof ApiError && error.code === 'conflict')) throw error;
    await door.openKey(hashOf(key), false);
    await sandboxes.openFixed(key);
  });
}
