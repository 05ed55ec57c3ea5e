/** Counts all requests since the start, for the metrics. */
import type { Exchange, Violation } from '../../base/api/exchange.ts';

/** Counts of one operation. */
const newFigures = (specification: string) => ({
  specification,
  /** Number of responses by status; 0 if nothing was sent. */
  statuses: new Map<number, number>(),
  /** Sum of all durations, in milliseconds. */
  totalMs: 0,
  injected: 0,
  violations: { request: 0, response: 0 } as Record<Violation['side'], number>,
});
type OperationFigures = ReturnType<typeof newFigures>;

export class RequestFigures {
  /** By operation name; `none` for requests without a matching operation. */
  readonly operations = new Map<string, OperationFigures>();

  /** Counts a request after its response. */
  count(exchange: Exchange): void {
    const figures = this.#of(exchange);
    const { status } = exchange.response;
    figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1);
    figures.totalMs += exchange.durationMs;
    if (exchange.injectedFault !== undefined) figures.injected++;
  }

  /** Counts the validator's findings. */
  countVerdict(exchange: Exchange): void {
    const violations = exchange.verdict?.violations;
    if (violations === undefined || violations.length === 0) return;
    const figures = this.#of(exchange);
    for (const { side } of violations) figures.violations[side]++;
  }

  #of({ operation = 'none', specification }: Exchange): OperationFigures {
    let figures = this.operations.get(operation);
    if (!figures) {
      figures = newFigures(operation === 'none' ? 'none' : specification);
      this.operations.set(operation, figures);
    }
    return figures;
  }
}
