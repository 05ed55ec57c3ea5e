/** Findings that say the same, counted together: a thousand requests with one mistake are one line of a report. */
import type { Allowance } from './allowance.ts';

/** How many requests of a group are known by their ids: the first ones, and the last. */
export const MAX_REQUESTS = 10;

/** What is alike about findings, and where they were found. */
export interface Group<Finding> {
  readonly finding: Finding;
  /** How many exchanges it was found in; several times in one count as often. */
  count: number;
  /** Ids of the first exchanges, at most `MAX_REQUESTS`, in the order of their verdicts. */
  readonly requests: string[];
  /** Id of the exchange whose verdict came last. */
  last: string;
}

export class Groups<Finding extends object> {
  readonly #keyOf: (finding: Finding) => string;
  readonly #allowance: Allowance;
  readonly #byKey = new Map<string, Group<Finding>>();
  /** Verdicts are remembered and shared, so that the same object comes again and again. */
  readonly #byFinding = new WeakMap<Finding, Group<Finding>>();
  #uncounted = 0;

  /** @param keyOf findings with the same key are alike */
  constructor(keyOf: (finding: Finding) => string, allowance: Allowance) {
    this.#keyOf = keyOf;
    this.#allowance = allowance;
  }

  /** How many findings are in no group, because there was no room for another one. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /** The groups, in the order in which they first came. */
  all(): readonly Readonly<Group<Finding>>[] {
    return [...this.#byKey.values()];
  }

  /** @param request id of the exchange */
  add(finding: Finding, request: string): void {
    const group = this.#byFinding.get(finding) ?? this.#find(finding);
    if (!group) {
      this.#uncounted += 1;
      return;
    }
    group.count += 1;
    group.last = request;
    if (group.requests.length < MAX_REQUESTS && group.requests.at(-1) !== request) group.requests.push(request);
  }

  #find(finding: Finding): Group<Finding> | undefined {
    const key = this.#keyOf(finding);
    let group = this.#byKey.get(key);
    if (!group) {
      if (!this.#allowance.take(WEIGHT + 4 * key.length)) return undefined;
      group = { finding, count: 0, requests: [], last: '' };
      this.#byKey.set(key, group);
    }
    this.#byFinding.set(finding, group);
    return group;
  }
}

/** A group beside its texts, in bytes: the map's entry, and the ids. */
const WEIGHT = 800;
