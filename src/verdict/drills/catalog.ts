/** All drills, in the order in which they are run. */
import { ApiError } from '../../base/api/errors.ts';
import { notKnown, quoted } from '../../base/text.ts';
import type { Schema } from '../../client/routes.ts';
import type { State } from '../../sandbox/store/state.ts';
import { compatibility } from './compatibility.ts';
import type { Drill } from './drill.ts';
import { resultCheck } from './result-check.ts';
import { retries } from './retries.ts';
import { writes } from './writes.ts';

export const DRILLS: readonly Drill[] = [...writes, ...retries, ...compatibility].map((drill) => ({
  ...drill,
  checks: [...drill.checks, resultCheck],
}));

/** @throws {ApiError} `not_found`, with the drill that was probably meant */
export function drillOf(id: string): Drill {
  const drill = DRILLS.find((each) => each.id === id);
  if (drill) return drill;
  const ids = DRILLS.map((each) => each.id);
  throw new ApiError('not_found', `the drill ${id} ${notKnown(id, ids)}`);
}

/** @throws {ApiError} `invalid_request` for a recording whose drill this server does not have */
export function rejectUnknownDrill({ record }: Pick<State, 'record'>): void {
  const id = record.drill?.drill;
  if (id === undefined || DRILLS.some((drill) => drill.id === id)) return;
  throw new ApiError('invalid_request', `body: its drill ${quoted(id, 64)} is none that this server has`);
}

/** A drill as the catalog shows it. */
export const shownDrill = ({ id, group, title, task, times, checks }: Drill): Schema<'Drill'> => ({
  id,
  group,
  title,
  task,
  times,
  checks: checks.map(({ grade: _, ...check }) => check),
});
