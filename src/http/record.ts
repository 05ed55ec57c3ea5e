/** Begins every exchange: what came is noted, without its credential, before anything acts on it. */
import type { Request } from 'express';
import type { Clock } from '../clock.ts';
import { OpenExchange, type Surroundings } from './open-exchange.ts';

export interface RecordOptions extends Surroundings {
  readonly clock: Clock;
  /** Gives each exchange its id. */
  readonly newId: () => string;
  /** What stands for the credential: the shape that was sent, never the credential. */
  readonly withoutCredential: (authorization: string | undefined) => string | undefined;
}

/** Makes a function that begins a request's exchange. */
export function record({ clock, newId, withoutCredential, ...surroundings }: RecordOptions): (req: Request) => void {
  const shownOf = rememberingLast(withoutCredential);
  return (req) => {
    const { headers } = req;
    const length = Number(headers['content-length'] ?? 0);
    req.exchange = new OpenExchange(
      newId(),
      {
        method: req.method,
        target: originForm(req.url),
        authorization: shownOf(headers.authorization),
        contentType: headers['content-type'],
        bodyBytes: length,
        body: undefined,
        // A body in chunks has no length yet; one that is never read is there all the same.
        bodyUnread: length > 0 || headers['transfer-encoding'] !== undefined,
      },
      clock.now(),
      surroundings,
    );
  };
}

/** A client sends the same header every time. */
function rememberingLast<In, Out>(make: (input: In) => Out): (input: In) => Out {
  let last: { readonly input: In; readonly output: Out } | undefined;
  return (input) => {
    if (last === undefined || last.input !== input) last = { input, output: make(input) };
    return last.output;
  };
}

/** `GET http://host/v1/pets` means `/v1/pets` (RFC 9112, section 3.2.2). */
const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
};
