/** Drills as one page for people: no outside request, light and dark; each drill with its time line. */
import { html, type Markup, page } from '../report/markup.ts';
import { type DrillsReport, type State, stateInWords } from './drills-report.ts';
import type { CheckResult } from './grade.ts';
import { summaryLine } from './text.ts';
import { timeLine } from './time-line.ts';

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
Each bar is a request: <b class="good">a success</b>, <b class="unsure">a fault</b> or <b class="bad">a refusal</b>.
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
.refused { fill: var(--bad); }
.effect { fill: var(--ink); stroke: var(--card); }
@media print { .time-line { min-width: 0; } }
`;
