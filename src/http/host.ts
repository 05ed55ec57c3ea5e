/** A request of HTTP/1.1 names its host, once (RFC 9112, section 3.2). */
import type { RequestHandler } from 'express';
import { ApiError } from '../errors.ts';
import { timesSent } from './times-sent.ts';

/** Node would refuse a missing `Host` by itself, but without an Error body, and takes two of them for one. */
export const requireHost: RequestHandler = (req, _res, next) => {
  const times = timesSent(req.rawHeaders, 'host');
  if (times === 1 || (times === 0 && req.httpVersion === '1.0')) next();
  else throw new ApiError('invalid_request', `\`Host\` was sent ${times} times; send it once`, ['Connection', 'close']);
};
