/** Groups equal findings: a thousand requests with one mistake become one line of a report. */

import type { Exchange } from '../api/exchange.ts';
import { pointerTo } from '../core/pointer.ts';
import { copyOf, shorten } from '../core/text.ts';
import { isoTime } from '../core/time.ts';
import type { components } from '../generated/control-api.d.ts';
import { type OperationName, operations } from '../generated/facts.ts';
import type { Allowance } from './allowance.ts';
import type { FoundInExchange, FoundPart } from './found-in.ts';
import { type CorrectionText, correctionText } from './instead.ts';
import { SentParts, type Spot } from './request-parts.ts';

type FindingKind = components['schemas']['FindingKind'];

/** Request ids kept per group: the first ones; the last one is kept separately. */
export const MAX_GROUP_REQUESTS = 10;

/** A finding as it is counted. */
export interface CountedFinding {
  readonly kind: FindingKind;
  readonly operation: OperationName | null;
  readonly rule: string;
  readonly location: string;
  readonly message: string;
  readonly pointer: string;
  readonly fix?: string | undefined;
}

/** A finding with one response status, and the exchanges that have it. */
export interface FindingGroup {
  readonly finding: CountedFinding;
  readonly spot: Spot | undefined;
  /** The first exchange, as a report shows it. */
  sample: Sample;
  /**
   * The number of occurrences; several in one exchange all count.
   */
  count: number;
  /** The first exchanges, at most `MAX_GROUP_REQUESTS`, in the order of their arrival: verdicts come in another one. */
  readonly requests: { readonly id: string; readonly at: number }[];
  /** The first and the last exchange. */
  ends: readonly [first: Occurrence, last: Occurrence];
}

/** For findings: an exchange in one line, as `spec/control-api.yaml` describes it. */
export type OccurrenceLine = components['schemas']['OccurrenceLine'];

/** The same with its time in milliseconds since 1970: each request with a finding makes one, and few are shown. */
type Occurrence = Omit<OccurrenceLine, 'at'> & { readonly at: number };

export class Groups {
  readonly #allowance: Allowance;
  readonly #byKey = new Map<string, FindingGroup>();
  /** Verdicts are cached and shared, so the same part of one recurs. */
  readonly #byPart = new WeakMap<FoundPart, FindingGroup[]>();
  #uncounted = 0;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /** Findings that are in no group because there was no room for another group. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /** The groups in order of first occurrence. */
  all(): readonly Readonly<FindingGroup>[] {
    return [...this.#byKey.values()];
  }

  /** @param parts of the exchange, which are read once for all its findings */
  add(found: FoundInExchange, exchange: Exchange, parts = new SentParts(exchange)): void {
    const [kind, part] = found;
    const operation = operationOf(exchange);
    const { status } = exchange.response;
    const known = this.#byPart.get(part)?.find(({ sample, finding }) => {
      return sample.status === status && finding.kind === kind && finding.operation === operation;
    });
    const group = known ?? this.#find(countedFinding(found, exchange), part, exchange, parts);
    if (!group) {
      this.#uncounted += 1;
      return;
    }
    group.count += 1;
    this.#note(group, exchange, parts);
  }

  /** Adds an exchange to those of a group. The first one, in time, is its sample. */
  #note(group: FindingGroup, exchange: Exchange, parts: SentParts): void {
    const { requests } = group;
    const { id, at } = exchange;
    const place = requests.findLastIndex((each) => each.at <= at) + 1;
    // One exchange may have the finding several times.
    if (requests[place - 1]?.id === id) return;
    const [first, last] = group.ends;
    if (place === 0 && requests.length > 0) {
      group.sample = sampleOf(exchange, group.spot, parts);
      group.ends = [occurrenceOf(exchange), last];
    } else if (last.at <= at) group.ends = [first, occurrenceOf(exchange)];
    if (place === MAX_GROUP_REQUESTS) return;
    requests.splice(place, 0, { id, at });
    if (requests.length > MAX_GROUP_REQUESTS) requests.pop();
  }

  #find(finding: CountedFinding, part: FoundPart, exchange: Exchange, parts: SentParts): FindingGroup | undefined {
    // A status may be meant, and another one with the same finding not.
    const key = `${exchange.response.status}\n${findingKey(finding)}`;
    let group = this.#byKey.get(key);
    if (!group) {
      if (!this.#allowance.take(WEIGHT + 4 * key.length)) return undefined;
      // Only a new kind of finding costs a sample: a thousand requests with one mistake share one.
      const spot = spotOf(part);
      const sample = sampleOf(exchange, spot, parts);
      if (!this.#allowance.take(sampleWeight(sample))) return undefined;
      const end = occurrenceOf(exchange);
      group = { finding, spot, sample, count: 0, requests: [], ends: [end, end] };
      this.#byKey.set(key, group);
    }
    this.#byPart.set(part, [...(this.#byPart.get(part) ?? []), group]);
    return group;
  }
}

