/**
 * The active fault rules of one sandbox. Their counts are updated synchronously, so that two requests never use the
 * same turn, and written asynchronously: no request waits for it.
 */
import { randomInt } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { newFault } from '../generated/facts.ts';
import { newId } from '../ids.ts';
import type { FaultRecord, NewFault } from '../store/record.ts';
import { type FaultedRequest, isDue, takeTurn } from './fault-turns.ts';
import { type Fault, MAX_FAULT_SEED, MAX_FAULTS, whenOf } from './faults.ts';

type Rules = readonly FaultRecord[];

/** The maximum age of counts that a crash may lose. */
const WRITE_AFTER_MS = 1000;

export class LiveFaults {
  #rules: Rules;
  /** Writes a change of the rules; rejects with `storage_failed`. */
  readonly #write: (change: (rules: Rules) => Rules) => Promise<void>;
  /** Real time in milliseconds since 1970, for rate limiters. */
  readonly #now: () => number;
  /** Called when a control has changed the rules. */
  readonly #onChange: (rules: Rules) => void;
  #due: NodeJS.Timeout | undefined;
  /** The number of replacements in progress. */
  #replacing = 0;

  constructor(
    rules: Rules,
    write: (change: (rules: Rules) => Rules) => Promise<void>,
    now: () => number,
    onChange: (rules: Rules) => void = () => undefined,
  ) {
    this.#rules = rules;
    this.#write = write;
    this.#now = now;
    this.#onChange = onChange;
  }

  /** In the order in which they are tried. */
  get rules(): Rules {
    return this.#rules;
  }

  /** The fault for this request: the first rule that matches and is due acts, and is counted. */
  next(request: FaultedRequest): Fault | undefined {
    for (const rule of this.#rules) {
      if (!isDue(rule, request)) continue;
      const { acts, retryAfter, rule: counted } = takeTurn(rule, this.#now());
      this.#count(rule, counted);
      if (!acts) continue;
      const when = whenOf(rule);
      return retryAfter === undefined ? { ...rule, when } : { ...rule, when, status: rule.status ?? 429, retryAfter };
    }
    return undefined;
  }

  /** Whether a rule needs the name in a request's body. */
  get askForName(): boolean {
    return this.#rules.some(({ name }) => name !== undefined);
  }

  /** @throws {ApiError} `limit_reached`, `storage_failed` */
  async add(ask: NewFault): Promise<FaultRecord> {
    const seed = ask.probability === undefined || ask.seed !== undefined ? {} : { seed: randomInt(MAX_FAULT_SEED + 1) };
    const rule: FaultRecord = { id: newId('flt'), ...known(ask), ...seed, when: whenOf(ask), acted: 0, drawn: 0 };
    await this.#write((rules) => {
      if (rules.length < MAX_FAULTS) return [...rules, rule];
      throw new ApiError('limit_reached', `a sandbox has ${MAX_FAULTS} faults at most; delete one first`);
    });
    this.#set([...this.#rules, rule]);
    return rule;
  }

  /** @throws {ApiError} `not_found`, `storage_failed` */
  async remove(id: string): Promise<void> {
    if (!this.#rules.some((rule) => rule.id === id)) {
      throw new ApiError('not_found', `this sandbox has no fault ${id}; GET /_sandbox/faults lists them`);
    }
    await this.#write((rules) => rules.filter((rule) => rule.id !== id));
    this.#set(this.#rules.filter((rule) => rule.id !== id));
  }

  /** @throws {ApiError} `storage_failed` */
  async clear(): Promise<void> {
    await this.#write(() => []);
    this.#set([]);
  }

  /**
   * Replaces the rules with the result of `change`. Until then nothing is written: the old rules' counts must not be
   * applied to new rules with the same id, as in a snapshot.
   */
  async replaceBy(change: () => Promise<Rules>): Promise<void> {
    this.#replacing++;
    try {
      this.#rules = await change();
      clearTimeout(this.#due);
      this.#due = undefined;
    } finally {
      this.#replacing--;
    }
  }

  /** Writes pending counts. If the disk fails, the next count tries again. */
  async flush(): Promise<void> {
    if (this.#due === undefined || this.#replacing > 0) return;
    clearTimeout(this.#due);
    this.#due = undefined;
    const counted = new Map(this.#rules.map((rule) => [rule.id, rule]));
    // The store counts its failures; there is no caller to inform.
    await this.#write((rules) => rules.map((rule) => counted.get(rule.id) ?? rule)).catch(() => undefined);
  }

  #set(rules: Rules): void {
    this.#rules = rules;
    this.#onChange(rules);
  }

  #count(rule: FaultRecord, counted: FaultRecord): void {
    this.#rules = this.#rules.map((each) => (each === rule ? counted : each));
    this.#due ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }
}

/** Drops unknown fields of the request. */
const known = (ask: NewFault): NewFault =>
  Object.fromEntries(Object.entries(ask).filter(([name]) => Object.hasOwn(newFault.properties, name)));
