/**
 * A client that creates the same pet again because the response to the first request was lost or late. The first pet
 * exists nevertheless, so there are two.
 */
import { isParallel, waitedMs } from '../../attempts.ts';
import type { Exchange } from '../../exchange.ts';
import { type Habit, MAX_TOLD } from './habit.ts';

/** A client closes its connection and opens another one: the server may notice the two events in either order. */
export const REORDERED_MS = 50;

/** One finding per pair. */
export function createdTwice(exchanges: readonly Exchange[]): Habit[] {
  const created = exchanges.filter((each) => each.effect.created.length > 0 && !each.cut?.request);
  const found: Habit[] = [];
  for (const [index, first] of created.entries()) {
    const lost = lossOf(first);
    if (lost === undefined || found.length >= MAX_TOLD) continue;
    const again = created.slice(index + 1).find((each) => isSameAfter(first, each));
    if (!again || isParallel(exchanges, first, again)) continue;
    found.push({
      operation: first.operation,
      message: `pet ${first.effect.created[0]} was created by ${first.id}, whose ${lost}, and the same pet was created again as ${again.effect.created[0]} by ${again.id}`,
      count: 1,
      evidence: [first, again],
    });
  }
  return found;
}

/** Why the client did not learn in time what it had created; `undefined` if it could. */
export function lossOf(exchange: Exchange): string | undefined {
  const { response, clientLeftAt, delayMs } = exchange;
  if (clientLeftAt !== undefined) return 'response was late: the client had left';
  if (response.status >= 300) return `response was lost: ${response.status} stood in for it`;
  if (isLost(exchange)) return 'response was lost: the connection broke';
  return delayMs > 0 ? `response was late: it came after ${delayMs} ms` : undefined;
}

/** Whether the response was replaced or incomplete. */
export const isLost = ({ response, injected }: Exchange): boolean =>
  response.status === 0 || response.status >= 300 || injected?.includes('connection=') === true;

/** The earliest time at which the client of a lost response noticed. */
export const knownLostAt = ({ clientLeftAt, answeredAt }: Exchange): number => clientLeftAt ?? answeredAt;

function isSameAfter(first: Exchange, each: Exchange): boolean {
  const { request, effect } = each;
  if (request.target !== first.request.target || request.body !== first.request.body) return false;
  // Ids only increase: a lower one means that the sandbox was reset, and that the first pet is gone.
  if ((effect.created[0] as bigint) <= (first.effect.created[0] as bigint)) return false;
  if (first.clientLeftAt !== undefined) return each.at >= first.clientLeftAt - REORDERED_MS;
  if (isLost(first)) return waitedMs(first, each) >= 0;
  // It arrived while the first was in flight: a retry of a client that did not wait, not a parallel request.
  return waitedMs(first, each) < 0 && each.at - first.at >= first.delayMs / 2;
}
