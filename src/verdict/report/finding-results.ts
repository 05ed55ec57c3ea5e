/** Findings as results, whatever found them: no kind is known here, only the rows of `kinds.ts`. */
import { fixOf } from '../../traffic/instead.ts';
import { type Finding as Found, KINDS, subjectOf, wordsOf } from './kinds.ts';
import { type Item, type ResultFinding, type Results, VERDICTS } from './results.ts';

/** What was found, and the verdict that follows. */
interface Outcome extends Pick<Results, 'verdict' | 'reasons' | 'account'> {
  readonly findings: readonly Found[];
}

/** How to show an outcome. */
interface Shown extends Pick<Results, 'kind' | 'figures' | 'about' | 'endedAt' | 'groups' | 'notes'> {
  /** What has the verdict: `contract check`. */
  readonly name: string;
  readonly strict?: boolean;
  readonly startedAt?: string;
  /** What holds unless the verdict is incomplete: CI systems know the case by it. */
  readonly complete: string;
  /** What holds unless something failed as a whole. */
  readonly counted?: string;
}

/** @param shown with groups that have the findings of an operation, and figures and notes besides those of the findings */
export function resultsOf(outcome: Outcome, { name, strict = false, complete, counted, ...shown }: Shown): Results {
  const { verdict, reasons, account, findings } = outcome;
  const listed = findings.filter(({ kind }) => KINDS[kind].heading);
  // A double create is no small print.
  const but = verdict === 'pass' && listed.some(({ level }) => level === 'warning') ? ', but with warnings' : '';
  const notes = [...shown.notes, ...findings.filter(({ kind }) => KINDS[kind].isNote).map(noteOf)];
  return {
    ...{ ...shown, verdict, reasons, account },
    title: `${name} ${VERDICTS[verdict].word}${strict ? ' (strict)' : ''}${but}`,
    figures: [...shown.figures, ...wordsOf('warning', findings), ...wordsOf('note', findings)],
    headings: [...new Set(listed.flatMap(({ kind }) => KINDS[kind].heading ?? []))],
    groups: [...shown.groups, { name: 'verdict', items: verdictItems(findings, { complete, counted, notes }) }],
    notes,
    data: outcome,
  };
}

/** What concerns no single operation. */
function verdictItems(
  findings: readonly Found[],
  { complete, counted, notes }: { complete: string; counted: string | undefined; notes: readonly string[] },
): Item[] {
  const open = wordsOf('incomplete', findings);
  const failed = findings.filter(({ kind, level }) => level === 'error' && !KINDS[kind].heading);
  return [
    { name: complete, status: open.length === 0 ? 'passed' : 'error', remarks: open },
    // Without a heading, a failure is a reason alone.
    ...(counted === undefined || failed.length === 0
      ? []
      : [{ name: counted, status: 'failed', remarks: wordsOf('error', failed) } as const]),
    ...(notes.length === 0 ? [] : [{ name: 'notes', status: 'warned', remarks: notes } as const]),
    ...findings.filter(({ operation }) => operation === null).flatMap(itemsOf),
  ];
}

/** A finding as a case, if it is listed. */
export function itemsOf(found: Found): Item[] {
  const { kind, rule, location, message, count, level } = found;
  if (kind === 'expectedInvalid') {
    const name = `expected invalid: ${rule.replace('request/', '')} at ${location}`;
    return [{ name, status: 'accepted', remarks: [`${message}; invalid on purpose, ${count} ×`] }];
  }
  const { heading } = KINDS[kind];
  if (heading === undefined) return [];
  const finding = findingOf(found, heading);
  return [
    {
      name: `${rule} at ${location}: ${finding.summary ?? finding.message}`,
      status: STATUSES[level],
      findings: [finding],
    },
  ];
}

/** What became of a case with a finding of a level. */
export const STATUSES = { error: 'failed', incomplete: 'error', warning: 'warned', note: 'accepted' } as const;

/** A finding as it is shown. */
export function findingOf(found: Found, heading = KINDS[found.kind].heading ?? ''): ResultFinding {
  const { kind, level, rule, title, pointer, location, message, sample, fix, count, requests, last, lines } = found;
  const { expected, got } = found;
  const isOfServer = kind === 'brokenResponse';
  return {
    heading,
    // The client cannot correct what is wrong in the server.
    level: isOfServer ? 'note' : level === 'incomplete' ? 'warning' : level,
    ...{ rule, subject: subjectOf(found), location },
    message: isOfServer ? `${message} (a bug of the server, not of the client)` : message,
    // The validator's messages are the same in every run. Others have ids and times in them.
    ...(!/^re(?:quest|sponse)\/|^api-change$/.test(rule) && { summary: title }),
    ...((expected ?? got) !== undefined && {
      sample: { ...(expected !== undefined && { expected }), ...(got !== undefined && { got }) },
    }),
    ...(sample && {
      sample: { request: requestAndStatus(sample), ...(sample.sent !== null && { sent: sample.sent }) },
      correction: resultCorrection(fix, sample, location),
    }),
    fix,
    pointer,
    ...(last !== null && {
      requests: {
        ...{ count, ids: requests, last },
        lines: lines.map((line) => `${line.id}  ${line.at}  ${requestAndStatus(line)}`),
      },
    }),
  };
}

type Sample = NonNullable<Found['sample']>;

/** @param fix the sentences, of which the parts say the first */
function resultCorrection(fix: string, sample: Sample, location: string): NonNullable<ResultFinding['correction']> {
  const { action, sent, instead } = sample;
  const { advice: _, ...parts } = sample;
  const sentence = fixOf(parts);
  const advice =
    sentence !== undefined && fix.startsWith(sentence) ? fix.slice(sentence.length).replace(/^\. /, '') : fix;
  return {
    sent: action === 'add' || sent === location ? undefined : (sent ?? undefined),
    send: action === 'replace' || action === 'add' ? (instead ?? undefined) : undefined,
    advice: advice === '' ? undefined : advice,
  };
}

/** `GET /v1/pets?limit=500 → 400` */
const requestAndStatus = ({ request, status }: { readonly request: string; readonly status: number }): string =>
  `${request} → ${status === 0 ? 'no response' : status}`;

/** `createPet: 503, response replaced (injected fault), 2 × (req_…)` */
function noteOf({ operation, message, count, requests: [first] }: Found): string {
  const times = first === undefined ? (count === 1 ? '' : `, ${count} ×`) : `, ${count} × (${first})`;
  return `${operation === null ? '' : `${operation}: `}${message}${times}`;
}
