/** Requests in the order of their arrival, in words: when each came, what became of it, and the wait before it. */

import { injectedWords } from '../../../base/api/fault-text.ts';
import { counted, duration } from '../../../base/text.ts';
import type { Schema } from '../../../client/routes.ts';

type DrillRequest = Schema<'EndedDrill'>['requests'][number];

interface RequestRow<R extends DrillRequest> {
  readonly request: R;
  /** Milliseconds since the first request, of arrival and response. */
  readonly from: number;
  readonly to: number;
  /** `503, response replaced` */
  readonly outcome: string;
  /** `after 1.2 s`; empty for the first request, and where two overlap. */
  readonly wait: string;
}

/** Rows that are shown; a client that hammers has more. */
const MAX_SHOWN_ROWS = 30;

/** @returns the first rows, and how many more there are */
export function timeLineOf<R extends DrillRequest>(
  requests: readonly R[],
): { readonly rows: readonly RequestRow<R>[]; readonly left: number } {
  const start = Date.parse(requests[0]?.at ?? '');
  const rows = requests.slice(0, MAX_SHOWN_ROWS).map((request, index) => {
    const before = requests[index - 1];
    const wait = before === undefined ? 0 : Date.parse(request.at) - Date.parse(before.respondedAt);
    return {
      request,
      from: Date.parse(request.at) - start,
      to: Date.parse(request.respondedAt) - start,
      outcome: responseInWords(request),
      wait: wait < 1 ? '' : `after ${duration(wait)}`,
    };
  });
  return { rows, left: requests.length - rows.length };
}

function responseInWords({ status, disconnectedAt, changes, injectedFault }: DrillRequest): string {
  const created = changes?.created.length ?? 0;
  return [
    disconnectedAt !== null ? 'the client left' : status === 0 ? 'cut' : String(status),
    ...(created === 0 ? [] : [`created ${counted(created, 'pet')}`]),
    ...(injectedFault === null ? [] : [injectedWords(injectedFault)]),
  ].join(', ');
}
