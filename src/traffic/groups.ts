/** Groups equal findings: a thousand requests with one mistake become one line of a report. */

import { pointerTo } from '../base/address.ts';
import type { Exchange } from '../base/api/exchange.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { type OperationName, operations } from '../base/generated/facts.ts';
import { copyOf, shorten } from '../base/text.ts';
import { isoTime } from '../base/time.ts';
import type { FoundInExchange, FoundPart } from './found-in.ts';
import { type CorrectionText, correctionText } from './instead.ts';
import { SentParts, type Spot } from './request-parts.ts';

/** Request ids kept per group: the first ones; the last one is kept separately. */
export const MAX_GROUP_REQUESTS = 10;
/** Groups of one report. */
const MAX_GROUPS = 300;

type Finding = components['schemas']['Finding'];

/** A finding without the fields that are derived from the others. */
export type Found = Omit<Finding, 'level' | 'title' | 'fix'> & { readonly fix?: string | undefined };

/** A finding as it is counted. */
export type CountedFinding = Pick<Found, 'kind' | 'operation' | 'rule' | 'location' | 'message' | 'pointer' | 'fix'>;

interface FindingGroup {
  readonly found: Omit<Found, 'count' | 'requests' | 'last' | 'lines'>;
  readonly requests: string[];
  /** The number of its exchanges. */
  count: number;
  readonly first: Exchange;
  last: Exchange;
}

export class Groups {
  readonly #byKey = new Map<string, FindingGroup>();
  /** By kind, how many findings are in no group because there were too many. */
  readonly ungrouped = new Map<Found['kind'], number>();

  /** The groups in order of first occurrence. */
  all(): Found[] {
    return [...this.#byKey.values()].map(({ found, requests, count, first, last }) => ({
      ...{ ...found, count, requests, last: last.id },
      lines: (first === last ? [first] : [first, last]).map(occurrenceLineOf),
    }));
  }

  /** @param exchange not before those that were added, in time @param parts of it, which are read once for all its findings */
  add([kind, part]: FoundInExchange, exchange: Exchange, parts: SentParts): void {
    const { location, message, side, fix } = part;
    const operation = operationOf(exchange);
    const finding: CountedFinding = {
      ...{ kind, operation, location, message, fix },
      rule: side === undefined ? part.rule : `${side}/${part.rule}`,
      pointer: part.pointer ?? (operation === null ? '#/paths' : pointerTo(operations[operation])),
    };
    const key = findingKey(finding);
    const known = this.#byKey.get(key);
    if (known) {
      if (known.last === exchange) return;
      known.count += 1;
      known.last = exchange;
      if (known.requests.length < MAX_GROUP_REQUESTS) known.requests.push(exchange.id);
    } else if (this.#byKey.size < MAX_GROUPS) {
      const found = { ...finding, sample: sampleOf(exchange, spotOf(part), parts) };
      this.#byKey.set(key, { found, requests: [exchange.id], count: 1, first: exchange, last: exchange });
    } else this.ungrouped.set(kind, (this.ungrouped.get(kind) ?? 0) + 1);
  }
}

const operationOf = ({ operation, malformed }: Exchange): OperationName | null =>
  // What a malformed request asks for is not known.
  malformed ? null : ((operation ?? null) as OperationName | null);

/** Equal for findings that differ in their requests alone. */
export const findingKey = ({ kind, operation, rule, location, message, pointer }: CountedFinding): string =>
  [kind, operation, rule, location, message, pointer].join('\n');

/** A violation in a response does not concern a part of the request. */
export function spotOf({ spot, side, location, rule }: FoundPart): Spot | undefined {
  if (spot === null) return undefined;
  return spot ?? { location: side === 'response' ? side : location, rule };
}

/** Described in `spec/control-api.yaml`. It may contain secrets: serialize it with `redactedJson`. */
type Sample = components['schemas']['Sample'];

/** Characters of each text in a sample. */
const MAX_SAMPLE_TEXT = 200;

/**
 * @param spot the subject of the finding; `undefined` if it does not concern a part of the request
 * @param parts of the exchange
 */
export function sampleOf(exchange: Exchange, spot: Spot | undefined, parts = new SentParts(exchange)): Sample {
  const { request, status } = occurrenceLineOf(exchange);
  const { action, sent, instead, advice } = spot ? correctionText(parts, spot) : OTHER;
  const found = { request, sent: shownOrNull(sent), status, instead: shownOrNull(instead), action };
  return advice === undefined ? found : { ...found, advice };
}

const OTHER: CorrectionText = { action: 'other' };

/** For findings: an exchange in one line, as `spec/control-api.yaml` describes it. */
export const occurrenceLineOf = ({ id, at, request, response }: Exchange): Finding['lines'][number] => ({
  ...{ id, at: isoTime(at), request: shortened(`${request.method} ${request.target}`) },
  status: response.status,
});

const shownOrNull = (text: string | undefined): string | null => (text === undefined ? null : shortened(text));

const shortened = (text: string): string =>
  text.length > MAX_SAMPLE_TEXT ? copyOf(shorten(text, MAX_SAMPLE_TEXT)) : text;
