/**
 * Creations whose response was lost, and that nobody looked for afterwards. The pet exists, and its client may not
 * know. To give up is no mistake, so these are notes; a client that creates the pet again has a habit
 * (`created-twice`).
 */
import { inOrder } from '../attempts.ts';
import type { Exchange } from '../exchange.ts';
import type { components } from '../generated/controls.d.ts';
import type { OperationName } from '../generated/facts.ts';
import { isIntended } from '../sandbox/intent.ts';
import { sampleOf } from '../sandbox/sample.ts';
import { isLost, knownLostAt, lossOf, REORDERED_MS } from './habits/created-twice.ts';
import { MAX_TOLD } from './habits/habit.ts';
import type { ReportHabit } from './habits/habits.ts';

type LostCreation = components['schemas']['ReportLostCreation'];

/** @param habits of the same exchanges: what they name is not named again */
export function lostCreationsIn(exchanges: readonly Exchange[], habits: readonly ReportHabit[]): LostCreation[] {
  const told = new Set(habits.filter(({ rule }) => rule === 'created-twice').flatMap(({ requests }) => requests));
  const ordered = inOrder(exchanges.filter((each) => !isIntended(each)));
  const lastLookAt = Math.max(...ordered.filter(looks).map(({ at }) => at), 0);
  return ordered
    .filter((each) => each.effect.created.length > 0 && (isLost(each) || each.clientLeftAt !== undefined))
    .filter((each) => !told.has(each.id) && lastLookAt < knownLostAt(each) - REORDERED_MS)
    .slice(0, MAX_TOLD)
    .map((each) => ({
      operation: each.operation as OperationName,
      message: `pet ${each.effect.created[0]} was created by ${each.id}, whose ${lossOf(each)}; no later request looked for it`,
      sample: sampleOf(each, undefined),
      count: 1,
      requests: [each.id],
      last: each.id,
    }));
}

/** Whether the client was shown pets. */
const looks = (each: Exchange): boolean =>
  each.operation !== undefined && each.request.method === 'GET' && !isLost(each);
