/** Requests on a time line: a row for each, with a bar from its arrival to its response. */
import type { Schema } from '../../client/routes.ts';
import { counted } from '../../client/text.ts';
import { html, type Markup } from './html-markup.ts';

type Request = Schema<'ExchangeSummary'>;

/** Rows that are drawn; a client that hammers has more. */
const MAX_ROWS = 30;

export const LEGEND = html`<p class="about legend">
Each bar is a request: <b class="good">a success</b>, <b class="unsure">a fault</b> or <b class="bad">a rejection</b>.
</p>`;

/** Nothing where no request came. */
export function timeLine(requests: readonly Request[]): Markup | '' {
  const shown = requests.slice(0, MAX_ROWS);
  const [first] = shown;
  if (!first) return '';
  const start = Date.parse(first.at);
  const end = Math.max(...shown.map(({ respondedAt }) => Date.parse(respondedAt)), start + 1);
  const percent = (ms: number): string => `${((100 * ms) / (end - start)).toFixed(1)}%`;
  const rows = shown.map((request, index) => {
    const [from, to] = [Date.parse(request.at), Date.parse(request.respondedAt)];
    const before = shown[index - 1];
    const wait = before && from - Date.parse(before.respondedAt);
    return html`<tr><td>${request.operation ?? request.method}</td>
<td><span class="bar ${toneOf(request)}" style="margin-left: ${percent(from - start)}; width: ${percent(to - from)}" title="${request.id}"></span></td>
<td>${outcomeOf(request)}</td><td>${wait === undefined || wait < 1 ? '' : `after ${inTime(wait)}`}</td></tr>
`;
  });
  const left = requests.length - shown.length;
  return html`<table class="time-line"><tbody>
${rows}</tbody></table>
${left > 0 ? html`<p class="about">and ${left} more requests</p>` : ''}`;
}

function toneOf({ injectedFault, delayMs, status }: Request): string {
  if (injectedFault !== null || delayMs > 0) return 'unsure';
  return status < 400 ? 'good' : 'bad';
}

function outcomeOf({ status, disconnectedAt, changes, injectedFault }: Request): string {
  const created = changes?.created.length ?? 0;
  return [
    disconnectedAt !== null ? 'the client left' : status === 0 ? 'cut' : String(status),
    ...(created === 0 ? [] : [`created ${counted(created, 'pet')}`]),
    ...(injectedFault === null ? [] : [injectedFault]),
  ].join(', ');
}

const inTime = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
