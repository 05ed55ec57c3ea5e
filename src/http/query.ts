/** Splits a query exactly: every parameter as often as it came, and nothing guessed. */
import { ApiError } from '../errors.ts';

/** Name and value, decoded. */
export type QueryPair = readonly [name: string, value: string];

const NONE: readonly QueryPair[] = [];

/** @param target path and query as sent @throws {ApiError} `invalid_request` for a bad percent-encoding */
export function readQuery(target: string): readonly QueryPair[] {
  const start = target.indexOf('?');
  if (start < 0 || start === target.length - 1) return NONE;
  return target
    .slice(start + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    });
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new ApiError('invalid_request', badEncoding(text), [], { cause });
  }
}

/** What is said of a bad percent-encoding, wherever it stands. */
export const badEncoding = (text: string): string =>
  `the address has a bad percent-encoding (${JSON.stringify(text.slice(0, 40))}): write "%" as "%25", and other bytes as UTF-8`;
