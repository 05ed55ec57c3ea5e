/** The outcome as one page for people, in the style of the contract report. */

import { html, type Markup, page } from '../../report/markup.ts';
import { REPORT_STYLE } from '../../report/page-style.ts';
import type { ClassifiedDifference, Conformance, ConformCheckResult } from '../conform.ts';
import { lineOf } from '../known-differences.ts';
import { BASIS_WORDS, type Basis } from '../rules.ts';

const VERDICTS = {
  conforms: ['pass', '✓', 'The server conforms.'],
  differs: ['fail', '✗', 'The server differs.'],
  stale: ['fail', '✗', 'Known differences are gone.'],
  incomplete: ['incomplete', '?', 'The run was cut short.'],
} as const;

/** The whole page. */
export function htmlOf(conformance: Conformance): string {
  const { verdict, url, startedAt, endedAt, requests, counts } = conformance;
  const [tone, sign, sentence] = VERDICTS[verdict];
  const body = html`<header class="${tone}">
<p class="sign" aria-hidden="true">${sign}</p>
<div>
<h1>${sentence}</h1>
<p class="about">${url} · ${startedAt} to ${endedAt} · ${requests} requests</p>
</div>
</header>
<main>
<dl class="totals">
${Object.entries(counts).map(([name, count]) => html`<div class="${count === 0 ? 'none' : 'some'}"><dt>checks: ${name}</dt><dd>${count}</dd></div>`)}
</dl>
${differencesBy('specification', conformance)}
${differencesBy('sandbox', conformance)}
${staleSection(conformance)}
${skippedSection(conformance)}
</main>`;
  return page(`Conformance: ${verdict}`, REPORT_STYLE, body);
}

function differencesBy(basis: Basis, { results }: Conformance): Markup | '' {
  const articles = results.flatMap((result) =>
    result.differences.filter((each) => each.basis === basis).map((difference) => article(result, difference)),
  );
  if (articles.length === 0) return '';
  return html`<section>
<h2>By the ${BASIS_WORDS[basis]}</h2>
${articles}
</section>`;
}

function article(
  { name, section }: ConformCheckResult,
  { rule, basis, sent, expected, got, accepted }: ClassifiedDifference,
): Markup {
  const tone = accepted !== undefined ? 'note' : basis === 'specification' ? 'error' : 'warning';
  return html`<article class="${tone}">
<h3>${section}: ${name}</h3>
<p>sent <code>${sent}</code></p>
<p>expected <code>${expected}</code></p>
<p>got <code>${got}</code></p>
<p class="about">${rule}${accepted === undefined ? '' : ` · ${accepted}`}</p>
</article>`;
}

function staleSection({ stale }: Conformance): Markup | '' {
  if (stale.length === 0) return '';
  return html`<section>
<h2>Known differences that are gone</h2>
<ul>${stale.map((known) => html`<li><code>${lineOf(known)}</code></li>`)}</ul>
</section>`;
}

function skippedSection({ results }: Conformance): Markup | '' {
  const skipped = results.filter(({ outcome }) => outcome === 'skipped');
  if (skipped.length === 0) return '';
  return html`<section>
<h2>Skipped</h2>
<ul class="never">${skipped.map(({ section, name, reason = '' }) => html`<li>${section}: ${name} (${reason})</li>`)}</ul>
</section>`;
}
