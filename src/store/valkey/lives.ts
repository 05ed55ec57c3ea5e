/** The beginning and the end of sandboxes in Valkey. A family ends with its origin. */
import { ApiError } from '../../core/errors.ts';
import { familyOf } from '../../core/ids.ts';
import type { Account } from '../bounds.ts';
import type { NewFixture, Seeds } from '../own-fixture.ts';
import type { SandboxRecord } from '../record.ts';
import { restore } from '../restore.ts';
import { begun, forked, type SandboxState } from '../state.ts';
import type { Source } from '../store.ts';
import type { ValkeyClient } from './client.ts';
import type { ValkeyFamilies } from './families.ts';
import type { SharedFixtures } from './fixtures.ts';
import type { Message } from './histories.ts';
import type { KeyIndex } from './key-index.ts';
import { channelOf, headKey, logKey, requestLogKey, talliesKey } from './keys.ts';
import { Plans } from './plans.ts';
import { Replica } from './replica.ts';
import { END, FOUND } from './scripts.ts';

interface LivesOptions {
  readonly valkey: ValkeyClient;
  readonly families: ValkeyFamilies;
  readonly keys: KeyIndex;
  readonly seeds: Seeds;
  readonly shelf: SharedFixtures;
  readonly account: Account;
}

export class Lives {
  readonly #options: LivesOptions;

  constructor(options: LivesOptions) {
    this.#options = options;
  }

  /**
   * @throws {ApiError} `storage_failed`, `limit_reached`, `not_found`; `conflict` for a preconfigured key that has a sandbox
   */
  async begin(record: SandboxRecord, asked: Source): Promise<SandboxRecord> {
    const { valkey, families, keys, seeds, account } = this.#options;
    const start = await this.#published(asked);
    if ('copyOf' in start) {
      await keys.add(record);
      const { copyOf } = start;
      return families.of(copyOf).change((plans) => plans.put(forked(record, plans.get(copyOf))).record);
    }
    const state = 'saved' in start ? (await restore(record, start, seeds, account)).state : begun(record, start);
    const plans = new Plans(new Replica('1', families.follow));
    plans.put(state);
    const family = familyOf(record.id);
    const reply = await valkey.change(FOUND, [headKey(family), logKey(family)], plans.entries);
    if (reply !== 1) throw new ApiError('conflict', 'the id of the new sandbox is taken; try again');
    families.add(record.id, plans);
    if (record.preconfigured) await this.#claim(record);
    await keys.add(record);
    return state.record;
  }

  /** A start from fixtures that every server can load. */
  async #published(start: Source): Promise<Source> {
    const { shelf } = this.#options;
    if ('fixture' in start && typeof start.fixture === 'string') return { fixture: await shelf.publish(start.fixture) };
    if (!('saved' in start)) return start;
    const seeds = new Map<string, string | NewFixture>();
    for (const [name, seed] of start.seeds) {
      seeds.set(name, typeof seed === 'string' ? await shelf.publish(seed) : seed);
    }
    return { ...start, seeds };
  }

  /** An unknown sandbox is not an error. @throws {ApiError} `storage_failed` */
  async end(id: string): Promise<void> {
    const { valkey, families, keys } = this.#options;
    const family = families.of(id);
    await family.enter(id, 0);
    const records = this.#membersOf(id);
    const [origin] = records;
    if (!origin) return;
    if (origin.forkOf === null) await this.#endFamily(id, records);
    else {
      await family.change((plans) => {
        for (const member of plans.familyOf(id)) plans.end(member);
      });
    }
    await keys.removeAll(records);
    const message: Message = { sandbox: id };
    // Servers with listeners learn it now, others with the next request.
    await valkey.publish(channelOf(familyOf(id)), JSON.stringify(message));
  }

  /** A server that starts at the same time may have made a sandbox for the same preconfigured key. */
  async #claim(record: SandboxRecord): Promise<void> {
    const { keys, families } = this.#options;
    const [key] = record.keys;
    if (key === undefined) return;
    const first = await keys.claim(key.hash, record.id);
    if (first === record.id) return;
    await families.of(first).enter(first, 0);
    if (!families.known(first)?.replica?.states.has(first)) return;
    await this.#endFamily(record.id, [record]);
    throw new ApiError('conflict', 'another server made the sandbox of this preconfigured key; try again');
  }

  async #endFamily(id: string, records: readonly SandboxRecord[]): Promise<void> {
    const family = this.#options.families.of(id);
    const others = records.flatMap((member) => [requestLogKey(member.id), talliesKey(member.id)]);
    for (;;) {
      const { replica } = family;
      if (!replica) return;
      const reply = await family.run(END, replica, { keys: others });
      if (reply === 1) family.end();
      if (reply !== 0) return;
      await family.catchUp(replica);
    }
  }

  #membersOf(id: string): readonly SandboxRecord[] {
    const replica = this.#options.families.known(id)?.replica;
    if (!replica?.states.has(id)) return [];
    return new Plans(replica).familyOf(id).map((member) => (replica.states.get(member) as SandboxState).record);
  }
}
