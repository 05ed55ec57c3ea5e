/** Results as one page for people: no external requests, light and dark, printable. */
import {
  type Finding,
  findingsBelow,
  type Group,
  type Item,
  idsOf,
  placeOf,
  type Results,
  type Status,
  statusOf,
} from '../results.ts';
import { html, type Markup, page } from './html-markup.ts';
import { LEGEND, timeLine } from './html-time-line.ts';

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
  const { kind, verdict, title, reasons, figures, about, startedAt, endedAt, headings, groups, notes } = results;
  const [tone, sign] = VERDICTS[verdict];
  const time = startedAt === undefined ? endedAt : `${startedAt} to ${endedAt}`;
  const body = html`<header class="${tone}">
<p class="sign" aria-hidden="true">${sign}</p>
<div>
<h1>${title}</h1>
${list(reasons.map((reason) => html`<li>${reason}</li>`))}
<p>${figures.map((figure) => html`<span class="figure">${figure}</span> `)}</p>
<p class="about">${[...about, time].join(' · ')}</p>
</div>
</header>
<main>
${headings.map((heading) =>
  section(
    heading,
    findingsBelow(heading, results).map((finding) => findingCard(finding, results)),
  ),
)}
${section('What was checked', [groups.some(({ timeline }) => timeline) ? LEGEND : '', ...groups.map(groupCard)])}
${section('Notes', [list(notes.map((note) => html`<li>${note}</li>`))])}
</main>`;
  return page(`Petstore ${kind}: ${verdict}`, body);
}

const list = (items: readonly Markup[]): Markup | '' => (items.length === 0 ? '' : html`<ul>${items}</ul>`);

const section = (title: string, parts: readonly (Markup | '')[]): Markup | '' =>
  parts.every((part) => part === '')
    ? ''
    : html`<section>
<h2>${title}</h2>
${parts}
</section>`;

function findingCard(finding: Finding, { rules }: Results): Markup {
  const { level, rule, subject, message, sample = {}, fix, pointer, requests, accepted } = finding;
  const title = rules.find(({ id }) => id === rule)?.title ?? '';
  const about = [[message, subject].includes(title) ? [] : title, accepted ?? [], pointer].flat().join(' · ');
  return html`<article class="${accepted === undefined ? LEVELS[level] : 'dim'}">
<h3>${placeOf(finding)} <code>${rule}</code></h3>
<p>${message}</p>
${Object.entries(sample).map(([name, text]) => html`<p>${name} <code>${text}</code></p>`)}
${fix === undefined ? '' : html`<p class="fix">${fix}</p>`}
${(requests?.lines ?? []).map((line) => html`<p class="about"><code>${line}</code></p>`)}
<p class="about">${about}${requests === undefined ? '' : html` · ${requests.count} × · <code>${idsOf(requests)}</code>`}</p>
</article>
`;
}

/** Findings are shown above. Items that passed are folded away: there may be hundreds. */
function groupCard(group: Group): Markup {
  const { name, about, summary, items, timeline = [] } = group;
  const statuses = [...new Set(items.map(({ status }) => status))];
  const counts = statuses.map((status) => `${items.filter((item) => item.status === status).length} ${status}`);
  const passed = items.filter(({ status }) => status === 'passed');
  const others = items.filter(({ status, findings = [] }) => status !== 'passed' && findings.length === 0);
  return html`<article class="${STATUSES[statusOf(group)]}">
<h3>${name}${summary === undefined ? '' : `: ${summary}`}</h3>
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
