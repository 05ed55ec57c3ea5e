/** Finds exchanges by a text in their bodies. */
import type { Exchange } from './exchange.ts';
import type { Redact } from './redact.ts';

/** Characters that are searched in one turn. */
const SLICE = 64 * 1024;

interface TextSearch {
  readonly text: string;
  readonly redact: Redact;
  /** Runs one slice of the search: a request log may hold 32 MiB. */
  readonly inTurn: (slice: () => void) => Promise<void>;
}

/** The exchanges whose target or kept bodies contain the text, in upper or lower case, in the same order. */
export async function containing(
  exchanges: readonly Exchange[],
  { text, redact, inTurn }: TextSearch,
): Promise<Exchange[]> {
  const wanted = text.toLowerCase();
  const found: Exchange[] = [];
  // Only what is shown can be found: otherwise a secret could be guessed letter by letter.
  const holds = (part: string): boolean =>
    (wanted.includes('[key]') || part.toLowerCase().includes(wanted)) && redact(part).toLowerCase().includes(wanted);
  for (let at = 0; at < exchanges.length; ) {
    await inTurn(() => {
      for (let searched = 0; at < exchanges.length && searched < SLICE; at += 1) {
        const exchange = exchanges[at] as Exchange;
        const parts = partsOf(exchange);
        for (const { length } of parts) searched += length;
        if (parts.some(holds)) found.push(exchange);
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
