/** The outcome in lines for people; whoever prints them makes them safe to show. */
import { RULES } from './cases/case.ts';
import type { Conformance, Result } from './conform.ts';
import type { Finding } from './talk.ts';

const WORDS = {
  ok: 'ok',
  document: 'DIFFERS FROM THE DOCUMENT',
  sandbox: 'DIFFERS FROM THE SANDBOX',
} as const;

/** A mistake that shows in every answer is shown whole so often, then named only. */
const SHOWN_WHOLE = 5;

/** Tells of one check after the other; what was skipped is told at the end, in numbers. */
export class Teller {
  readonly #shown = new Map<string, number>();

  linesOf({ name, section, outcome, findings }: Result): readonly string[] {
    if (outcome === 'skipped') return [];
    return [`${WORDS[outcome]}  ${section}: ${name}`, ...findings.flatMap((finding) => this.#linesOfFinding(finding))];
  }

  #linesOfFinding({ from, rule, sent, expected, got }: Finding): readonly string[] {
    const what = `${rule}, by the ${from}`;
    const times = (this.#shown.get(what) ?? 0) + 1;
    this.#shown.set(what, times);
    if (times > SHOWN_WHOLE) return [`    ${what}, once more`];
    return [`    ${what}`, `      sent      ${sent}`, `      expected  ${expected}`, `      got       ${got}`];
  }
}

/** What it all comes to. */
export function summaryLines({ url, verdict, counts, requests, results, created }: Conformance): readonly string[] {
  const { ok, document, sandbox, skipped } = counts;
  const rules = countOf(results.flatMap(({ findings }) => [...new Set(findings.map(inFull))]));
  return [
    '',
    ...(rules.size > 0 ? ['What differs, and in how many checks:'] : []),
    ...[...rules].map(([rule, count]) => `  ${String(count).padStart(4)}  ${rule}`),
    ...(skipped > 0 ? ['What was skipped (--json names each):'] : []),
    ...[...countOf(results.flatMap(({ reason }) => reason ?? []))].map(
      ([reason, count]) => `  ${String(count).padStart(4)}  ${reason}`,
    ),
    ...createdLines(created),
    `${url} ${VERDICTS[verdict]}: ${results.length} checks, ${ok} ok, ${document} differ from the document, ` +
      `${sandbox} from the sandbox, ${skipped} skipped (${requests} requests)`,
  ];
}

function createdLines(created: Conformance['created']): string[] {
  const ids = created.flatMap(({ id }) => (id === null ? [] : [id]));
  const unknown = created.length - ids.length;
  return [
    ...(ids.length > 0 ? [`Pets created: ${ids.join(', ')}`] : []),
    ...(unknown > 0 ? [`Pets perhaps created, whose answers name no id: ${unknown}`] : []),
  ];
}

const VERDICTS = {
  conforms: 'conforms',
  differs: 'differs',
  incomplete: 'was not looked at to the end; nothing differs so far',
} as const;

const inFull = ({ rule, from }: Finding): string => `${rule}, by the ${from}: ${RULES[rule]}`;

/** How often each text is there. */
function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
