/** Turns errors of Valkey and of the connection into responses. */
import { ApiError } from '../../api/errors.ts';

/** What Valkey says when it has not carried out a command, and what that means. */
const REJECTIONS: Readonly<Record<string, string>> = {
  READONLY: 'the store has become a replica, which takes no writes',
  LOADING: 'the store is starting and reads its data',
  MISCONF: 'the store takes no writes because it cannot save them to its disk',
  NOREPLICAS: 'the store takes no writes because too few replicas are connected',
  CLUSTERDOWN: 'the cluster of the store is down',
  MASTERDOWN: 'the store is a replica without its primary',
  TRYAGAIN: 'the cluster of the store is moving the sandbox',
  BUSY: 'the store is busy with a script',
  NOAUTH: 'the store wants a password',
  NOPERM: 'the user of the store lacks a permission',
};

/** Nothing can be sent to the store. */
export const valkeyUnusable = (why: string): ApiError =>
  new ApiError('storage_failed', 'the store is not reachable, so nothing happened; send the request again later', [], {
    cause: new Error(why),
  });

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
  const rejection = REJECTIONS[code];
  if (rejection === undefined) return error as Error;
  const why = `${rejection}, so nothing happened; send the request again later`;
  return new ApiError('storage_failed', why, [], { cause: error });
}

/** Whether Valkey does not know a script yet: after a restart or a failover. */
export const isUnknownScript = (error: unknown): boolean => (error as Error).message.startsWith('NOSCRIPT');

/** A connection to a primary that became a replica is opened again, to the new primary. */
export const isDemoted = (error: Error): boolean => error.message.startsWith('READONLY');
