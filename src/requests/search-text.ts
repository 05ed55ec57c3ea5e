/** Finds exchanges by a text in their bodies. */
import type { Exchange } from './exchange.ts';
import type { Redact } from './redact.ts';
import type { RequestLog } from './request-log.ts';

/** Characters that are searched in one turn. */
const SLICE = 64 * 1024;

interface TextSearch {
  readonly requestLog: RequestLog;
  readonly text: string;
  readonly redact: Redact;
  /** Runs one slice of the search: a request log may hold 32 MiB. */
  readonly inTurn: (slice: () => void) => Promise<void>;
}

/** The numbers of the exchanges whose target or kept bodies contain the text, in upper or lower case, in the same order. */
export async function containing(
  numbers: readonly number[],
  { requestLog, text, redact, inTurn }: TextSearch,
): Promise<number[]> {
  const wanted = text.toLowerCase();
  const found: number[] = [];
  // Only what is shown can be found: otherwise a secret could be guessed letter by letter.
  const holds = (part: string): boolean =>
    (wanted.includes('[key]') || part.toLowerCase().includes(wanted)) && redact(part).toLowerCase().includes(wanted);
  for (let at = 0; at < numbers.length; ) {
    await inTurn(() => {
      for (let searched = 0; at < numbers.length && searched < SLICE; at += 1) {
        const number = numbers[at] as number;
        const exchange = requestLog.at(number);
        // Evicted since the slice before.
        if (!exchange) continue;
        const parts = partsOf(exchange);
        for (const { length } of parts) searched += length;
        if (parts.some(holds)) found.push(number);
      }
    });
  }
  return found;
}

const partsOf = ({ request, response }: Exchange): readonly string[] => [
  request.target,
  request.body ?? '',
  // A response to HEAD has no body.
  request.method === 'HEAD' ? '' : response.body,
];
