/** Selects the fault of a sandbox's rules for a request. None of this runs while a sandbox has no rules. */

import { readQuery } from '../../base/api/parameters.ts';
import { readDecimal } from '../../base/int64.ts';
import type { Fault } from '../../sandbox/faults.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Request } from '../http/open-exchange.ts';

/** Reads the body once: every call returns the same bytes, or throws the same error. */
export type BodyReader = () => Promise<Buffer | undefined>;

/** Makes a reader that several steps can call. */
export function readOnce(read: BodyReader): BodyReader {
  let reading: Promise<Buffer | undefined> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

/** The fault of the first rule that matches and triggers. @throws {ApiError} `storage_failed` */
export async function ruledFault(req: Request, { faults }: Sandbox, operation: string): Promise<Fault | undefined> {
  // It is no use of the operation: nothing counts it.
  if (req.method === 'HEAD') return undefined;
  const { petId } = req.params;
  return faults.next({
    operation,
    petId: typeof petId === 'string' ? readDecimal(petId)?.toString() : undefined,
    query: readQuery(req.exchange.request.target),
  });
}
