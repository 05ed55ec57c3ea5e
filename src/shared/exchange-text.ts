/** Exchanges as the engine has them: in the form of a case, with times that all servers share. */
import type { CaseExchange } from '../cases/case.ts';
import { exchangeIn } from '../cases/gather.ts';
import { exchangeFrom } from '../cases/restore-exchange.ts';
import { realClock, stopwatch } from '../clock.ts';
import type { Exchange } from '../exchange.ts';
import { type Redact, redactedJson } from '../sandbox/redact.ts';

/** The monotonic time of this process at the beginning of 1970, so that times of several servers can be compared. */
const ZERO = stopwatch() - realClock.now();

/** Redacted: the engine holds no secrets of clients. */
export function textOfExchange(exchange: Exchange, redact: Redact): string {
  const shown = exchangeIn(exchange, ZERO);
  const text = JSON.stringify(shown);
  // Nearly always there is no secret. Then one look at the whole text is enough.
  return redact(text) === text ? text : redactedJson(shown, redact);
}

/** No number in it is beyond 53 bits. */
export const exchangeOf = (text: string, sandbox: string): Exchange =>
  exchangeFrom(JSON.parse(text) as CaseExchange, sandbox, ZERO);
