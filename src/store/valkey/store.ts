/** The store of sandboxes that several servers share. Reading uses what this process has; the door keeps it new. */
import { type Awaitable, continued } from '../../core/awaitable.ts';
import type { StoredPet } from '../../core/pet.ts';
import type { AllPets } from '../all-pets.ts';
import { Account, type StoreLimits } from '../bounds.ts';
import { type Change, petsAddedBy } from '../change.ts';
import { gone } from '../entries.ts';
import type { Fixture } from '../fixture.ts';
import { Lists } from '../lists.ts';
import { branchOf, type NewFixture, nameOf, type OwnFixture, ownFixture, type Seed, Seeds } from '../own-fixture.ts';
import type { ListQuery, PetList } from '../pet-list.ts';
import type { SandboxRecord } from '../record.ts';
import { savedOf } from '../save.ts';
import type { Saved } from '../saved.ts';
import { infoOf, restored, type SandboxState, type Snapshot, withoutSnapshot, withSnapshot } from '../state.ts';
import type { Plan, Restart, SandboxContents, SnapshotInfo, Source, Store } from '../store.ts';
import { WorldView } from '../world-view.ts';
import type { ValkeyClient } from './client.ts';
import type { ValkeyFamilies } from './families.ts';
import { nameIn, type SharedFixtures } from './fixtures.ts';
import type { KeyIndex } from './key-index.ts';
import { Lives } from './lives.ts';
import type { Plans } from './plans.ts';
import { Missing } from './writer.ts';

interface SharedStoreOptions {
  readonly valkey: ValkeyClient;
  readonly families: ValkeyFamilies;
  readonly keys: KeyIndex;
  readonly fixtures: SharedFixtures;
  readonly limits: StoreLimits;
  readonly maxListed: number;
  readonly close: () => Promise<void>;
}

export class SharedStore implements Store {
  readonly kind = 'valkey';
  readonly isShared = true;
  readonly #options: SharedStoreOptions;
  readonly #seeds: Seeds;
  readonly #lists: Lists;
  readonly #account: Account;
  readonly #lives: Lives;

  constructor(options: SharedStoreOptions) {
    this.#options = options;
    this.#seeds = new Seeds(options.fixtures);
    this.#lists = new Lists(options.maxListed);
    this.#account = new Account(options.limits);
    this.#lives = new Lives({ ...options, shelf: options.fixtures, seeds: this.#seeds, account: this.#account });
  }

  get figures(): Store['figures'] {
    const { calls, failures } = this.#options.valkey.figures;
    const bytes = this.#options.families.all.reduce((sum, { replica }) => sum + (replica?.bytes ?? 0), 0);
    return { writes: calls, failedWrites: failures, bytes, headBytes: 0 };
  }

  get problem(): string | undefined {
    return this.#options.valkey.problem;
  }

