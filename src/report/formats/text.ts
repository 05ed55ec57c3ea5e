/** Results as lines for people at a terminal: the findings, then what else was listed, and the verdict last. */
import { printable } from '../../core/text.ts';
import {
  type Finding,
  findingsBelow,
  type Group,
  placeOf,
  type Results,
  type Status,
  statusOf,
  summaryOf,
} from '../results.ts';
import { inTime, timeLineOf } from './time-line.ts';

/** What is shown beside the findings. */
export interface TextOptions {
  /** Items of these statuses, which have no findings; with `accepted`, the findings that are accepted too. */
  readonly listed?: readonly Status[];
  /** Show every finding in full, and not only the first ones of a rule. */
  readonly full?: boolean;
  /** A file of the user's repository in which code hosts show findings: `sarif` and `github`. */
  readonly sourceFile?: string | undefined;
}

/** A mistake in every response is shown in full this many times, then in one line. */
const SHOWN_IN_FULL = 5;

const SIGNS = { passed: '✓', warned: '✓', failed: '✗', error: '?', skipped: '-', accepted: '~' };

export const render = (results: Results, options: TextOptions): string =>
  [...detailLines(results, options), printable(summaryOf(results))].join('\n');

/** All lines above the verdict. */
export const detailLines = (results: Results, { listed = [], full = false }: TextOptions): string[] =>
  [
    ...results.groups.flatMap((group) =>
      group.summary === undefined
        ? []
        : [`${SIGNS[statusOf(group)]} ${group.name}: ${group.summary}`, ...timeLines(group)],
    ),
    ...results.headings.flatMap((heading) => {
      const isShown = ({ accepted }: Finding): boolean => accepted === undefined || listed.includes('accepted');
      return findingLines(heading, findingsBelow(heading, results).filter(isShown), full);
    }),
    ...results.groups.flatMap(({ name: group, items }) =>
      items
        .filter(({ status, findings = [] }) => listed.includes(status) && findings.length === 0)
        .map(({ name, status, remarks = [] }) => {
          const why = remarks.length === 0 ? '' : ` (${remarks.join('; ')})`;
          return `  ${status.padEnd(8)}  ${group}: ${name}${why}`;
        }),
    ),
    ...results.notes.map((note) => `  note: ${note}`),
  ].map(printable);

/** What happened in a group with findings: its situation, and its requests with their times. */
function timeLines({ about, timeline, items }: Group): string[] {
  if (timeline === undefined || items.every(({ findings = [], status }) => findings.length === 0 && status !== 'error'))
    return [];
  const { rows, left } = timeLineOf(timeline);
  return [
    ...(about === undefined ? [] : [`    ${about}`]),
    ...rows.map(
      ({ from, request, outcome, wait }) =>
        `      at ${inTime(from).padEnd(8)}  ${request.operation ?? request.method}: ${outcome}${wait && `, ${wait}`}`,
    ),
    ...(left > 0 ? [`      and ${left} more requests`] : []),
  ];
}

function findingLines(heading: string, findings: readonly Finding[], full: boolean): string[] {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const lines = rules.flatMap((rule) => {
    const ofRule = findings.filter((finding) => finding.rule === rule);
    const inFull = ofRule.slice(0, full ? ofRule.length : SHOWN_IN_FULL);
    const others = ofRule.slice(inFull.length);
    return [
      ...inFull.flatMap((finding) => [titleLine(finding), `      ${finding.message}`, ...details(finding)]),
      ...(others.length === 0 ? [] : [`    and ${others.length} more of ${rule}:`]),
      ...others.map(titleLine),
    ];
  });
  return lines.length === 0 ? [] : [`${heading}:`, ...lines];
}

/** `rule: subject`, which `conform` reads as a known difference. */
const titleLine = (finding: Finding): string => `  ${finding.rule}: ${placeOf(finding)}${requestsOf(finding)}`;

function requestsOf({ requests }: Finding): string {
  if (requests === undefined) return '';
  const { count, ids, last } = requests;
  return ` (${ids[0] ?? last}${count > 1 ? ` and ${count - 1} more` : ''})`;
}

function details({ sample, fix, accepted, requests }: Finding): string[] {
  const [first, last] = requests?.lines ?? [];
  const { request, ...parts } = sample ?? {};
  const named = {
    // The line of the first request says it as well.
    ...(first === undefined && { request }),
    ...{ ...parts, fix, accepted, first, last },
  };
  return Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [`      ${name.padEnd(8)}  ${value}`],
  );
}
