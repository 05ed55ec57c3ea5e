/** Starts every exchange: records the request, without its credential, before anything acts on it. */
import type { Request } from 'express';
import { OpenExchange, type Surroundings } from './open-exchange.ts';
import type { RawRequest } from './raw-request.ts';
import { headFrom, headOf } from './request-head.ts';
import { ABSOLUTE } from './well-formed.ts';

export interface RecordOptions extends Surroundings {
  /** Generates the id of each exchange. */
  readonly newId: () => string;
  /** Names of request headers that the request log shows as well. */
  readonly logHeaders: readonly string[];
}

/** Creates a function that starts a request's exchange. */
export function record({ newId, logHeaders, ...surroundings }: RecordOptions): (req: Request) => void {
  return (req) => {
    surroundings.responses.expect();
    const head = headOf(req, logHeaders);
    const { headers } = head;
    const length = Number(headers['content-length'] ?? 0);
    req.exchange = new OpenExchange(
      newId(),
      {
        method: req.method,
        target: originForm(req.url),
        authorization: head.authorization,
        contentType: headers['content-type'],
        bodyBytes: length,
        body: undefined,
        // A chunked body has no length yet; an unread one exists all the same.
        bodyUnread: length > 0 || headers['transfer-encoding'] !== undefined,
      },
      head,
      surroundings,
    );
  };
}

/** Creates a function that starts the exchange of a request that Node did not read, as far as it is known. */
export function recordRaw({ newId, logHeaders, ...surroundings }: RecordOptions): (raw: RawRequest) => Request {
  return ({ method, target, rawHeaders }) => {
    const values = new Map<string, string>();
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = (rawHeaders[at] as string).toLowerCase();
      if (!values.has(name)) values.set(name, rawHeaders[at + 1] as string);
    }
    const headers = Object.fromEntries(values);
    const head = headFrom(headers, rawHeaders, logHeaders);
    const request = {
      ...{ method, target, authorization: head.authorization, contentType: headers['content-type'] },
      ...{ bodyBytes: 0, body: undefined, bodyUnread: false },
    };
    const exchange = new OpenExchange(newId(), request, head, surroundings);
    if (isOfControlApi(target)) exchange.specification = 'control';
    return { method, url: target, headers, rawHeaders, exchange } as unknown as Request;
  };
}

/** Whether a request is for the control API, which is no part of what a client is tested by. */
export const isOfControlApi = (target: string): boolean => /^\/_sandbox(?:[/?]|$)/.test(target);

/** `GET http://host/v1/pets` means `/v1/pets` (RFC 9112, section 3.2.2). */
const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const path = ABSOLUTE.exec(target)?.[2];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
};
