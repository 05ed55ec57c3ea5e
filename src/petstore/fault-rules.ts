/** Selects the fault of a sandbox's rules for a request. None of this runs while a sandbox has no rules. */

import { ApiError } from '../api/errors.ts';
import { readQuery } from '../api/parameters.ts';
import { parseJson, readDecimal } from '../core/int64.ts';
import { JsonError } from '../core/json.ts';
import { MAX_MEMBERS } from '../core/limits.ts';
import type { Capacity } from '../http/capacity.ts';
import type { Request } from '../http/open-exchange.ts';
import type { Fault } from '../sandbox/faults.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

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

/** @param read `undefined` if the operation has no body @throws {ClientGone} */
export async function ruledFault(
  req: Request,
  { faults }: Sandbox,
  operation: string,
  read: BodyReader | undefined,
  capacity: Capacity,
): Promise<Fault | undefined> {
  // It is no use of the operation: nothing counts it.
  if (req.method === 'HEAD') return undefined;
  const { petId } = req.params;
  const name = read && faults.askForName ? await petNameIn(req, read, capacity) : undefined;
  return faults.next({
    operation,
    petId: typeof petId === 'string' ? readDecimal(petId)?.toString() : undefined,
    name,
    query: readQuery(req.exchange.request.target),
  });
}

/** The pet's name. A body without a name, or an unreadable body, matches no rule with a name. */
async function petNameIn(req: Request, read: BodyReader, capacity: Capacity): Promise<string | undefined> {
  try {
    const bytes = await read();
    if (bytes === undefined) return undefined;
    const body = await capacity.inTurnWithBody(req.exchange, bytes.length, () =>
      parseJson(bytes.toString('utf8'), MAX_MEMBERS),
    );
    const name = (body as { name?: unknown } | null)?.name;
    return typeof name === 'string' ? name : undefined;
  } catch (error) {
    if (error instanceof ApiError || error instanceof JsonError) return undefined;
    throw error;
  }
}
