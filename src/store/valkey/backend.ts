/** Sandboxes that several servers share, in Valkey or Redis. */
import type { Clock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';
import type { MemoryPlan } from '../../core/memory.ts';
import { MAX_REQUESTS, type UnmatchedShare } from '../../requests/unmatched.ts';
import type { Backend, HistoryParts, Notes, OpenSandboxes } from '../../sandbox/backend.ts';
import type { Fixtures } from '../../sandbox/fixtures.ts';
import type { Start, Trails } from '../../sandbox/trail.ts';
import { type Settings, SettingsError } from '../../server/settings.ts';
import { ValkeyClient } from './client.ts';
import { SharedDoor } from './door.ts';
import { ValkeyFamilies } from './families.ts';
import { SharedFixtures } from './fixtures.ts';
import { SharedHistories } from './histories.ts';
import { KeyIndex } from './key-index.ts';
import { UNMATCHED, UNMATCHED_CHANNEL, UNMATCHED_DROPPED } from './keys.ts';
import { SharedPlaces } from './places.ts';
import { ADD_UNMATCHED } from './scripts.ts';
import { SharedStore } from './store.ts';

interface SharedOptions {
  readonly settings: Pick<Settings, 'maxPets' | 'maxSandboxes' | 'storeWait'> & { readonly store: string };
  readonly memory: MemoryPlan;
  readonly fixtures: Fixtures;
  readonly clock: Clock;
  readonly log: Log;
}

/** @throws {SettingsError} if Valkey cannot be reached or used */
export async function openShared({ settings, memory, fixtures, clock, log }: SharedOptions): Promise<Backend> {
  const valkey = await ValkeyClient.connect({ address: settings.store, waitFor: settings.storeWait, log });
  try {
    await checkVersion(valkey, log);
  } catch (error) {
    await valkey.close();
    throw error;
  }
  let open: OpenSandboxes | undefined;
  let histories: SharedHistories | undefined;
  const sandboxes = (): OpenSandboxes => open as OpenSandboxes;
  const families = new ValkeyFamilies({
    valkey,
    maxBytes: memory.pets,
    isHeld: (family) => histories?.isHeard(family) ?? false,
    follow: (id, present) => {
      if (present) open?.take(present.record, present.start);
      else {
        open?.drop(id);
        histories?.drop(id);
      }
    },
  });
  const keys = new KeyIndex(valkey);
  const unmatched = new SharedUnmatched(valkey);
  const places = new SharedPlaces({ valkey, families, clock, log, sandboxes, maxSandboxes: settings.maxSandboxes });
  const close = async (): Promise<void> => {
    places.close();
    await histories?.close();
    await unmatched.close();
    await valkey.close();
  };
  const limits = { maxPets: settings.maxPets, maxBytes: Number.POSITIVE_INFINITY };
  return {
    store: new SharedStore({
      valkey,
      families,
      keys,
      fixtures: new SharedFixtures(fixtures, valkey),
      limits,
      maxListed: memory.lists,
      close,
    }),
    door: new SharedDoor({ valkey, families, keys, onNumbers: (...numbers) => histories?.take(...numbers) }),
    places,
    notes: new SharedNotes(families),
    trails: new SharedTrails(families),
    unmatched,
    valkey: valkey.figures,
    historiesOf: (parts: HistoryParts) => {
      open = parts.sandboxes;
      const enter = (id: string, numbers: number) => families.of(id).enter(id, numbers);
      histories = new SharedHistories({ valkey, log, enter }, parts);
      return histories;
    },
    close,
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

/** Notes of sandboxes, in the log of their family. */
class SharedNotes implements Notes {
  readonly #families: ValkeyFamilies;

  constructor(families: ValkeyFamilies) {
    this.#families = families;
  }

  get(id: string): unknown {
    return this.#families.known(id)?.replica?.notes.get(id);
  }

  async set(id: string, note: unknown): Promise<void> {
    await this.#families.of(id).change((plans) => {
      plans.get(id);
      plans.note(id, note);
    });
  }

  forget(): void {
    // A reset removes the note together with everything else, for all servers.
  }
}

/** What the control API changed in sandboxes, in the log of their family. */
class SharedTrails implements Trails {
  readonly #families: ValkeyFamilies;

  constructor(families: ValkeyFamilies) {
    this.#families = families;
  }

  change(id: string, change: (start: Start) => Start): Promise<void> {
    return this.#families.of(id).change((plans) => plans.changeStart(id, change));
  }
}

/** Requests that belong to no sandbox: one list of all servers, each request as JSON without secrets. */
class SharedUnmatched implements UnmatchedShare {
  readonly #valkey: ValkeyClient;
  /** Of this process. */
  readonly #name = newId('key');
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;

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
    const [texts, dropped] = await this.#valkey.all([
      ['LRANGE', UNMATCHED, 0, -1],
      ['GET', UNMATCHED_DROPPED],
    ]);
    return { texts: texts as string[], dropped: Number(dropped ?? 0) };
  }

  async clear(): Promise<void> {
    await this.#send();
    await this.#valkey.call('DEL', UNMATCHED, UNMATCHED_DROPPED);
  }

  onAdded(notify: (text: string) => void): void {
    void this.#valkey.subscribe(UNMATCHED_CHANNEL, (message) => {
      const at = message.indexOf(' ');
      if (message.slice(0, at) !== this.#name) notify(message.slice(at + 1));
    });
  }

  async close(): Promise<void> {
    await this.#send().catch(() => undefined);
  }

  /** Resolves when everything added before is in Valkey. @throws {ApiError} `storage_failed`, `limit_reached` */
  #send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const texts = this.#waiting;
      this.#waiting = [];
      try {
        await this.#valkey.run(ADD_UNMATCHED, [UNMATCHED, UNMATCHED_DROPPED], [MAX_REQUESTS, ...texts]);
      } catch (error) {
        this.#waiting = [...texts, ...this.#waiting].slice(-MAX_REQUESTS);
        throw error;
      }
    }
  }
}
