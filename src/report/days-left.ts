/** The days until a deprecated operation is removed, by the sandbox's clock. */

import type { OperationName } from '../generated/facts.ts';
import { removalOf } from '../specification.ts';

const DAY_MS = 86_400_000;

/**
 * Adds the days left to a warning about a deprecated operation; other warnings are unchanged. @param now in
 * milliseconds
 */
export function withDaysLeft<Found extends { readonly rule: string; readonly place: string; readonly message: string }>(
  warning: Found,
  operation: OperationName,
  now: number,
): Found {
  const removedAt = removalOf(operation);
  if (warning.rule !== 'deprecated' || warning.place !== 'operation' || removedAt === undefined) return warning;
  const days = Math.ceil((removedAt - now) / DAY_MS);
  const left = days > 0 ? `${days.toLocaleString('en')} ${days === 1 ? 'day is' : 'days are'} left` : 'no day is left';
  return { ...warning, message: `${warning.message}; ${left} by the sandbox's clock` };
}
