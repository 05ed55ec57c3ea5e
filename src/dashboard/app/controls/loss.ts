/** What a reset or a restored snapshot throws away, in words. */
import { many } from '../kit/time.ts';
import { isOwnTime } from '../strip/own-time.ts';
import { useSandboxState } from '../strip/state.ts';

/** `You lose 1 added pet, 2 faults and the time of the clock.` */
export function useLoss(others: readonly string[] = []): string {
  const { sandbox, faults, clock } = useSandboxState();
  const added = sandbox.value?.pets.added ?? 0;
  const rules = faults.value?.length ?? 0;
  const drill = sandbox.value?.drill ?? null;
  const lost = [
    ...(added > 0 ? [many(added, 'added pet')] : []),
    ...(rules > 0 ? [many(rules, 'fault')] : []),
    ...(clock.value && isOwnTime(clock.value) ? ['the time of the clock'] : []),
    ...(drill === null ? [] : ['the running drill']),
    ...others,
  ];
  return lost.length === 0
    ? 'Nothing is lost: no pet was added, and no fault or time was set.'
    : `You lose ${listed(lost)}.`;
}

/** `a`, `a and b`, `a, b and c`. */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
