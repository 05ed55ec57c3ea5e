/** What was measured, of everyone in every round. */
import type { Cpu } from './cpu.ts';
import type { LoadResult } from './load/generator.ts';
import type { Health } from './own-server.ts';

/** `start` in milliseconds, the others in MiB. */
export type Figure = 'start' | 'idle' | 'after' | 'peak';

/** What the validator said at the end, and how many requests were answered. */
export type Validated = Health & { readonly sent: number };

/** A load on a contender; processor time in microseconds a request. */
export type Measured = LoadResult & { readonly cpu: Cpu | undefined };

/** What a table shows of a load: medians over the rounds. */
export interface Medians {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMain: number;
  readonly cpuAll: number;
}

export class Measurements {
  readonly #loads = new Map<string, Measured[]>();
  readonly #figures = new Map<string, number[]>();
  readonly #failures = new Map<string, string>();
  readonly validated: { readonly name: string; readonly health: Validated }[] = [];

  load(name: string, load: string, measured: Measured): void {
    push(this.#loads, `${name}/${load}`, measured);
  }

  figure(name: string, figure: Figure, value: number): void {
    push(this.#figures, `${name}/${figure}`, value);
  }

  health(name: string, health: Validated): void {
    this.validated.push({ name, health });
  }

  /** Notes why a contender takes no part, without the places of this machine. */
  fail(name: string, reason: string): void {
    this.#failures.set(name, reason.replaceAll(/(?<![:/\w])\/(?:[\w.@-]+\/)+/g, '…/'));
  }

  failed(name: string): string | undefined {
    return this.#failures.get(name);
  }

  /** The median of the rounds, of each value by itself. */
  medians(name: string, load: string): Medians | undefined {
    const results = this.#loads.get(`${name}/${load}`);
    if (!results) return undefined;
    const of = (value: (result: Measured) => number) => median(results.map(value));
    return {
      perSecond: of(({ perSecond }) => perSecond),
      p50: of(({ p50 }) => p50),
      p99: of(({ p99 }) => p99),
      cpuMain: of(({ cpu }) => cpu?.main ?? Number.NaN),
      cpuAll: of(({ cpu }) => cpu?.all ?? Number.NaN),
    };
  }

  /** Requests that failed, of all rounds of a load. */
  failures(name: string, load: string): number {
    return (this.#loads.get(`${name}/${load}`) ?? []).reduce((sum, { failures }) => sum + failures, 0);
  }

  median(name: string, figure: Figure): number | undefined {
    const values = this.#figures.get(`${name}/${figure}`);
    return values && median(values);
  }

  /** Nothing went not validated, nobody disagreed, and nobody answered with errors. */
  get isSound(): boolean {
    const validatedAll = this.validated.every(
      ({ health }) =>
        health.validationFailures + health.disagreements + health.brokenResponses === 0 &&
        health.validated >= health.sent,
    );
    return validatedAll && [...this.#loads.values()].flat().every(({ failures }) => failures === 0);
  }
}

/** The middle one; of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
