/** A value for each status of a pet. */
import { petStatuses } from '../generated/facts.ts';
import type { PetStatus } from '../pet.ts';

export const eachStatus = <T>(value: (status: PetStatus) => T): Record<PetStatus, T> =>
  Object.fromEntries(petStatuses.map((status) => [status, value(status)])) as Record<PetStatus, T>;
