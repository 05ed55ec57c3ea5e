/** All habits of the report, by rule. They are computed when a report is read, so requests pay nothing for them. */
import { inOrder } from '../../attempts.ts';
import type { Exchange } from '../../exchange.ts';
import type { components } from '../../generated/controls.d.ts';
import { MAX_REQUESTS } from '../../sandbox/groups.ts';
import { isIntended } from '../../sandbox/intent.ts';
import { sampleOf } from '../../sandbox/sample.ts';
import { createdTwice } from './created-twice.ts';
import { deadKey } from './dead-key.ts';
import { earlyRetry } from './early-retry.ts';
import type { FindHabit, Habit } from './habit.ts';
import { polling } from './polling.ts';
import { refusedBodyAgain } from './refused-body-again.ts';
import { usedAfterRemoval } from './used-after-removal.ts';

type Schemas = components['schemas'];

/** A habit as the report shows it. */
export type ReportHabit = Schemas['ReportHabit'];

const HABITS: Readonly<Record<ReportHabit['rule'], FindHabit>> = {
  'early-retry': earlyRetry,
  'refused-body-again': refusedBodyAgain,
  'dead-key': deadKey,
  'used-after-removal': usedAfterRemoval,
  'created-twice': createdTwice,
  polling,
};

/** @param exchanges of one sandbox, settled. HEAD requests and intentionally invalid requests are ignored */
export function habitsIn(exchanges: readonly Exchange[]): ReportHabit[] {
  const looked = inOrder(exchanges.filter((each) => each.request.method !== 'HEAD' && !isIntended(each)));
  return Object.entries(HABITS).flatMap(([rule, find]) =>
    find(looked).map((habit) => shown(rule as ReportHabit['rule'], habit)),
  );
}

function shown(rule: ReportHabit['rule'], { operation, message, count, evidence }: Habit): ReportHabit {
  const ids = evidence.map(({ id }) => id);
  // The first request started the habit; the second should have been different.
  const [first, again = first] = evidence as readonly [Exchange, Exchange?];
  return {
    rule,
    operation: (operation ?? null) as ReportHabit['operation'],
    message,
    sample: sampleOf(again, undefined),
    count,
    requests: ids.slice(0, MAX_REQUESTS),
    last: ids.at(-1) as string,
  };
}
