/** The contract report as results. */

import { counted } from '../core/text.ts';
import { fixOf } from '../requests/instead.ts';
import type { Occurrences } from './findings.ts';
import { type ListedFinding, type ListedKind, listedFindings, remarksOn } from './listed.ts';
import { namesInShort } from './merge.ts';
import { isCovered, type OperationReport, type Report, searchedIn } from './report.ts';
import type { Finding, Group, Item, Results } from './results.ts';
import { ruleOf } from './rules.ts';

const VERDICTS = { pass: 'passed', fail: 'failed', incomplete: 'incomplete' } as const;
const HEADINGS = {
  error: 'Failures',
  open: 'Unexpected rejections',
  warning: 'Warnings',
  note: 'Bugs in the sandbox',
} as const;

/** @param server what responded, in words */
export function reportResults(report: Report, server = 'sandbox'): Results {
  const { verdict, strict, reasons, account, totals, coverage, label, sandbox, since, createdAt, operations } = report;
  const findings = listedFindings(report, server).map(findingOf);
  const rules = new Set(findings.map(({ rule }) => rule));
  // A double create is no small print.
  const but = verdict === 'pass' && findings.length > 0 ? ', but with warnings' : '';
  return {
    kind: 'contract',
    verdict,
    title: `contract check ${VERDICTS[verdict]}${strict ? ' (strict)' : ''}${but}`,
    reasons,
    account,
    figures: [`${coverage.seen} of ${coverage.documented} documented responses seen`, ...figuresOf(totals)],
    about: [...(label ? [label] : []), sandbox],
    startedAt: since,
    endedAt: createdAt,
    headings: Object.values(HEADINGS),
    groups: [...operations.map((each) => groupOf(each, findings, report)), verdictGroup(findings, report)],
    rules: [...rules].map((id) => ({ ...ruleOf(id), id })),
    notes: [...lastRunInWords(report), ...operations.flatMap(remarksOn), ...notesOf(report)],
    data: report,
  };
}

/** The counts that are not among the reasons of the verdict, without those that are zero. */
const figuresOf = ({ warnings, deprecatedUses, behavior, injectedFaults, validationFailures }: Report['totals']) =>
  [
    [warnings, 'warning'] as const,
    [deprecatedUses, 'deprecated use'] as const,
    [behavior, 'behavior warning'] as const,
    [injectedFaults, 'injected fault'] as const,
    [validationFailures, 'validation failure'] as const,
  ].flatMap(([count, noun]) => (count === 0 ? [] : [counted(count, noun)]));

/** An operation: a case for each documented response, finding, and request that was invalid on purpose. */
function groupOf(operation: OperationReport, findings: readonly ReportFinding[], report: Report): Group {
  const { operation: name, method, path, deprecated, responses, expectedInvalid } = operation;
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
      ...findings.filter(({ subject }) => subject === name).map((finding) => itemOf(finding, report)),
      ...expectedInvalid.map(
        ({ rule, location, message, count }): Item => ({
          name: `expected invalid: ${rule} at ${location}`,
          status: 'accepted',
          remarks: [`${message}; invalid on purpose, ${count} ×`],
        }),
      ),
    ],
  };
}

/** What concerns no single operation. */
function verdictGroup(findings: readonly ReportFinding[], report: Report): Group {
  const { incompleteReasons, operations } = report;
  const names = operations.map(({ operation }) => operation as string);
  const notes = notesOf(report);
  const isComplete = incompleteReasons.length === 0;
  return {
    name: 'verdict',
    items: [
      {
        name: 'everything was seen and validated',
        status: isComplete ? 'passed' : 'error',
        remarks: incompleteReasons,
      },
      ...(notes.length === 0 ? [] : [{ name: 'notes', status: 'warned', remarks: notes } as const]),
      ...findings.filter(({ subject }) => !names.includes(subject)).map((finding) => itemOf(finding, report)),
    ],
  };
}

function itemOf({ kind, ...finding }: ReportFinding, { strict }: Report): Item {
  const isFailure = kind === 'error' || (strict && kind !== 'note');
  return {
    name: `${finding.rule} at ${finding.location}: ${finding.summary ?? finding.message}`,
    status: isFailure ? 'failed' : STATUSES[kind],
    findings: [{ ...finding, level: isFailure ? 'error' : finding.level }],
  };
}

/** The client can neither pass nor fail by what was rejected, and by a note: that is the sandbox's own fault. */
const STATUSES = { error: 'failed', open: 'error', warning: 'warned', note: 'error' } as const;

interface ReportFinding extends Finding {
  readonly kind: ListedKind;
}

function findingOf(found: ListedFinding): ReportFinding {
  const { kind, rule, subject, pointer, location, message, sample, fix, count, requests, last, lines } = found;
  return {
    kind,
    heading: HEADINGS[kind],
    level: kind === 'open' ? 'warning' : kind,
    ...{ rule, subject, location, message },
    // The validator's messages are the same in every run. Others have ids and times in them.
    ...(!/^re(quest|sponse)\//.test(rule) && { summary: ruleOf(rule).title }),
    sample: { request: requestAndStatus(sample), ...(sample.sent !== null && { sent: sample.sent }) },
    brief: briefOf(message, sample),
    fix,
    correction: resultCorrection(fix, sample, location),
    pointer,
    requests: {
      count,
      ids: requests,
      last,
      lines: lines.map((line) => `${line.id}  ${line.at}  ${requestAndStatus(line)}`),
    },
  };
}

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
export function briefOf(message: string, { action, sent }: Occurrences['sample']): string {
  const brief = SAID_TWICE.reduce((text, [pattern, short]) => text.replace(pattern, short), message);
  const name = brief === 'missing' && action === 'replace' ? /^"([^"\\]+)":|^([\w-]+)=/.exec(sent ?? '') : null;
  return name === null ? brief : `missing; ${name[1] ?? name[2]} looks like a typo`;
}

/** @param fix the sentences, of which the parts say the first */
function resultCorrection(
  fix: string,
  sample: Occurrences['sample'],
  location: string,
): NonNullable<Finding['correction']> {
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
  const compared = against === null ? '' : `; ${changes === '' ? 'as' : `${changes} against`} ${against}`;
  return [`last run (${run}): ${VERDICTS[verdict]}${compared}`];
}

/** What a reader should know besides the findings of no operation. */
const notesOf = ({ strict, behavior, untriggeredFaults, merged }: Report): string[] => [
  ...behavior.lostCreations.map(({ message }) => message),
  ...untriggeredFaults.flatMap(({ rule, byChance }) => (byChance ? `no request triggered the fault rule ${rule}` : [])),
  ...(behavior.dropped > 0 && !strict ? [searchedIn(behavior)] : []),
  ...(merged ? mergeNotes(merged) : []),
];

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
