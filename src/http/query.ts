/** Splits a query exactly: every parameter with all its repetitions, without any guessing. */
import type { ApiError } from '../api/errors.ts';
import type { Problem } from '../api/exchange.ts';
import { isReadable, partsOfTarget, pathOfTarget } from '../core/address.ts';
import { quoted } from '../core/text.ts';
import { rejection } from './body.ts';
import type { RequestParts } from './open-exchange.ts';

/** Name and value, decoded. */
export type QueryPair = readonly [name: string, value: string];

const NONE: readonly QueryPair[] = [];

/** The path of a request, as sent. */
export const pathOf = ({ exchange }: RequestParts): string => exchange.request.target.split(/[?#]/, 1)[0] as string;

/** @param target path and query as sent; its percent-encoding has been validated, see `rejectUnreadable` */
export function readQuery(target: string): readonly QueryPair[] {
  const { query = '' } = partsOfTarget(target);
  if (query === '') return NONE;
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    });
}

/** The value of a parameter, which may be given once and not empty; anything else becomes a problem. */
export function onlyValue(
  pairs: readonly QueryPair[],
  name: string,
  problems: Problem[],
  wanted: () => string = () => 'a value',
): string | undefined {
  const values = pairs.filter((pair) => pair[0] === name);
  const location = `query/${name}`;
  if (values.length > 1) {
    const message = `is given ${values.length} times; give it once`;
    problems.push({ location, message, difference: 'parameter-twice' });
    return undefined;
  }
  const value = values[0]?.[1];
  if (value !== '') return value;
  const message = `is empty; give ${wanted()}, or leave it out`;
  problems.push({ location, message, difference: 'parameter-empty' });
  return undefined;
}

const decode = (text: string): string => (/[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text);

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
