/**
 * The active fault rules of one sandbox. Their counts are updated synchronously, so that two requests never use the
 * same turn, and written asynchronously: no request waits for it.
 */
import type { FaultRecord, NewFault } from '../store/record.ts';
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

/** The maximum age of counts that a crash may lose. */
const WRITE_AFTER_MS = 1000;

export class LiveFaults implements Faults {
  #rules: Rules;
  readonly #options: FaultsOptions;
  #due: NodeJS.Timeout | undefined;
  /** The number of replacements in progress. */
  #replacing = 0;

  constructor(options: FaultsOptions) {
    this.#rules = options.rules;
    this.#options = options;
  }

  get rules(): Rules {
    return this.#rules;
  }

  get askForName(): boolean {
    return needsName(this.#rules);
  }

  next(request: FaultedRequest): Fault | undefined {
    const { fault, rules } = takeNext(this.#rules, request, this.#options.now());
    if (rules !== this.#rules) {
      this.#rules = rules;
      this.#due ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
    }
    return fault;
  }

  async add(ask: NewFault): Promise<FaultRecord> {
    const rule = newRule(ask);
    await this.#options.write((rules) => withRule(rules, rule));
    this.#set([...this.#rules, rule]);
    return rule;
  }

  async remove(id: string): Promise<void> {
    withoutRule(this.#rules, id);
    await this.#options.write((rules) => rules.filter((rule) => rule.id !== id));
    this.#set(this.#rules.filter((rule) => rule.id !== id));
  }

  async clear(): Promise<void> {
    await this.#options.write(() => []);
    this.#set([]);
  }

  /**
   * Until the change is done nothing is written: the old rules' counts must not be applied to new rules with the same
   * id, as in a snapshot.
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

  /** If the disk fails, the next count tries again. */
  async flush(): Promise<void> {
    if (this.#due === undefined || this.#replacing > 0) return;
    clearTimeout(this.#due);
    this.#due = undefined;
    const counted = new Map(this.#rules.map((rule) => [rule.id, rule]));
    // The store counts its failures; there is no caller to inform.
    await this.#options.write((rules) => rules.map((rule) => counted.get(rule.id) ?? rule)).catch(() => undefined);
  }

  #set(rules: Rules): void {
    this.#rules = rules;
    this.#options.onChange?.(rules);
  }
}
