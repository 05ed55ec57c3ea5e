/** This server's address as a client sees it. */
import type { Request } from 'express';
import type { Redact } from '../sandbox/redact.ts';

/** A host name, an IPv4 address or a bracketed IPv6 address, with or without a port, and nothing else. */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

export interface AddressOptions {
  readonly publicUrl: string | undefined;
  readonly listening: () => string;
  /** Redacts secrets: a `Host` that contains one is not repeated. */
  readonly redact: Redact;
}

/**
 * `http://…` or `https://…` without a path: as configured, otherwise from the request's `Host`, otherwise the address
 * the server listens on.
 */
export const addressFor =
  ({ publicUrl, listening, redact }: AddressOptions) =>
  (req: Request): string => {
    if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
    const { host } = req.headers;
    const own = listening();
    if (host === undefined || !HOST.test(host) || redact(host) !== host) return own;
    return `${own.slice(0, own.indexOf(':'))}://${host}`;
  };
