/** The report as one page for people: no external requests, light and dark, printable. */
import { type Finding, findingsOf, fixOf, notesOf, sampleLine, subjectOf } from './findings.ts';
import { html, type Markup, page } from './markup.ts';
import { REPORT_STYLE } from './page-style.ts';
import type { OperationReport, Report } from './report.ts';
import { ruleOf } from './rules.ts';

const VERDICTS = {
  pass: ['✓', 'The contract check passed.'],
  fail: ['✗', 'The contract check failed.'],
  incomplete: ['?', 'The report is incomplete.'],
} as const;

/** The whole page. */
export function htmlOf(report: Report): string {
  const { verdict, reasons, totals, coverage, label, sandbox, since, createdAt, strict, operations } = report;
  const [sign, sentence] = VERDICTS[verdict];
  const body = html`<header class="${verdict}">
<p class="sign" aria-hidden="true">${sign}</p>
<div>
<h1>${sentence}</h1>
${reasons.length > 0 ? html`<ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>` : ''}
<p class="about">${label ? html`${label} · ` : ''}${sandbox} · ${since} to ${createdAt}${strict ? ' · strict' : ''}</p>
</div>
</header>
<main>
<dl class="totals">
${total('exchanges', totals.exchanges)}${total('violations', totals.violations)}${total('rounded integers', totals.rounded)}${total('warnings', totals.warnings)}${total('deprecated uses', totals.deprecatedUses)}${total('injected faults', totals.injectedFaults)}${total('not validated', totals.validationFailures)}
</dl>
<section>
<h2>Responses seen: ${coverage.seen} of ${coverage.documented}</h2>
<table>
<thead><tr><th scope="col">Operation</th><th scope="col">Documented responses</th><th scope="col">Others</th></tr></thead>
<tbody>${operations.map(coverageRow)}${unmatchedRow(report)}</tbody>
</table>
${neverTried(report)}
</section>
${findingSection('What breaks the specification', report, 'error')}
${findingSection('Warnings', report, 'warning')}
${findingSection('For the makers of the sandbox', report, 'note')}
${expectedInvalidSection(report)}
${faultSection(report)}
${notesOf(report).map((note) => html`<p class="about">Note: ${note}.</p>`)}
</main>`;
  return page(`Contract report: ${verdict}`, REPORT_STYLE, body);
}

const total = (name: string, count: number): Markup =>
  html`<div class="${count === 0 ? 'none' : 'some'}"><dt>${name}</dt><dd>${count}</dd></div>
`;

function coverageRow({ operation, method, path, deprecated, responses, otherResponses }: OperationReport): Markup {
  return html`<tr><th scope="row"><b>${operation}</b>${deprecated ? html` <em>deprecated</em>` : ''}<br><code>${method} ${path}</code></th>
<td>${responses.map(({ status, seen, description }) => html`<span class="response ${seen > 0 ? 'seen' : 'unseen'}" title="${description}">${status}<small>${seen > 0 ? `${seen} ×` : 'never'}</small></span> `)}</td>
<td>${otherResponses.map(({ status, seen, injectedFaults: injected }) => otherResponse(status, times(seen, injected)))}</td></tr>
`;
}

function unmatchedRow({ noOperationStatuses: unmatched }: Report): Markup | '' {
  if (unmatched.length === 0) return '';
  return html`<tr><th scope="row">no operation matches</th><td></td>
<td>${unmatched.map(({ status, count }) => otherResponse(status, `${count} ×`))}</td></tr>
`;
}

/** Status 0: the connection ended before one was sent. */
const otherResponse = (status: number, count: string): Markup =>
  html`<span class="response">${status === 0 ? 'cut off' : status}<small>${count}</small></span> `;

const times = (seen: number, injected: number): string =>
  [seen > 0 && `${seen} ×`, injected > 0 && `${injected} × injected`].filter(Boolean).join(', ');

function neverTried({ coverage }: Report): Markup {
  if (coverage.untested.length === 0) return html`<p>Every documented response was seen.</p>`;
  return html`<ul class="never">${coverage.untested.map(({ operation, status, hint }) => html`<li>You never tried <b>${operation} ${status}</b>: ${hint}.</li>`)}</ul>`;
}

function findingSection(title: string, report: Report, level: Finding['level']): Markup | '' {
  const findings = findingsOf(report).filter((finding) => finding.level === level);
  if (findings.length === 0) return '';
  return html`<section>
<h2>${title}</h2>
${findings.map(
  (finding) => html`<article class="${level}">
<h3>${subjectOf(finding)}: <code>${finding.location}</code></h3>
<p>${finding.message}</p>
<p><code>${sampleLine(finding)}</code></p>
<p class="fix">${fixShown(finding)}</p>
<p class="about">${ruleOf(finding.rule).title} · ${finding.rule} · <code>${finding.pointer}</code> · ${finding.count} × · ${requestsOf(finding)}</p>
</article>`,
)}
</section>`;
}

/** The part to send and the part sent, as code; the rule's help text if none can be derived. */
function fixShown(finding: Finding): Markup | string {
  const { sent, instead } = finding.sample;
  if (instead === null) return fixOf(finding);
  return sent === null
    ? html`Send <code>${instead}</code>`
    : html`Send <code>${instead}</code> instead of <code>${sent}</code>`;
}

/** The first requests; also the last one if others are omitted in between. */
function requestsOf({ count, requests, last }: Finding): Markup {
  const more = count > requests.length && !requests.includes(last) ? html`… <code>${last}</code>` : '';
  return html`${requests.map((id) => html`<code>${id}</code> `)}${more}`;
}

function expectedInvalidSection({ operations }: Report): Markup | '' {
  const all = operations.flatMap(({ operation, expectedInvalid }) =>
    expectedInvalid.map((each) => ({ operation, ...each })),
  );
  if (all.length === 0) return '';
  const items = all.map(
    ({ operation, location, message, count }) =>
      html`<li>${operation}: <code>${location}</code>, ${message}, ${count} ×</li>`,
  );
  return html`<section><h2>Invalid on purpose</h2><ul>${items}</ul></section>`;
}

function faultSection({ operations }: Report): Markup | '' {
  const faults = operations.flatMap(({ operation, injectedFaults: injected }) =>
    injected.map((each) => ({ operation, ...each })),
  );
  if (faults.length === 0) return '';
  const items = faults.map(
    ({ operation, fault, count }) => html`<li>${operation}: <code>${fault}</code>, ${count} ×</li>`,
  );
  return html`<section><h2>Injected faults</h2><ul>${items}</ul></section>`;
}
