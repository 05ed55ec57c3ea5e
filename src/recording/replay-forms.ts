/** The outcome of a replay in the forms of `conform`. */
import { createHash } from 'node:crypto';
import { printable } from '../client/text.ts';
import { writeJson } from '../core/int64.ts';
import { type JUnitCase, junitSuiteOf, junitXml } from '../report/junit.ts';
import { html, page } from '../report/markup.ts';
import { REPORT_STYLE } from '../report/page-style.ts';
import { messageOf, SPECIFICATION_URI, sarifLog } from '../report/sarif.ts';
import type { Replay, Replayed } from './replay.ts';

export type Form = 'text' | 'json' | 'junit' | 'sarif' | 'html';

/** The outcome as text, safe for display. @param at when the replay was made, RFC 3339 */
export async function inForm(
  form: Form,
  replay: Replay,
  { version, at }: { version: string; at: string },
): Promise<string> {
  switch (form) {
    case 'text':
      return linesOf(replay).map(printable).join('\n');
    case 'json':
      return printable(writeJson(replay));
    case 'junit':
      return (
        await junitXml('petstore replay', [junitSuiteOf('replay', replay.results.map(recordingOf), at)])
      ).trimEnd();
    case 'sarif':
      return sarifOf(replay, version);
    case 'html':
      return htmlOf(replay);
  }
}

/** `differs at req_… (body/pets/3/name)`, with what was expected. */
export function wordsOf({ id, outcome, reason, difference }: Replayed): string {
  if (difference === undefined) return `${outcome}${reason === undefined ? '' : ` at ${id}: ${reason}`}`;
  const { location, expected, got } = difference;
  const why = reason === undefined ? '' : `, because ${reason}`;
  return `${outcome} at ${id} (${location})${why}: expected ${expected}, got ${got}`;
}

export function summaryLine({ verdict, counts }: Replay): string {
  const figures = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return `${verdict}: ${figures.join(', ')}`;
}

const linesOf = (replay: Replay): string[] => [
  ...replay.results
    .filter(({ outcome }) => outcome !== 'same')
    .map((result) => `${wordsOf(result)}  [${result.method} ${result.target}]`),
  summaryLine(replay),
];

function recordingOf(result: Replayed): JUnitCase {
  const { id, method, target, outcome, reason = '' } = result;
  const name = printable(`${id} ${method} ${target}`);
  if (outcome === 'same') return { name };
  if (outcome === 'skipped') return { name, outcome: { skipped: { '@message': printable(reason) } } };
  const words = printable(wordsOf(result));
  const note = { '@message': words, '@type': outcome, '#text': words };
  return { name, outcome: outcome === 'differs' ? { failure: note } : { error: note } };
}

function sarifOf({ results, verdict }: Replay, version: string): string {
  const found = results.filter(({ outcome }) => outcome === 'differs' || outcome === 'incomplete');
  return sarifLog(
    {
      name: 'petstore-sandbox replay',
      semanticVersion: version,
      rules: [
        { id: 'differs', shortDescription: { text: 'The response is not the recorded one.' } },
        { id: 'incomplete', shortDescription: { text: 'The response could not be compared for certain.' } },
      ],
    },
    {
      invocations: [{ executionSuccessful: verdict !== 'incomplete' }],
      results: found.map((result) => ({
        ruleId: result.outcome,
        level: result.outcome === 'differs' ? 'error' : 'warning',
        message: { text: messageOf(`${result.method} ${result.target} ${wordsOf(result)}`) },
        locations: [{ physicalLocation: { artifactLocation: { uri: SPECIFICATION_URI }, region: { startLine: 1 } } }],
        partialFingerprints: { 'replay/v1': createHash('sha256').update(result.id).digest('hex') },
      })),
    },
  );
}

function htmlOf(replay: Replay): string {
  const tone = replay.verdict === 'same' ? 'pass' : replay.verdict === 'differs' ? 'fail' : 'incomplete';
  const others = replay.results.filter(({ outcome }) => outcome !== 'same');
  const body = html`<header class="${tone}"><div><h1>Replay: ${replay.verdict}</h1><p class="about">${summaryLine(replay)}</p></div></header>
<main>
${others.map((result) => html`<article><h3>${result.method} ${result.target}</h3><p>${wordsOf(result)}</p></article>`)}
</main>`;
  return page(`Replay: ${replay.verdict}`, REPORT_STYLE, body);
}
