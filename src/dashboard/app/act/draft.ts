/** A request that this page can send: of an exchange, as it was or corrected. */
import type { Schema } from '../../../client/routes.ts';

export interface Draft {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** One `Name: value` a line, without the key. */
  readonly headers: string;
  readonly body: string;
}

/** Headers that the page or the browser sets. */
const SET_HERE = new Set(['authorization', 'user-agent', 'content-length', 'sandbox-intent']);

/** The request as it was sent, as far as the journal holds it. */
export const draftOf = ({ method, target, request }: Schema<'Exchange'>): Draft => ({
  method,
  target,
  headers: Object.entries(request.headers)
    .filter(([name]) => !SET_HERE.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
  body: request.body ?? '',
});

/** Browsers send no body with these. */
export const hasBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** @throws {TypeError} for a line that is no header */
export function headersIn(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [name = '', value] = line.split(/:(.*)/s, 2);
    if (value === undefined) throw new TypeError(`“${line.trim()}” is no header: write Name: value`);
    try {
      headers.append(name.trim(), value.trim());
    } catch {
      throw new TypeError(`“${line.trim()}” has a character that no header may have`);
    }
  }
  return headers;
}
