/** One isolated sandbox, opened by its keys. */
import type { Awaitable } from '../core/awaitable.ts';
import { type Clock, stopwatch } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import type { StoredPet } from '../core/pet.ts';
import type { Budget } from '../requests/allowance.ts';
import type { Change } from '../store/change.ts';
import type { ListQuery, PetList } from '../store/pet-list.ts';
import type { FaultRecord, KeyRecord, NewFault, SandboxRecord } from '../store/record.ts';
import type { Plan, Store } from '../store/store.ts';
import {
  type Faults,
  type FaultsOptions,
  needsName,
  newRule,
  type Rules,
  takeNext,
  withoutRule,
  withRule,
} from './fault-plans.ts';
import type { FaultedRequest } from './fault-turns.ts';
import type { Fault } from './faults.ts';
import { LiveFaults } from './live-faults.ts';
import { timeIn } from './sandbox-clock.ts';
import { type ControlChange, noted, type Start, Trail, type Trails } from './trail.ts';

export interface SandboxParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Memory for what the control API changed since the start of each sandbox. */
  readonly steps?: Budget | undefined;
  /** Keeps what the control API changed, if other processes read it too. */
  readonly trails?: Trails | undefined;
}

export class Sandbox {
  readonly id: string;
  /** Its record, as last written. */
  record: SandboxRecord;
  /** By the system clock, in milliseconds since 1970. Lost on a restart. */
  lastUsedAt: number;
  readonly faults: Faults;
  /** What the control API changed since it last restarted. */
  readonly trail: Trail;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #trails: Trails | undefined;

  constructor(record: SandboxRecord, { store, clock, steps, trails }: SandboxParts) {
    this.id = record.id;
    this.record = record;
    this.lastUsedAt = clock.now();
    this.#store = store;
    this.#clock = clock;
    this.#trails = trails;
    this.trail = new Trail(record, steps);
    const options = {
      write: (change: (rules: Rules) => Rules) => this.update((all) => ({ ...all, faults: change(all.faults) })),
      now: () => clock.now(),
    };
    this.faults = store.isShared
      ? new ConfirmedFaults({ ...options, present: () => this.record.faults })
      : new LiveFaults({ ...options, rules: record.faults, onChange: (faults) => this.trail.note({ faults }) });
  }

  /** The time in this sandbox, in milliseconds since 1970. */
  now(): number {
    return timeIn(this.record.clock, this.#clock.now());
  }

  findPet(id: bigint): Awaitable<StoredPet | undefined> {
    return this.#store.find(this.id, id);
  }

  listPets(query: ListQuery): Awaitable<PetList> {
    return this.#store.list(this.id, query);
  }

  /** Makes the changes that `plan` decides on, all or none. @throws {ApiError} see `Store.change` */
  changePets<C extends Change>(plan: Plan<C>): Promise<readonly C[]> {
    return this.#store.change(this.id, plan);
  }

  /** Changes its record. @throws {ApiError} `storage_failed` */
  async update(change: (record: SandboxRecord) => SandboxRecord): Promise<void> {
    const record = await this.#store.update(this.id, change);
    // A shared store has told of it with `follow`, and perhaps of changes after it.
    if (this.#store.isShared) return;
    const { clock } = this.record;
    this.record = record;
    if (record.clock !== clock) this.trail.note({ clock: record.clock });
  }

  /** Takes over what this process or another one changed in a shared store. */
  follow(record: SandboxRecord, start: Start): void {
    this.record = record;
    this.trail.restore(start);
  }

  /** A control changed something beside the record: it added pets. @throws {ApiError} `storage_failed` */
  async noteStep(change: ControlChange): Promise<void> {
    if (this.#trails) await this.#trails.change(this.id, (start) => noted(start, change, stopwatch()));
    else this.trail.note(change);
  }

  /** Takes over the start of a recording. @throws {ApiError} `storage_failed` */
  async startFrom(start: Start): Promise<void> {
    if (this.#trails) await this.#trails.change(this.id, () => start);
    else this.trail.restore(start);
  }

  /** Replaces the whole state, including its faults, with the record that `write` resolves to. */
  async takeOver(write: () => Promise<SandboxRecord>): Promise<void> {
    await this.faults.replaceBy(async () => {
      const record = await write();
      if (!this.#store.isShared) {
        this.record = record;
        this.trail.begin(record);
      }
      return record.faults;
    });
  }
}

/** 404 for a sandbox that no longer exists. */
export const gone = (id: string): ApiError =>
  new ApiError('not_found', `no sandbox ${id}; it may have been ended or have expired`);

/** True while the key opens its sandbox, at a real time in milliseconds since 1970. */
export const isActive = (key: KeyRecord, now: number): boolean => key.revokedAt === null && !isExpired(key, now);

/** `expiresAt` is the first moment after the lifetime. */
const isExpired = ({ expiresAt }: { readonly expiresAt: number | null }, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

/**
 * The fault rules of a sandbox that several servers serve: a turn is written before it is used, so that no two requests
 * use the same one, wherever they arrive.
 */
class ConfirmedFaults implements Faults {
  readonly #options: Omit<FaultsOptions, 'rules' | 'onChange'> & { readonly present: () => Rules };

  /** @param options `present` returns the newest rules that this process knows */
  constructor(options: Omit<FaultsOptions, 'rules' | 'onChange'> & { readonly present: () => Rules }) {
    this.#options = options;
  }

  get rules(): Rules {
    return this.#options.present();
  }

  get askForName(): boolean {
    return needsName(this.rules);
  }

  /** A request that no rule counts costs no write. */
  async next(request: FaultedRequest): Promise<Fault | undefined> {
    const { write, now } = this.#options;
    if (takeNext(this.rules, request, now()).rules === this.rules) return undefined;
    let taken: Fault | undefined;
    await write((rules) => {
      const turn = takeNext(rules, request, now());
      taken = turn.fault;
      return turn.rules;
    });
    return taken;
  }

  async add(ask: NewFault): Promise<FaultRecord> {
    const rule = newRule(ask);
    await this.#change((rules) => withRule(rules, rule));
    return rule;
  }

  async remove(id: string): Promise<void> {
    await this.#change((rules) => withoutRule(rules, id));
  }

  async clear(): Promise<void> {
    await this.#change(() => []);
  }

  async replaceBy(change: () => Promise<Rules>): Promise<void> {
    await change();
  }

  async flush(): Promise<void> {
    // Nothing is ever pending.
  }

  async #change(change: (rules: Rules) => Rules): Promise<void> {
    await this.#options.write(change);
  }
}
