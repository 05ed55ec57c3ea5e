/** The contract report as results. */

import { fixOf } from '../requests/instead.ts';
import { type Finding as Found, KINDS, subjectOf, wordsOf } from './kinds.ts';
import { namesInShort } from './merge.ts';
import { isCovered, type OperationReport, type Report } from './report.ts';
import type { Finding, Group, Item, Results } from './results.ts';
import { ruleOf } from './rules.ts';

const VERDICTS = { pass: 'passed', fail: 'failed', incomplete: 'incomplete' } as const;
const headings = [...new Set(Object.values(KINDS).flatMap(({ heading }) => heading ?? []))];

export function reportResults(report: Report): Results {
  const { verdict, strict, reasons, account, coverage, label, sandbox, since, createdAt, operations, findings } =
    report;
  const listed = findings.filter(({ kind }) => KINDS[kind].heading);
  // A double create is no small print.
  const but = verdict === 'pass' && listed.length > 0 ? ', but with warnings' : '';
  const figures = [...wordsOf('warning', findings), ...wordsOf('note', findings)];
  return {
    kind: 'contract',
    verdict,
    title: `contract check ${VERDICTS[verdict]}${strict ? ' (strict)' : ''}${but}`,
    reasons,
    account,
    figures: [`${coverage.seen} of ${coverage.documented} documented responses seen`, ...figures],
    about: [...(label ? [label] : []), sandbox],
    startedAt: since,
    endedAt: createdAt,
    headings,
    groups: [...operations.map((each) => groupOf(each, report)), verdictGroup(report)],
    rules: [...new Set(listed.map(({ rule }) => rule))].map((id) => ({ ...ruleOf(id), id })),
    notes: [...lastRunInWords(report), ...notesOf(report)],
    data: report,
  };
}

/** An operation: a case for each documented response, finding, and request that was invalid on purpose. */
function groupOf(operation: OperationReport, report: Report): Group {
  const { operation: name, method, path, deprecated, responses } = operation;
  const hints = report.coverage.untested.filter((each) => each.operation === name);
  return {
    name,
    about: `${method} ${path}${deprecated ? ', deprecated' : ''}`,
    items: [
      ...responses.map((each): Item => {
        const { status, seen, unexpected, description } = each;
        const response = `response ${status}: ${description}`;
        if (isCovered(each)) return { name: response, status: 'passed', remarks: [`${seen} ×`] };
        const hint = hints.find((each) => each.status === status)?.hint ?? '';
        return {
          name: response,
          status: 'skipped',
          remarks: [`${unexpected > 0 ? 'not covered' : `${status} not tested`}: ${hint}`],
        };
      }),
      ...report.findings.filter((each) => each.operation === name).flatMap(itemsOf),
    ],
  };
}

/** What concerns no single operation. */
function verdictGroup(report: Report): Group {
  const { findings } = report;
  const open = wordsOf('incomplete', findings);
  const notes = notesOf(report);
  return {
    name: 'verdict',
    items: [
      {
        name: 'everything was seen and validated',
        status: open.length === 0 ? 'passed' : 'error',
        remarks: open,
      },
      ...failuresOfMerge(findings),
      ...(notes.length === 0 ? [] : [{ name: 'notes', status: 'warned', remarks: notes } as const]),
      ...findings.filter(({ operation }) => operation === null).flatMap(itemsOf),
    ],
  };
}

/** Without a heading, a failure is a reason alone. */
function failuresOfMerge(findings: readonly Found[]): Item[] {
  const failed = findings.filter(({ kind, level }) => level === 'error' && !KINDS[kind].heading);
  if (failed.length === 0) return [];
  return [{ name: 'every report is counted', status: 'failed', remarks: failed.map(({ message }) => message) }];
}

