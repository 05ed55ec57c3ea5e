/** A fresh sandbox at the start of a recording, on this machine: no validator, and a clock that the replay sets. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewPet, Pet } from '../api/pet.ts';
import { requestIds } from '../core/ids.ts';
import { type JsonObject, parseJson } from '../core/int64.ts';
import { silentLog } from '../core/log.ts';
import { AbortController } from '../core/real-globals.ts';
import { Capacity } from '../http/capacity.ts';
import { respondToNodeErrors } from '../http/node-errors.ts';
import { withSeeds } from '../recording/open.ts';
import type { Recording } from '../recording/recording.ts';
import type { ReplayTarget } from '../recording/replay.ts';
import { RequestSender } from '../recording/sender.ts';
import { createRedact } from '../requests/redact.ts';
import { Unanswered } from '../requests/unanswered.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Sandboxes } from '../sandbox/sandboxes.ts';
import { resolveSettings } from '../settings/config.ts';
import type { ControlStep } from '../store/control-history.ts';
import type { FixtureShelf } from '../store/fixture.ts';
import type { FaultRecord } from '../store/record.ts';
import { Store } from '../store/store.ts';
import { createApp } from './app.ts';

const TIMEOUT_MS = 30_000;
const ROOM = 64 * 1024 * 1024;

/** All fixtures of the recording belong to its sandbox. */
const EMPTY_SHELF: FixtureShelf = {
  get: () => undefined,
  has: () => false,
  list: () => [],
  load: (name) => Promise.reject(new Error(`no fixture ${name}`)),
  newest: (seed) => Promise.resolve(seed),
};

/** The target, and a function that ends it. */
export async function startTarget(found: Recording): Promise<{ target: ReplayTarget; close(): Promise<void> }> {
  let time = found.exportedAt;
  const clock = { now: () => time };
  const store = new Store({
    fixtures: EMPTY_SHELF,
    limits: { maxPets: Infinity, maxBytes: Infinity },
  });
  const about = { maxSandboxes: 1, keyTtlSeconds: 1, fixture: 'none' };
  const sandboxes = new Sandboxes({ store, fixtures: EMPTY_SHELF, clock, ...about });
  const { fixtures, state, baseline } = found;
  const { controls } = state;
  const record = { clock: controls.clock, faults: withoutDelays(controls.faults), drill: null, drillResults: [] };
  const before = { ...state, record, own: state.own.first(baseline), snapshots: new Map(), controls };
  const { sandbox, secret } = await sandboxes.restore(withSeeds(before, fixtures), { ttlSeconds: null });
  const { url, close } = await serve(sandboxes, clock);
  const sender = new RequestSender({ url, key: secret, sandbox: sandbox.id, timeoutMs: TIMEOUT_MS });
  const all = [...state.own.each(baseline)];
  return {
    target: {
      send: (exchange) => sender.send(exchange),
      step: (step) => stepOn(sandbox, step, all),
      at: (now) => {
        time = now;
      },
    },
    close: async () => {
      sender.close();
      await close();
    },
  };
}

async function serve(sandboxes: Sandboxes, clock: { now(): number }): Promise<{ url: string; close(): Promise<void> }> {
  const settings = resolveSettings([{}]);
  const redact = createRedact([]);
  const newId = requestIds();
  const stopping = new AbortController();
  const capacity = new Capacity({
    validator: () => undefined,
    ...{ most: ROOM, largest: ROOM, readingMs: TIMEOUT_MS },
  });
  const app = createApp({
    ...{ log: silentLog, redact, capacity },
    record: { clock, newId, unanswered: new Unanswered(), logHeaders: [], done: () => undefined },
    guard: { ...settings, loopbackOnly: true },
    petstore: {
      name: undefined,
      sandboxes,
      clock,
      limits: { maxBytes: settings.maxBody },
      stopping: stopping.signal,
    },
    endpoints: [],
  });
  const server = createServer({ requireHostHeader: false }, app.serve);
  respondToNodeErrors(server, app);
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    stopping.abort();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url: `http://127.0.0.1:${port}/v1`, close };
}

/** Does again what a control did. */
async function stepOn(sandbox: Sandbox, step: ControlStep, all: readonly Pet[]): Promise<void> {
  if ('clock' in step) await sandbox.update({ clock: step.clock });
  else if ('faults' in step) await sandbox.update({ faults: withoutDelays(step.faults) });
  else {
    const [first, last] = step.pets;
    await sandbox.addPets(all.filter(({ id }) => id >= first && id <= last).map(newPetOf));
  }
}

/** A replay waits for nothing. */
const withoutDelays = (faults: readonly FaultRecord[]): FaultRecord[] =>
  faults.map(({ delayMs: _, ...fault }) => fault);

function newPetOf({ json }: Pet): NewPet {
  const { id: _, ...newPet } = parseJson(json) as JsonObject;
  return newPet as unknown as NewPet;
}
