/** Requests on a time line: a row for each, with a bar from its arrival to its response. */
import type { Schema } from '../../client/routes.ts';
import { html, type Markup } from './html-markup.ts';
import { timeLineOf } from './time-line.ts';

type Request = Schema<'ExchangeSummary'>;

export const LEGEND = html`<p class="about legend">
Each bar is a request: <b class="good">a success</b>, <b class="unsure">a fault</b> or <b class="bad">a rejection</b>.
</p>`;

/** Nothing where no request came. */
export function timeLine(requests: readonly Request[]): Markup | '' {
  const { rows, left } = timeLineOf(requests);
  if (rows.length === 0) return '';
  const end = Math.max(...rows.map(({ to }) => to), 1);
  const percent = (ms: number): string => `${((100 * ms) / end).toFixed(1)}%`;
  const lines = rows.map(
    ({ request, from, to, outcome, wait }) =>
      html`<tr><td>${request.operation ?? request.method}</td>
<td><span class="bar ${toneOf(request)}" style="margin-left: ${percent(from)}; width: ${percent(to - from)}" title="${request.id}"></span></td>
<td>${outcome}</td><td>${wait}</td></tr>
`,
  );
  return html`<table class="time-line"><tbody>
${lines}</tbody></table>
${left > 0 ? html`<p class="about">and ${left} more requests</p>` : ''}`;
}

function toneOf({ injectedFault, delayMs, status }: Request): string {
  if (injectedFault !== null || delayMs > 0) return 'unsure';
  return status < 400 ? 'good' : 'bad';
}