const operationOf = ({ operation, malformed }: Exchange): OperationName | null =>
  // What a malformed request asks for is not known.
  malformed ? null : ((operation ?? null) as OperationName | null);

/** What a part of a verdict is as a finding. */
export function countedFinding(
  [kind, { rule, location, message, side, pointer, fix }]: FoundInExchange,
  exchange: Exchange,
): CountedFinding {
  const operation = operationOf(exchange);
  return {
    ...{ kind, operation, location, message, fix },
    rule: side === undefined ? rule : `${side}/${rule}`,
    pointer: pointer ?? (operation === null ? '#/paths' : pointerTo(operations[operation])),
  };
}

/** Equal for findings that differ in their requests alone. */
export const findingKey = ({ kind, operation, rule, location, message, pointer }: CountedFinding): string =>
  [kind, operation, rule, location, message, pointer].join('\n');

/** A violation in a response does not concern a part of the request. */
function spotOf({ spot, side, location, rule }: FoundPart): Spot | undefined {
  if (spot === null) return undefined;
  return spot ?? { location: side === 'response' ? side : location, rule };
}

/** Memory of a group without its texts, in bytes: the map's entry, and the ids. */
const WEIGHT = 1_000;

/** Described in `spec/control-api.yaml`. It may contain secrets: serialize it with `redactedJson`. */
type Sample = components['schemas']['Sample'];

/** Characters of each text in a sample. */
const MAX_SAMPLE_TEXT = 200;

/**
 * @param spot the subject of the finding; `undefined` if it does not concern a part of the request
 * @param parts of the exchange
 */
export function sampleOf(exchange: Exchange, spot: Spot | undefined, parts = new SentParts(exchange)): Sample {
  const { request, status } = occurrenceOf(exchange);
  const { action, sent, instead, advice } = spot ? correctionText(parts, spot) : OTHER;
  const found = { request, sent: shownOrNull(sent), status, instead: shownOrNull(instead), action };
  return advice === undefined ? found : { ...found, advice };
}

const OTHER: CorrectionText = { action: 'other' };

const occurrenceOf = ({ id, at, request, response }: Exchange): Occurrence => ({
  id,
  at,
  request: shortened(`${request.method} ${request.target}`),
  status: response.status,
});

/** As it is shown, its time in RFC 3339. */
export const lineOf = (occurrence: Occurrence): OccurrenceLine => ({ ...occurrence, at: isoTime(occurrence.at) });

/** The exchange in one line. */
export const occurrenceLineOf = (exchange: Exchange): OccurrenceLine => lineOf(occurrenceOf(exchange));

/** The memory of a sample, in bytes. */
const sampleWeight = ({ request, sent, instead, advice = '' }: Sample): number =>
  400 + 2 * (3 * request.length + (sent?.length ?? 0) + (instead?.length ?? 0) + advice.length);

const shownOrNull = (text: string | undefined): string | null => (text === undefined ? null : shortened(text));

const shortened = (text: string): string =>
  text.length > MAX_SAMPLE_TEXT ? copyOf(shorten(text, MAX_SAMPLE_TEXT)) : text;
