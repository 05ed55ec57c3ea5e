/** Responses that a test meets by breaking the specification on purpose: `createPet:400`. */
import { ApiError } from '../errors.ts';
import { type OperationName, operationNames } from '../generated/facts.ts';
import { notKnown } from '../wording.ts';

/** By operation: the statuses of responses whose requests are invalid on purpose. */
export type IntendedStatuses = ReadonlyMap<string, ReadonlySet<number>>;

/** Reads `createPet:400,getPet:404`. @throws {ApiError} `invalid_request` for an operation that is not described */
export function readIntended(text: string): IntendedStatuses {
  const intended = new Map<string, Set<number>>();
  for (const each of text.split(',').filter((part) => part !== '')) {
    const [operation = '', status] = each.split(':');
    if (!operationNames.includes(operation as OperationName)) {
      throw new ApiError('invalid_request', `query/intended: ${operation} ${notKnown(operation, operationNames)}`);
    }
    intended.set(operation, (intended.get(operation) ?? new Set()).add(Number(status)));
  }
  return intended;
}
