/**
 * The fault rules of one sandbox, in use. How far each has come is counted here at once, so that two requests never
 * spend the same turn, and written soon after: no request waits for it.
 */
import { randomInt } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { newFault } from '../generated/facts.ts';
import { newId } from '../ids.ts';
import type { FaultRecord, NewFault } from '../store/record.ts';
import { type Fault, isDrawn, isDue, MAX_FAULT_SEED, MAX_FAULTS, whenOf } from './faults.ts';

type Rules = readonly FaultRecord[];

/** Counts that a crash may lose are no older than this. */
const WRITE_AFTER_MS = 1000;

export class LiveFaults {
  #rules: Rules;
  /** Writes a change of the rules; rejects with `storage_failed`. */
  readonly #write: (change: (rules: Rules) => Rules) => Promise<void>;
  #due: NodeJS.Timeout | undefined;
  /** How many replacements are under way. */
  #held = 0;

  constructor(rules: Rules, write: (change: (rules: Rules) => Rules) => Promise<void>) {
    this.#rules = rules;
    this.#write = write;
  }

  /** In the order in which they are tried. */
  get rules(): Rules {
    return this.#rules;
  }

  /** What happens to this request: the first rule that matches acts, and is spent by it. */
  next(operation: string): Fault | undefined {
    for (const rule of this.#rules) {
      if (!isDue(rule, operation)) continue;
      const acts = isDrawn(rule);
      this.#count(rule, acts);
      if (acts) return { ...rule, when: whenOf(rule) };
    }
    return undefined;
  }

  /** @throws {ApiError} `limit_reached`, `storage_failed` */
  async add(ask: NewFault): Promise<FaultRecord> {
    const seed = ask.probability === undefined || ask.seed !== undefined ? {} : { seed: randomInt(MAX_FAULT_SEED + 1) };
    const rule: FaultRecord = { id: newId('flt'), ...known(ask), ...seed, when: whenOf(ask), acted: 0, drawn: 0 };
    await this.#write((rules) => {
      if (rules.length < MAX_FAULTS) return [...rules, rule];
      throw new ApiError('limit_reached', `a sandbox has ${MAX_FAULTS} faults at most; delete one first`);
    });
    this.#rules = [...this.#rules, rule];
    return rule;
  }

  /** @throws {ApiError} `not_found`, `storage_failed` */
  async remove(id: string): Promise<void> {
    if (!this.#rules.some((rule) => rule.id === id)) {
      throw new ApiError('not_found', `this sandbox has no fault ${id}; GET /_sandbox/faults lists them`);
    }
    await this.#write((rules) => rules.filter((rule) => rule.id !== id));
    this.#rules = this.#rules.filter((rule) => rule.id !== id);
  }

  /** @throws {ApiError} `storage_failed` */
  async clear(): Promise<void> {
    await this.#write(() => []);
    this.#rules = [];
  }

  /**
   * Replaces the rules by what `change` resolves to. Until then nothing is written: the old rules' counts must not
   * reach new ones of the same id, those of a snapshot.
   */
  async replaceBy(change: () => Promise<Rules>): Promise<void> {
    this.#held++;
    try {
      this.#rules = await change();
      clearTimeout(this.#due);
      this.#due = undefined;
    } finally {
      this.#held--;
    }
  }

  /** Writes the counts down, where they are not yet. A disk that refuses is tried again at the next count. */
  async flush(): Promise<void> {
    if (this.#due === undefined || this.#held > 0) return;
    clearTimeout(this.#due);
    this.#due = undefined;
    const counted = new Map(this.#rules.map((rule) => [rule.id, rule]));
    // The store counts its failures; here there is nobody to tell.
    await this.#write((rules) => rules.map((rule) => counted.get(rule.id) ?? rule)).catch(() => undefined);
  }

  #count(rule: FaultRecord, acts: boolean): void {
    const counted = {
      ...rule,
      acted: rule.acted + (acts ? 1 : 0),
      drawn: rule.drawn + (rule.probability === undefined ? 0 : 1),
    };
    this.#rules = this.#rules.map((each) => (each === rule ? counted : each));
    this.#due ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }
}

/** What else came with the request has no effect, and is not kept. */
const known = (ask: NewFault): NewFault =>
  Object.fromEntries(Object.entries(ask).filter(([name]) => Object.hasOwn(newFault.properties, name)));
