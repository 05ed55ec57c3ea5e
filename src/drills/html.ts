/** Drills as one page for people: no outside request, light and dark; each drill with its time line. */

import { counted } from '../client/text.ts';
import { html, type Markup, page } from '../report/markup.ts';
import { type DrillsReport, type State, stateInWords } from './drills-report.ts';
import type { CheckResult, DrillResult } from './grade.ts';
import { summaryLine } from './text.ts';

const SENTENCES = {
  pass: 'The client behaves when things go wrong.',
  fail: 'The client does harm when things go wrong.',
  incomplete: 'Not every drill could be graded.',
} as const;

const TONES: Readonly<Record<State, string>> = {
  pass: 'good',
  fail: 'bad',
  stale: 'bad',
  incomplete: 'unsure',
  known: 'unsure',
};

export function drillsHtmlOf(report: DrillsReport): string {
  const { verdict, drills, createdAt } = report;
  const body = html`<header class="${TONES[verdict]}">
<h1>${SENTENCES[verdict]}</h1>
<p>${summaryLine(report)}</p>
<p class="about">${createdAt}</p>
</header>
<main>
<p class="about legend">
Each bar is a request: <b class="good">a success</b>, <b class="unsure">a fault</b> or <b class="bad">a rejection</b>.
The thin bars are waits. A diamond marks a request that created a pet.
</p>
${drills.map(
  (drill) => html`<article class="${TONES[drill.state]}" id="${drill.drill}">
<h2>${drill.drill} <small>${drill.group} · ${drill.state}</small></h2>
<p>${drill.title}</p>
${drill.state === 'pass' ? '' : html`<p><b>${stateInWords(drill)}</b></p>`}
${timeLine(drill)}
<ul>${drill.checks.map(checkLine)}</ul>
</article>
`,
)}</main>`;
  return page(`Drills: ${verdict}`, STYLE, body);
}

const CHECK_TONES = { pass: 'good', fail: 'bad' };

function checkLine({ status, level, title, words, expected, source }: CheckResult): Markup {
  const tone = status === 'pass' || status === 'fail' ? CHECK_TONES[status] : 'unsure';
  const wanted = status === 'fail' && expected !== null ? `; expected ${expected}` : '';
  return html`<li class="${tone}">
<b>${status}</b> ${level}: ${title} <span class="about">${words}${wanted} · ${source}</span>
</li>
`;
}

const STYLE = `
.good { --tone: var(--good); }
.bad { --tone: var(--bad); }
.unsure { --tone: var(--unsure); }
header, article {
  padding: .75rem 1.25rem; margin: 0 0 1rem; break-inside: avoid;
  background: var(--card); border: 1px solid var(--line); border-left: .35rem solid var(--tone); border-radius: .5rem;
}
h2 { font-size: 1.1rem; margin: 0; }
h2 small { color: var(--dim); font-size: .875rem; font-weight: 400; }
p { margin: .25rem 0; }
ul { margin: .25rem 0; padding-left: 0; list-style: none; }
li b, .legend b { color: var(--tone); }
.scroll { overflow-x: auto; }
.time-line {
  display: block; width: 100%; min-width: 40rem; height: auto; margin: .5rem 0;
  font: 11px ui-monospace, monospace;
}
.time-line text { fill: var(--dim); }
.time-line .wait-words { font-size: 9px; }
.wait { fill: var(--line); }
.fine { fill: var(--good); }
.faulted { fill: var(--unsure); }
.rejected { fill: var(--bad); }
.effect { fill: var(--ink); stroke: var(--card); }
@media print { .time-line { min-width: 0; } }
`;

/** A drill's attempts on a time line, as SVG: bars of requests, the waits between them, and what took effect. */
type Attempt = DrillResult['requests'][number];

const WIDTH = 900;
const ROW = 22;
const LEFT = 150;
/** Room for the words behind the last bar. */
const RIGHT = 190;
/** Rows that are drawn; a client that hammers has more. */
const MAX_ROWS = 30;
/** Shorter waits get no words. */
const WORTH_WORDS_MS = 1;

/** Nothing where no request came. */
function timeLine({ requests, drill }: DrillResult): Markup | '' {
  const shown = requests.slice(0, MAX_ROWS);
  const [first] = shown;
  if (!first) return '';
  const start = Date.parse(first.at);
  const end = Math.max(...shown.map(({ respondedAt }) => Date.parse(respondedAt)), start + 1);
  const x = (time: number): number => round(LEFT + ((time - start) / (end - start)) * (WIDTH - LEFT - RIGHT));
  const height = shown.length * ROW + 8;
  const left = requests.length - shown.length;
  const label = `The ${shown.length} first requests of ${drill} over ${inTime(end - start)}`;
  return html`<div class="scroll" tabindex="0">
<svg class="time-line" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}">
${shown.map((attempt, row) => [waitBefore(attempt, shown[row - 1], row, x), bar(attempt, row, x)])}
</svg></div>
${left > 0 ? html`<p class="about">and ${left} more requests</p>` : ''}`;
}

function waitBefore(
  attempt: Attempt,
  before: Attempt | undefined,
  row: number,
  x: (time: number) => number,
): Markup | '' {
  if (!before) return '';
  const [from, to] = [Date.parse(before.respondedAt), Date.parse(attempt.at)];
  if (to - from < WORTH_WORDS_MS) return '';
  const y = row * ROW;
  return html`<rect class="wait" x="${x(from)}" y="${y + 8}" width="${round(Math.max(1, x(to) - x(from)))}" height="6"/>
<text class="wait-words" x="${round((x(from) + x(to)) / 2)}" y="${y + 6}" text-anchor="middle">${inTime(to - from)}</text>
`;
}

function bar(attempt: Attempt, row: number, x: (time: number) => number): Markup {
  const { at, respondedAt, operation, method, injectedFault, disconnectedAt } = attempt;
  const [from, to] = [Date.parse(at), Date.parse(respondedAt)];
  const created = attempt.changes?.created.length ?? 0;
  const y = row * ROW + 4;
  const kind = injectedFault !== null || attempt.delayMs > 0 ? 'faulted' : attempt.status < 400 ? 'fine' : 'rejected';
  // The diamond of a short bar needs room.
  const end = Math.max(x(to), created > 0 ? x(from) + 5 : 0) + 6;
  const width = round(Math.max(3, x(to) - x(from)));
  const diamond = `M${x(from)} ${y - 3}l5 10l-5 10l-5 -10z`;
  const effect = html`<path class="effect" d="${diamond}"><title>created ${counted(created, 'pet')}</title></path>`;
  const outcome = disconnectedAt === null ? statusOf(attempt) : 'the client left';
  return html`<text class="who" x="0" y="${y + 11}">${operation ?? method}</text>
<rect class="request ${kind}" x="${x(from)}" y="${y}" width="${width}" height="14">
<title>${attempt.id}${injectedFault === null ? '' : `: ${injectedFault}`}</title>
</rect>
${created > 0 ? effect : ''}
<text class="status" x="${end}" y="${y + 11}">${outcome}${created > 0 ? ', created' : ''}</text>
`;
}

const statusOf = ({ status }: Attempt): string => (status === 0 ? 'cut' : String(status));

const inTime = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

const round = (number: number): number => Math.round(number * 10) / 10;