function itemsOf(found: Found): Item[] {
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

const STATUSES = { error: 'failed', incomplete: 'error', warning: 'warned', note: 'accepted' } as const;

function findingOf(found: Found, heading: string): Finding {
  const { kind, level, rule, pointer, location, message, sample, fix, count, requests, last, lines } = found;
  const isOfServer = kind === 'brokenResponse';
  return {
    heading,
    // The client cannot correct what is wrong in the server.
    level: isOfServer ? 'note' : level === 'incomplete' ? 'warning' : level,
    ...{ rule, subject: subjectOf(found), location },
    message: isOfServer ? `${message} (a bug of the server, not of the client)` : message,
    // The validator's messages are the same in every run. Others have ids and times in them.
    ...(!/^re(quest|sponse)\//.test(rule) && { summary: ruleOf(rule).title }),
    ...(sample && {
      sample: { request: requestAndStatus(sample), ...(sample.sent !== null && { sent: sample.sent }) },
      brief: briefOf(message, sample),
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

/** What a message says twice next to the subject and the location of its finding. */
const SAID_TWICE: readonly (readonly [RegExp, string])[] = [
  [/^Re(?:quest|sponse) (?:path|query|header|body)(?: (?:parameter|property) \S+)? (?=must )/, ''],
  [/^must have required property .*|^Body parameter is required$/, 'missing'],
  [/equal to one of the allowed values:/, 'one of'],
  [/^Re(?:quest|sponse) body is /, ''],
  [/^(unknown (?:field|parameter)) `[^`]*`/, '$1'],
  [/^\w+ is deprecated and will be removed on/, 'deprecated, removed on'],
  [/^\w+ is (?=removed on)/, ''],
  [/ are left by the sandbox's clock$/, ' left'],
];

/** A message next to subject and location: `must be <= 100`. */
export function briefOf(message: string, { action, sent }: Sample): string {
  const brief = SAID_TWICE.reduce((text, [pattern, short]) => text.replace(pattern, short), message);
  const name = brief === 'missing' && action === 'replace' ? /^"([^"\\]+)":|^([\w-]+)=/.exec(sent ?? '') : null;
  return name === null ? brief : `missing; ${name[1] ?? name[2]} looks like a typo`;
}

/** @param fix the sentences, of which the parts say the first */
function resultCorrection(fix: string, sample: Sample, location: string): NonNullable<Finding['correction']> {
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

/** `last run (suite, run 2): passed; fixed 2, new 1, still 3 against suite, run 1` */
function lastRunInWords({ lastRun }: Report): string[] {
  if (lastRun === null) return [];
  const { run, verdict, against } = lastRun;
  const counts = [
    ['fixed', lastRun.fixed],
    ['new', lastRun.new],
    ['still', lastRun.still],
  ] as const;
  const changes = counts.flatMap(([word, count]) => (count === 0 ? [] : [`${word} ${count}`])).join(', ');
  const compared = against === null ? '' : `; ${changes === '' ? 'the same as' : `${changes} against`} ${against}`;
  return [`last run (${run}): ${VERDICTS[verdict]}${compared}`];
}

/** What a reader should know besides the findings that are listed. */
const notesOf = ({ findings, merged }: Report): string[] => [
  ...findings.filter(({ kind }) => KINDS[kind].isNote).map(noteOf),
  ...(merged ? mergeNotes(merged) : []),
];

/** `createPet: 503, response replaced (injected fault), 2 × (req_…)` */
function noteOf({ operation, message, count, requests: [first] }: Found): string {
  const times = first === undefined ? (count === 1 ? '' : `, ${count} ×`) : `, ${count} × (${first})`;
  return `${operation === null ? '' : `${operation}: `}${message}${times}`;
}

/** Which of the reports did not pass. */
function mergeNotes({ reports, duplicates }: NonNullable<Report['merged']>): string[] {
  if (reports.length < 2) return [...duplicates];
  const those = (which: Report['verdict']): string[] => {
    const names = reports.filter(({ verdict }) => verdict === which).map(({ name }) => name);
    return names.length === 0
      ? []
      : [`${names.length} of ${reports.length} reports ${VERDICTS[which]}: ${namesInShort(names)}`];
  };
  return [...those('fail'), ...those('incomplete'), ...duplicates];
}
