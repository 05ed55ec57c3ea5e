/** Results as one page for people: no external requests or scripts, light and dark, printable. */

import type { Schema } from '../../client/routes.ts';
import { printable } from '../../core/text.ts';
import {
  type Finding,
  figuresInWords,
  findingsBelow,
  type Group,
  type Item,
  idsOf,
  placeOf,
  type Results,
  SIGNS,
  type Status,
  statusOf,
} from '../results.ts';
import { timeLineOf } from './time-line.ts';

/** Markup built here; all other text is escaped when it is inserted. */
class Markup {
  constructor(readonly text: string) {}
}

type MarkupPart = Markup | string | number | readonly MarkupPart[];

/** A template that escapes all values except markup. */
const html = (strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup =>
  new Markup(
    strings.reduce(
      (text, string, i) => text + string + (i < parts.length ? renderedPart(parts[i] as MarkupPart) : ''),
      '',
    ),
  );

function renderedPart(part: MarkupPart): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return part.map(renderedPart).join('');
}

const escaped = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const LEGEND = html`<p class="about legend">
Each bar is a request: <b class="good">a success</b>, <b class="unsure">a fault</b> or <b class="bad">a rejection</b>.
</p>`;

const VERDICTS = { pass: ['good', '✓'], fail: ['bad', '✗'], incomplete: ['unsure', '?'] } as const;
const LEVELS = { error: 'bad', warning: 'unsure', note: 'dim' } as const;
const STATUSES: Readonly<Record<Status, string>> = {
  passed: 'good',
  warned: 'unsure',
  failed: 'bad',
  error: 'unsure',
  skipped: 'dim',
  accepted: 'unsure',
};

export function render(results: Results): string {
  const { kind, verdict, title, reasons, about, startedAt, endedAt, headings, groups, notes } = results;
  const [tone, sign] = VERDICTS[verdict];
  const time = startedAt === undefined ? endedAt : `${startedAt} to ${endedAt}`;
  const body = html`<header class="${tone}">
<p class="sign" aria-hidden="true">${sign}</p>
<div>
<h1>${title}</h1>
${list(reasons.map((reason) => html`<li>${reason}</li>`))}
<p>${figuresInWords(results).map((figure) => html`<span class="figure">${figure}</span> `)}</p>
<p class="about">${[...about, time].join(' · ')}</p>
</div>
</header>
<main>
${headings.map((heading) =>
  htmlSection(
    heading,
    findingsBelow(heading, results).map((finding) => findingCard(finding, results)),
  ),
)}
${htmlSection('What was checked', [groups.some(({ timeline }) => timeline) ? LEGEND : '', ...groups.map(groupCard)])}
${htmlSection('Notes', [list(notes.map((note) => html`<li>${note}</li>`))])}
</main>`;
  return htmlPage(`Petstore ${kind}: ${verdict}`, body);
}

const list = (items: readonly Markup[]): Markup | '' => (items.length === 0 ? '' : html`<ul>${items}</ul>`);

const htmlSection = (title: string, parts: readonly (Markup | '')[]): Markup | '' =>
  parts.every((part) => part === '')
    ? ''
    : html`<section>
<h2>${title}</h2>
${parts}
</section>`;

function findingCard(finding: Finding, { rules }: Results): Markup {
  const { level, rule, subject, message, sample = {}, fix, pointer, requests, accepted } = finding;
  const title = rules.find(({ id }) => id === rule)?.title ?? '';
  const times = requests && `${requests.count} ×`;
  const about = [[message, subject].includes(title) ? '' : title, accepted, pointer, times].filter(Boolean).join(' · ');
  const { lines = [] } = requests ?? {};
  // A request that has a line stands nowhere else.
  const { request, ...parts } = sample;
  return html`<article class="${accepted === undefined ? LEVELS[level] : 'dim'}">
<h3>${placeOf(finding)} <code>${rule}</code></h3>
<p>${message}</p>
${Object.entries(lines.length > 0 ? parts : sample).map(([name, text]) => html`<p>${name} <code>${text}</code></p>`)}
${fix === undefined ? '' : html`<p class="fix">${fix}</p>`}
${lines.map((line) => html`<p class="about"><code>${line}</code></p>`)}
<p class="about">${about}${requests === undefined ? '' : othersOf(requests)}</p>
</article>
`;
}

