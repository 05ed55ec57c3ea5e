/**
 * The fault rules of a sandbox that several servers serve: a turn is written before it is used, so that no two requests
 * use the same one, wherever they arrive.
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

export class ConfirmedFaults implements Faults {
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
