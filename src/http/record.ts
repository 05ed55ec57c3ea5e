/** Starts every exchange: records the request, without its credential, before anything acts on it. */
import type { Request } from 'express';
import { OpenExchange, type Surroundings } from './open-exchange.ts';
import { headOf } from './request-head.ts';
import { ABSOLUTE } from './well-formed.ts';

export interface RecordOptions extends Surroundings {
  /** Generates the id of each exchange. */
  readonly newId: () => string;
}

/** Creates a function that starts a request's exchange. */
export function record({ newId, ...surroundings }: RecordOptions): (req: Request) => void {
  return (req) => {
    surroundings.departures.expect();
    const head = headOf(req);
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

/** `GET http://host/v1/pets` means `/v1/pets` (RFC 9112, section 3.2.2). */
const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const path = ABSOLUTE.exec(target)?.[2];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
};
