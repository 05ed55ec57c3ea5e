/**
 * What happened in one sandbox since its journal was last cleared, in counts: what the journal drops still counts. The
 * contract report is made of these. Whatever could not be counted or judged is counted as such.
 */
import type { Exchange, Violation, Warning } from '../exchange.ts';
import { Allowance, type Budget } from './allowance.ts';
import { Groups } from './groups.ts';
import { type RoundedNumber, Rounding } from './rounding.ts';

/** What one sandbox may remember of its findings, in bytes: about 250 groups of findings. */
const MAX_BYTES = 512 * 1024;

/** How often an operation answered with a status. */
export interface AnswerCount {
  /** Answers of the sandbox itself. */
  given: number;
  /** Answers that a fault stood in for. */
  injected: number;
}

/** An injected fault, in words. */
export interface InjectedFault {
  readonly fault: string;
}

/** Why the referee failed. */
export interface Unjudged {
  readonly reason: string;
}

/** Counts of one operation. */
export class OperationTally {
  readonly answers = new Map<number, AnswerCount>();
  /** Exchanges that are not refereed: HEAD. They are in no other count. */
  notRefereed = 0;
  readonly violations: Groups<Violation>;
  /** Uses of a deprecated operation are among them, with the rule `deprecated` and the place `operation`. */
  readonly warnings: Groups<Warning>;
  readonly injected: Groups<InjectedFault>;
  readonly unjudged: Groups<Unjudged>;
  readonly rounded: Groups<RoundedNumber>;

  constructor(allowance: Allowance) {
    this.violations = new Groups(
      ({ side, place, pointer, rule, message }) => `${side}\n${place}\n${pointer}\n${rule}\n${message}`,
      allowance,
    );
    this.warnings = new Groups(({ rule, place, message }) => `${rule}\n${place}\n${message}`, allowance);
    this.injected = new Groups(({ fault }) => fault, allowance);
    this.unjudged = new Groups(({ reason }) => reason, allowance);
    this.rounded = new Groups(({ place, sent, handedOut }) => `${place} ${sent} ${handedOut}`, allowance);
  }

  /** How many findings there was no room for. */
  get uncounted(): number {
    return [this.violations, this.warnings, this.injected, this.unjudged, this.rounded].reduce(
      (sum, groups) => sum + groups.uncounted,
      0,
    );
  }
}

export class Tallies {
  /** Real time of the last clear, or of the beginning, in milliseconds since 1970. */
  readonly since: number;
  readonly operations = new Map<string, OperationTally>();
  /** Answers where no operation of the document matches, by status. */
  readonly unmatched = new Map<number, number>();
  readonly #allowance: Allowance;
  readonly #rounding: Rounding;

  constructor(since: number, budget: Budget) {
    this.since = since;
    this.#allowance = new Allowance(budget, MAX_BYTES);
    this.#rounding = new Rounding(this.#allowance);
  }

  /** Why the counts are not the whole truth; empty when they are. */
  get gaps(): readonly string[] {
    const all = [...this.operations.values()];
    const uncounted = all.reduce((sum, tally) => sum + tally.uncounted, 0);
    const unjudged = all.reduce(
      (sum, tally) => sum + tally.unjudged.all().reduce((some, { count }) => some + count, 0),
      0,
    );
    const { forgotten } = this.#rounding;
    return [
      ...(unjudged > 0 ? [`the referee failed on ${many(unjudged, 'exchange')}`] : []),
      ...(uncounted > 0 ? [`there was no room to count ${many(uncounted, 'finding')} of further kinds`] : []),
      ...(forgotten > 0 ? [`there was no room to watch ${many(forgotten, 'large integer')} for rounding`] : []),
    ];
  }

  /** Looks at the numbers of an exchange that was just answered, while its bodies are whole. */
  watch(exchange: Exchange): void {
    const rounded = this.#rounding.find(exchange);
    if (rounded) this.#of(exchange.operation as string).rounded.add(rounded, exchange.id);
    else this.#rounding.note(exchange);
  }

  /** Counts an exchange that is settled. */
  count(exchange: Exchange): void {
    const { id, operation, answer, injected, verdict } = exchange;
    if (operation === undefined) {
      this.unmatched.set(answer.status, (this.unmatched.get(answer.status) ?? 0) + 1);
      return;
    }
    const tally = this.#of(operation);
    if (!verdict) {
      tally.notRefereed += 1;
      return;
    }
    const count = answerCount(tally, answer.status);
    if (injected === undefined) count.given += 1;
    else {
      count.injected += 1;
      tally.injected.add({ fault: injected }, id);
    }
    if (verdict.unjudged !== undefined) tally.unjudged.add({ reason: verdict.unjudged }, id);
    for (const violation of verdict.violations) tally.violations.add(violation, id);
    for (const warning of verdict.warnings) tally.warnings.add(warning, id);
  }

  /** Gives back what it took: it is of no use any more. */
  release(): void {
    this.#allowance.release();
  }

  #of(operation: string): OperationTally {
    let tally = this.operations.get(operation);
    if (!tally) {
      tally = new OperationTally(this.#allowance);
      this.operations.set(operation, tally);
    }
    return tally;
  }
}

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

function answerCount({ answers }: OperationTally, status: number): AnswerCount {
  let count = answers.get(status);
  if (!count) {
    count = { given: 0, injected: 0 };
    answers.set(status, count);
  }
  return count;
}
