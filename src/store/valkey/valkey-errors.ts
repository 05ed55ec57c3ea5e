/** Turns errors of Valkey and of the connection into responses. */
import { ApiError } from '../../core/errors.ts';

/** Replies of Valkey that has not carried out a command. */
const REFUSALS = [
  'READONLY',
  'LOADING',
  'MISCONF',
  'CLUSTERDOWN',
  'MASTERDOWN',
  'TRYAGAIN',
  'BUSY',
  'NOAUTH',
  'NOPERM',
];

export const notConnected = (): ApiError =>
  new ApiError('storage_failed', 'the store is not reachable, so nothing happened; send the request again later');

/** A change was sent, and it is not known whether it counts. */
export function notConfirmed(cause: unknown): ApiError {
  const why =
    'the store did not confirm in time: a change may have happened or not; read the state before you send it again';
  return new ApiError('storage_failed', why, [], { cause });
}

/** An error that Valkey or the connection gave. */
export function asApiError(error: unknown): Error {
  const { name, message } = error as Error;
  if (name !== 'ReplyError') return notConfirmed(error);
  const code = message.split(' ', 1)[0] as string;
  if (code === 'OOM') {
    const why = 'the store is full, so nothing happened; end a sandbox, or give the store more memory';
    return new ApiError('limit_reached', why, [], { cause: error });
  }
  if (!REFUSALS.includes(code)) return error as Error;
  const why = 'the store takes no writes at present, so nothing happened; send the request again later';
  return new ApiError('storage_failed', why, [], { cause: error });
}

/** Whether Valkey does not know a script yet: after a restart or a failover. */
export const isUnknownScript = (error: unknown): boolean => (error as Error).message.startsWith('NOSCRIPT');

/** A connection to a primary that became a replica is opened again, to the new primary. */
export const isDemoted = (error: Error): boolean => error.message.startsWith('READONLY');
