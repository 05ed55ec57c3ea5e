/** Addresses that cannot be read. */

import { isReadable, pathOfTarget } from '../../base/address.ts';
import type { ApiError } from '../../base/api/errors.ts';
import { quoted } from '../../base/text.ts';
import { rejection } from './body.ts';
import type { RequestParts } from './open-exchange.ts';

/** The path of a request, as sent. */
export const pathOf = ({ exchange }: RequestParts): string => exchange.request.target.split(/[?#]/, 1)[0] as string;

/** Rejects an ambiguous or malformed address, whatever it requests. @throws {ApiError} `invalid_request` */
export function rejectUnreadable(req: RequestParts): void {
  if (!isReadable(req.exchange.request.target)) throw unreadable(req);
}

/** The error for an ambiguous or malformed address. */
export function unreadable(req: RequestParts): ApiError {
  const { target } = req.exchange.request;
  const path = pathOfTarget(target);
  const [location, text] = isReadable(path) ? ['query', target.slice(path.length + 1)] : ['path', path];
  const message = `has a bad percent-encoding (${quoted(text, 100)}): write "%" as "%25", and all but plain letters, digits and marks as the bytes of their UTF-8`;
  return rejection(req, 'invalid_request', [{ location, message, difference: 'text-encoding' }]);
}
