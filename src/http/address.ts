/** This server's address as a client knows it. */
import type { Request } from 'express';
import type { Redact } from '../sandbox/redact.ts';

/** A host name, an IPv4 address or a bracketed IPv6 address, with or without a port: nothing that could be more. */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

export interface AddressOptions {
  readonly publicUrl: string | undefined;
  readonly listening: () => string;
  /** Takes secrets out: a `Host` that holds one is not repeated. */
  readonly redact: Redact;
}

/** `http://…` without a path: as set, else from the request's `Host`, else where the server listens. */
export const addressFor =
  ({ publicUrl, listening, redact }: AddressOptions) =>
  (req: Request): string => {
    if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
    const { host } = req.headers;
    return host !== undefined && HOST.test(host) && redact(host) === host ? `http://${host}` : listening();
  };