  /** Those that this process has in memory: none at its start. */
  records(): readonly SandboxRecord[] {
    return this.#options.families.all.flatMap(({ replica }) =>
      [...(replica?.states.values() ?? [])].map(({ record }) => record),
    );
  }

  create(record: SandboxRecord, start: Source): Promise<SandboxRecord> {
    return this.#lives.begin(record, start);
  }

  async update(id: string, change: (record: SandboxRecord) => SandboxRecord): Promise<SandboxRecord> {
    const before = this.#state(id).record;
    // A new key leads to its sandbox before it is acknowledged. If the change fails, it leads to nothing.
    const record = await this.#change(id, (plans) => {
      const state = plans.get(id);
      const next = change(state.record);
      return next === state.record ? next : plans.put({ ...state, record: next }).record;
    });
    await this.#options.keys.follow(before, record);
    return record;
  }

  remove(id: string): Promise<void> {
    return this.#lives.end(id);
  }

  find(id: string, petId: bigint): Awaitable<StoredPet | undefined> {
    const { world } = this.#state(id);
    return continued(this.#seeds.load(world.fixture), (fixture) => new WorldView(world, fixture).find(petId));
  }

  list(id: string, query: ListQuery): Awaitable<PetList> {
    const { world } = this.#state(id);
    return continued(this.#seeds.load(world.fixture), (fixture) => this.#lists.first(world, fixture, query));
  }

  async allPets(id: string): Promise<AllPets> {
    const { world } = this.#state(id);
    return new WorldView(world, await this.#seeds.load(world.fixture)).all();
  }

  change<C extends Change>(id: string, plan: Plan<C>): Promise<readonly C[]> {
    return this.#change(id, (plans) => {
      const { world } = plans.get(id);
      const view = new WorldView(world, this.#fixture(world.fixture));
      const changes = plan(view);
      this.#account.rejectBeyondPets(view.count, petsAddedBy(changes));
      if (changes.length > 0) plans.append(id, changes);
      return changes;
    });
  }

  async reset(id: string, asked: Restart): Promise<SandboxRecord> {
    const isNamed = asked !== 'again' && 'fixture' in asked && typeof asked.fixture === 'string';
    const seed = isNamed ? this.#options.fixtures.publish(asked.fixture) : undefined;
    // At once where nothing has to be published: changes take effect in the order of the calls.
    return continued(seed, (fixture) =>
      this.#change(id, (plans) => {
        plans.note(id, null);
        return plans.put(restored(plans.get(id), fixture === undefined ? asked : { fixture })).record;
      }),
    );
  }

  /** Its pets are written with the first sandbox of each family that takes it. */
  withFixture<T>({ nextId, pets }: NewFixture, use: (own: OwnFixture) => Promise<T>): Promise<T> {
    this.#account.rejectLargeFixture(pets.length);
    return use(ownFixture(nextId, pets.length > 0 ? branchOf(pets.map((added) => ({ added }))) : undefined));
  }

  async saveSnapshot(id: string, name: string, at: number): Promise<SnapshotInfo> {
    const { snapshots } = await this.#change(id, (plans) => plans.put(withSnapshot(plans.get(id), name, at)));
    return this.#info([name, snapshots.get(name) as Snapshot]);
  }

  async snapshots(id: string): Promise<readonly SnapshotInfo[]> {
    return Promise.all([...this.#state(id).snapshots].map((each) => this.#info(each)));
  }

  async dropSnapshot(id: string, name: string): Promise<void> {
    await this.#change(id, (plans) => plans.put(withoutSnapshot(plans.get(id), name)));
  }

  async describe(id: string): Promise<SandboxContents> {
    const { world } = this.#state(id);
    const fixture = await this.#seeds.load(world.fixture);
    const { seeded, added, nextId } = new WorldView(world, fixture);
    return { fixture: fixture.name, seeded, added, nextId };
  }

  /** With the fixtures themselves: their files may be on another server. */
  save = async (id: string): Promise<Saved> => {
    const saved = savedOf(this.#state(id));
    const seeds = new Map<string, Seed>();
    for (const [name, seed] of saved.seeds) {
      seeds.set(nameIn(name), typeof seed === 'string' ? ((await this.#seeds.load(seed)) as OwnFixture) : seed);
    }
    const named = <W extends { fixture: string }>(world: W): W => ({ ...world, fixture: nameIn(world.fixture) });
    const snapshots = saved.snapshots.map((snapshot) => ({ ...snapshot, world: named(snapshot.world) }));
    return { ...saved, world: named(saved.world), snapshots, seeds };
  };

  fixtureOf(id: string): string {
    return nameIn(nameOf(this.#state(id).world.fixture));
  }

  close(): Promise<void> {
    return this.#options.close();
  }

  #change<T>(id: string, change: (plans: Plans) => T): Promise<T> {
    return this.#options.families.of(id).change(change);
  }

  /** @throws {ApiError} `not_found` */
  #state(id: string): SandboxState {
    const state = this.#options.families.known(id)?.replica?.states.get(id);
    if (!state) throw gone(id);
    return state;
  }

  /** @throws {Missing} */
  #fixture(seed: Seed): Fixture {
    const fixture = this.#seeds.get(seed);
    if (fixture) return fixture;
    throw new Missing(async () => this.#seeds.load(seed));
  }

  async #info([name, snapshot]: [string, Snapshot]): Promise<SnapshotInfo> {
    const info = infoOf(name, snapshot, await this.#seeds.load(snapshot.world.fixture));
    return { ...info, fixture: nameIn(info.fixture) };
  }
}
