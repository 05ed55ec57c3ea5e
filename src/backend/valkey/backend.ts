/** Sandboxes that several servers share, in Valkey or Redis. */
import type { Clock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';
import type { MemoryPlan } from '../../core/memory.ts';
import { MAX_REQUESTS, type UnmatchedShare } from '../../requests/unmatched-requests.ts';
import type { Backend, OpenSandboxes, TrafficLogParts } from '../../sandbox/backend.ts';
import type { Fixtures } from '../../sandbox/fixtures.ts';
import { type Settings, SettingsError } from '../../settings/settings.ts';
import { EntryReader } from '../../store/entries.ts';
import { Store } from '../../store/store.ts';
import { ValkeyClient } from './client.ts';
import { SharedFixtures } from './fixtures.ts';
import { SharedFreshness } from './freshness.ts';
import { KeyIndex } from './key-index.ts';
import { ValkeyLogs } from './logs.ts';
import { UNMATCHED, UNMATCHED_CHANNEL } from './names.ts';
import { SharedQuota } from './quota.ts';
import { SharedTrafficLog } from './traffic-log.ts';

interface SharedOptions {
  readonly settings: Pick<Settings, 'maxPets' | 'maxSandboxes' | 'storeWait'> & { readonly store: string };
  readonly memory: MemoryPlan;
  readonly fixtures: Fixtures;
  readonly clock: Clock;
  readonly log: Log;
}

/** @throws {SettingsError} if Valkey cannot be reached or used */
export async function openShared({ settings, memory, fixtures, clock, log }: SharedOptions): Promise<Backend> {
  if (settings.storeWait > 0 && new URL(settings.store).searchParams.get('cluster') === 'true') {
    throw new SettingsError(
      '--store-wait does not work with a cluster: a cluster cannot be asked for the replicas of a write',
    );
  }
  const valkey = await ValkeyClient.connect({ address: settings.store, waitFor: settings.storeWait, log });
  try {
    await checkVersion(valkey, log);
  } catch (error) {
    await valkey.close();
    throw error;
  }
  let sandboxes: OpenSandboxes | undefined;
  let trafficLog: SharedTrafficLog | undefined;
  const keys = new KeyIndex(valkey);
  const unmatched = new SharedUnmatched(valkey);
  const close = async (): Promise<void> => {
    quota.close();
    await trafficLog?.close();
    await unmatched.close();
    await valkey.close();
  };
  const logs = new ValkeyLogs({ valkey, keys, reader: await EntryReader.create(), maxBytes: memory.pets, close });
  const limits = { maxPets: settings.maxPets, maxBytes: Number.POSITIVE_INFINITY };
  const store = new Store({ logs, fixtures: new SharedFixtures(fixtures, valkey), limits, maxListed: memory.lists });
  const quota = new SharedQuota({
    ...{ valkey, logs, store, clock, log, maxSandboxes: settings.maxSandboxes },
    isHeld: (id) => trafficLog?.isHeard(id) ?? false,
    sandboxes: () => sandboxes as OpenSandboxes,
  });
  // The store may have come back older, or as another one. States need nothing: each line has its token.
  valkey.onReconnected(() => {
    keys.clear();
    trafficLog?.forget();
    void logs.check(store).catch((err: unknown) => log.warn({ err }, 'the request logs in the store were not checked'));
  });
  return {
    store,
    freshness: new SharedFreshness({
      ...{ valkey, logs, store, keys },
      sandboxOf: (hash) => sandboxes?.open(hash)?.sandbox.id,
      onEntered: (...entered) => trafficLog?.entered(...entered),
    }),
    quota,
    unmatched,
    valkey: valkey.figures,
    trafficLogOf: (parts: TrafficLogParts) => {
      sandboxes = parts.sandboxes;
      const enter = (id: string) => logs.enter(store, id);
      trafficLog = new SharedTrafficLog({ valkey, log, enter }, parts);
      return trafficLog;
    },
    close: () => store.close(),
  };
}

/** The oldest versions with the commands that are used, and with the behavior that the tests saw. */
const OLDEST = { redis: 7, valkey: 7 };

/** @throws {SettingsError} for a Valkey that is too old, or that removes sandboxes by itself */
async function checkVersion(valkey: ValkeyClient, log: Log): Promise<void> {
  const about = readInfo(String(await valkey.call('INFO')));
  const name = about.get('valkey_version') === undefined ? 'redis' : 'valkey';
  const version = about.get(`${name}_version`) ?? '0';
  if (Number(version.split('.')[0]) < OLDEST[name]) {
    throw new SettingsError(`the store is ${name} ${version}; it must be ${name} ${OLDEST[name]} or later`);
  }
  const policy = about.get('maxmemory_policy') ?? 'noeviction';
  if (policy.startsWith('allkeys')) {
    throw new SettingsError(
      `the store has maxmemory-policy ${policy}, which removes sandboxes when it is full; set it to volatile-lru or noeviction`,
    );
  }
  if (about.get('maxmemory') === '0') {
    log.warn({}, 'the store has no maxmemory; without it the machine may end the store when memory is short');
  }
  if (about.get('aof_enabled') === '0' && about.get('rdb_last_save_time') === undefined) {
    log.warn({}, 'the store keeps nothing on disk; a restart of it loses all sandboxes');
  } else if (about.get('aof_enabled') === '0') {
    log.warn({}, 'the store has no append-only file; a crash of it loses the changes since its last snapshot');
  }
  log.info({ store: name, version }, 'the store is connected');
}

/** The lines `name:value` of `INFO`. */
const readInfo = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\r\n').flatMap((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );

/** Requests that belong to no sandbox: one list of all servers, each request as JSON without secrets. */
class SharedUnmatched implements UnmatchedShare {
  readonly #valkey: ValkeyClient;
  /** Of this process. */
  readonly #name = newId('key');
  /** What could not be sent. */
  readonly #waiting: string[] = [];

  constructor(valkey: ValkeyClient) {
    this.#valkey = valkey;
  }

  add(text: string): void {
    this.#waiting.push(text);
    // What could not be sent goes with the next request, or before the list is read.
    void this.#send().catch(() => undefined);
    void this.#valkey.publish(UNMATCHED_CHANNEL, `${this.#name} ${text}`);
  }

  async read(): Promise<{ texts: readonly string[]; dropped: number }> {
    await this.#send();
    const entries = (await this.#valkey.call('XREVRANGE', UNMATCHED, '+', '-')) as [string, [string, string]][];
    const added = Number(entries[0]?.[0].slice('0-'.length) ?? 0);
    return { texts: entries.map(([, [, text]]) => text), dropped: added - entries.length };
  }

  async clear(): Promise<void> {
    await this.#send();
    await this.#valkey.call('DEL', UNMATCHED);
  }

  onAdded(notify: (text: string) => void): void {
    void this.#valkey.subscribe(UNMATCHED_CHANNEL, (message) => {
      const at = message.indexOf(' ');
      if (message.slice(0, at) !== this.#name) notify(message.slice(at + 1));
    });
  }

  async close(): Promise<void> {
    await this.read().catch(() => undefined);
  }

  /** Commands arrive in the order in which they are sent, so what is read later has these. @throws {ApiError} `storage_failed`, `limit_reached` */
  async #send(): Promise<void> {
    await Promise.all(this.#waiting.splice(0).map((text) => this.#sendOne(text)));
  }

  async #sendOne(text: string): Promise<void> {
    try {
      await this.#valkey.call('XADD', UNMATCHED, 'MAXLEN', MAX_REQUESTS, '0-*', 'request', text);
    } catch (error) {
      if (this.#waiting.push(text) > MAX_REQUESTS) this.#waiting.shift();
      throw error;
    }
  }
}
