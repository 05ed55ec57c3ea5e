/** Tallies as data, for a server that keeps them while it does not run. */
import type { OperationTally, ResponseCount, Tallies } from './tallies.ts';

/** The kinds of findings of one operation. */
const KINDS = ['violations', 'warnings', 'intended', 'injected', 'unjudged', 'rounded'] as const;

type Kind = (typeof KINDS)[number];
type SavedGroupsOf = { readonly [K in Kind]: ReturnType<OperationTally[K]['saved']> };

export type SavedOperation = SavedGroupsOf & {
  readonly operation: string;
  readonly responses: readonly (Readonly<ResponseCount> & { readonly status: number })[];
  readonly notRefereed: number;
};

/** It may contain secrets: serialize it with `redactedJson`. */
export interface SavedTallies {
  /** In milliseconds since 1970. */
  readonly since: number;
  readonly operations: readonly SavedOperation[];
  readonly unmatched: readonly { readonly status: number; readonly count: number }[];
  readonly noOperation: ReturnType<Tallies['noOperation']['saved']>;
}

export const savedTallies = ({ since, operations, unmatched, noOperation }: Tallies): SavedTallies => ({
  since,
  operations: [...operations].map(([operation, tally]) => ({
    operation,
    responses: [...tally.responses].map(([status, count]) => ({ status, ...count })),
    notRefereed: tally.notRefereed,
    ...(Object.fromEntries(KINDS.map((kind) => [kind, tally[kind].saved()])) as SavedGroupsOf),
  })),
  unmatched: [...unmatched].map(([status, count]) => ({ status, count })),
  noOperation: noOperation.saved(),
});

/** Fills new tallies. The large integers of exchanges that are gone are not watched for any more. */
export function restoreTallies(tallies: Tallies, saved: SavedTallies): void {
  for (const { operation, responses, notRefereed, ...groups } of saved.operations) {
    const tally = tallies.of(operation);
    tally.notRefereed = notRefereed;
    for (const { status, ...count } of responses) tally.responses.set(status, { ...count });
    for (const kind of KINDS) tally[kind].restore(groups[kind] as never);
  }
  for (const { status, count } of saved.unmatched) tallies.unmatched.set(status, count);
  tallies.noOperation.restore(saved.noOperation);
}
