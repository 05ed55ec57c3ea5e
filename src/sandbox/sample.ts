/**
 * The sample of a finding: one affected request, short enough for a line of a report. It is created when a finding
 * first occurs, while the bodies are complete: the journal may have evicted the request when the report is read.
 */
import type { Exchange } from '../exchange.ts';
import type { components } from '../generated/controls.d.ts';
import { shorten } from '../wording.ts';
import { insteadOf } from './instead.ts';
import { RequestParts, type Spot } from './request-parts.ts';

/** Described in `spec/controls.yaml`. It may contain secrets: serialize it with `redactedJson`. */
export type Sample = components['schemas']['Sample'];

/** Characters of each text in a sample. */
const MAX_SHOWN = 200;

/** @param spot the subject of the finding; `undefined` if it does not concern a part of the request */
export function sampleOf(exchange: Exchange, spot: Spot | undefined): Sample {
  const { request, response } = exchange;
  const parts = new RequestParts(exchange);
  return {
    request: shown(`${request.method} ${request.target}`),
    sent: shownOrNull(spot && parts.sentAt(spot.place)),
    status: response.status,
    instead: shownOrNull(spot && insteadOf(parts, spot)),
  };
}

/** The memory of a sample, in bytes. */
export const weightOf = ({ request, sent, instead }: Sample): number =>
  200 + 2 * (request.length + (sent?.length ?? 0) + (instead?.length ?? 0));

const shownOrNull = (text: string | undefined): string | null => (text === undefined ? null : shown(text));

/** Copies through JSON: a slice of a string keeps the whole string in memory. */
const shown = (text: string): string => JSON.parse(JSON.stringify(shorten(text, MAX_SHOWN))) as string;