/** The ids of requests that have no line of their own. */
function othersOf({ count, ids, last, lines = [] }: NonNullable<Finding['requests']>): Markup | '' {
  if (lines.length === 0) return html` <code>${idsOf({ count, ids, last })}</code>`;
  const others = ids.filter((id) => !lines.some((line) => line.startsWith(`${id} `)));
  const more = count > others.length + lines.length ? ' …' : '';
  return others.length === 0 ? '' : html` also <code>${others.join(' ')}${more}</code>`;
}

/** Findings are shown above. Items that passed are folded away: there may be hundreds. */
function groupCard(group: Group): Markup {
  const { name, about, summary, timeline = [] } = group;
  // The heading says the outcome of what has the name of its group.
  const items = group.items.filter((item) => summary === undefined || item.name !== name);
  const statuses = [...new Set(items.map(({ status }) => status))];
  const counts = statuses.map((status) => `${items.filter((item) => item.status === status).length} ${status}`);
  const passed = items.filter(({ status }) => status === 'passed');
  const others = items.filter(({ status, findings = [] }) => status !== 'passed' && findings.length === 0);
  return html`<article class="${STATUSES[statusOf(group)]}">
<h3>${summary === undefined ? name : `${SIGNS[statusOf(group)]} ${name}: ${summary}`}</h3>
<p class="about">${[about ?? [], counts].flat(2).join(' · ')}</p>
${timeLine(timeline)}
${list(others.map(itemLine))}
${passed.length === 0 ? '' : html`<details><summary>${passed.length} passed</summary>${list(passed.map(itemLine))}</details>`}
</article>
`;
}

const itemLine = ({ name, status, remarks = [] }: Item): Markup =>
  html`<li class="${STATUSES[status]}"><b>${status}</b> ${name}${remarks.length === 0 ? '' : html` <span class="about">${remarks.join('; ')}</span>`}</li>
`;

type ShownRequest = Schema<'ExchangeSummary'>;

/** A row for each request, with a bar from its arrival to its response; nothing where none came. */
function timeLine(requests: readonly ShownRequest[]): Markup | '' {
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

function toneOf({ injectedFault, delayMs, status }: ShownRequest): string {
  if (injectedFault !== null || delayMs > 0) return 'unsure';
  return status < 400 ? 'good' : 'bad';
}

const htmlPage = (title: string, body: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;

/** How the page looks, in both color schemes. `--tone` is the color of a verdict, level or status, set by a class. */
const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1d2733; --dim: #5a6776; --paper: #fbfbf9; --card: #ffffff; --line: #dfe3e6;
  --good: #1f7a45; --bad: #b3261e; --unsure: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6e9ec; --dim: #a3adb8; --paper: #14181c; --card: #1c2228; --line: #333c45;
    --good: #6fcf97; --bad: #ff9a92; --unsure: #f0c36d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 62rem; padding: 1.5rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.4rem; margin: 0; }
h1::first-letter { text-transform: uppercase; }
.about { color: var(--dim); font-size: .875rem; font-weight: 400; margin: .35rem 0 0; }
.good { --tone: var(--good); }
.bad { --tone: var(--bad); }
.unsure { --tone: var(--unsure); }
.dim { --tone: var(--dim); }
header {
  display: flex; gap: 1.25rem; align-items: start; padding: 1rem 1.25rem;
  background: var(--card); border-left: .4rem solid var(--tone); border-radius: .5rem;
}
.sign { font-size: 2rem; line-height: 1.2; margin: 0; color: var(--tone); font-weight: 700; }
h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; }
h3 code { color: var(--dim); font-weight: 400; }
ul { margin: .25rem 0 0; padding-left: 1.1rem; }
li b, .legend b { color: var(--tone); }
.figure {
  display: inline-block; padding: .1rem .5rem; margin: .25rem .25rem 0 0;
  border: 1px solid var(--line); border-radius: .375rem; font-variant-numeric: tabular-nums;
}
article {
  padding: .75rem 1rem; margin: .5rem 0; break-inside: avoid;
  background: var(--card); border: 1px solid var(--line); border-left: .25rem solid var(--tone); border-radius: .375rem;
}
article p { margin: .25rem 0 0; }
.fix { font-weight: 600; }
summary { color: var(--dim); }
code { font: .875em/1.4 ui-monospace, monospace; }
.time-line { width: 100%; border-collapse: collapse; font-size: .8125rem; margin: .5rem 0; }
.time-line td { padding: .1rem .5rem .1rem 0; white-space: nowrap; color: var(--dim); }
.time-line td:nth-child(2) { width: 100%; }
.bar { display: block; min-width: 3px; height: .75rem; background: var(--tone); }
@media print {
  body { max-width: none; padding: 0; }
  header, article { background: none; }
  .bar { print-color-adjust: exact; }
}
`;
