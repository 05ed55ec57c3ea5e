/** Results as lines for people at a terminal: one line for each finding, what to send instead below it, and the verdict last. */

import { shortId } from '../../../base/ids.ts';
import {
  type Cell,
  isNarrow,
  PLAIN,
  paragraph,
  type Row,
  rowLines,
  type Screen,
  type Tone,
} from '../../../base/layout.ts';
import { duration } from '../../../base/text.ts';
import {
  figuresInWords,
  findingsBelow,
  type Group,
  type Item,
  type ResultFinding,
  type Results,
  SIGNS,
  type Status,
  statusOf,
  summaryInWords,
  VERDICTS,
  verdictInWords,
} from '../results.ts';
import { timeLineOf } from './time-line.ts';

/** What is shown besides the findings. */
export interface TextOptions {
  /** Items of these statuses, which have no findings; with `accepted`, the findings that are accepted too. */
  readonly listed?: readonly Status[];
  /** Show every finding with what to send instead, and not only the first ones of a rule. */
  readonly full?: boolean;
  /** Also show the rule of each finding, and its first and last request. */
  readonly verbose?: boolean;
  /** Where it is shown; by default a file. */
  readonly screen?: Screen;
  /** Where to see more: a link, or a command. */
  readonly see?: string | undefined;
}

/** A mistake in every response is shown in full this many times, then in one line. */
const SHOWN_IN_FULL = 5;

const TONES = {
  passed: 'good',
  warned: 'warn',
  failed: 'bad',
  error: 'warn',
  skipped: 'quiet',
  accepted: 'quiet',
} as const;

const signOf = (status: Status): Cell => [SIGNS[status], TONES[status], 'strong'];

export const render = (results: Results, options: TextOptions): string =>
  [...detailLines(results, options), ...verdictLines(results, options)].join('\n');

/** The verdict with its reasons, its counts, and where to see more. */
export function verdictLines(results: Results, { screen = PLAIN, see }: TextOptions): string[] {
  const { status } = VERDICTS[results.verdict];
  const sign = `${SIGNS[status]} `;
  const cell = (text: string): Cell => [text, TONES[status], 'strong'];
  const inOne = paragraph(sign, cell(summaryInWords(results)), screen);
  const lines =
    inOne.length === 1
      ? inOne
      : [
          ...paragraph(sign, cell(verdictInWords(results)), screen),
          ...paragraph('', figuresInWords(results).join(', '), screen, sign.length),
        ];
  return [...lines, ...(see === undefined ? [] : paragraph('→ ', see, screen))];
}

/** All lines above the verdict. */
export function detailLines(results: Results, options: TextOptions): string[] {
  const { listed = [], screen = PLAIN } = options;
  const inGroups = results.groups.filter(({ summary }) => summary !== undefined);
  const others = { ...results, groups: results.groups.filter((group) => !inGroups.includes(group)) };
  const listedItems = results.groups.flatMap(({ name: group, items }) =>
    items
      .filter(({ status, findings = [] }) => listed.includes(status) && findings.length === 0)
      .map(({ name, status, remarks = [] }): Row => {
        const why = remarks.length === 0 ? '' : ` (${remarks.join('; ')})`;
        return { sign: [SIGNS[status], TONES[status]], left: [group], text: [`${name}${why}`, 'quiet'] };
      }),
  );
  return [
    ...inGroups.flatMap((group) => groupLines(group, headOf(group, inGroups, screen), results, options)),
    ...findingLines(others, options),
    ...rowLines(listedItems, screen),
    ...results.notes.flatMap((note) => paragraph('· ', [note, 'quiet'], screen)),
  ];
}

/** The name and the outcome of a group: of several groups, in columns where there is room for them. */
function headOf(group: Group, groups: readonly Group[], screen: Screen): string[] {
  const { name, summary = '' } = group;
  const status = statusOf(group);
  const widest = Math.max(...groups.map((each) => each.name.length));
  const isTable = groups.length > 1 && widest <= screen.width / 2;
  const [before, words] = isTable ? [`${name.padEnd(widest)}  `, summary] : ['', `${name}: ${summary}`];
  return paragraph(`${SIGNS[status]} ${before}`, [words, TONES[status], 'strong'], screen);
}

/** What happened in a group: its outcome, and where something was found its situation, its requests with their times, and the findings. */
function groupLines(group: Group, head: string[], results: Results, options: TextOptions): string[] {
  const { screen = PLAIN } = options;
  const { about, items, timeline = [] } = group;
  if (items.every(({ findings = [], status }) => findings.length === 0 && status !== 'error')) return head;
  const { rows, left } = timeLineOf(timeline);
  const inside = { ...screen, width: screen.width - INDENT };
  const requests = rows.map(
    ({ from, request, outcome, wait }): Row => ({
      left: [[duration(from), 'quiet'], request.operation ?? request.method],
      text: outcome,
      right: [[wait, 'quiet']],
    }),
  );
  const below = [
    ...(about === undefined ? [] : paragraph('', [about, 'quiet'], inside)),
    ...rowLines(requests, inside),
    ...(left > 0 ? [`and ${left} more requests`] : []),
    ...findingLines({ ...results, groups: [withoutSummary(group)] }, { ...options, screen: inside }),
  ];
  return [...head, ...below.map((line) => `${' '.repeat(INDENT)}${line}`)];
}

/** What a check found is often the summary of its group. */
const withoutSummary = (group: Group): Group => ({
  ...group,
  items: group.items.map((item) => ({
    ...item,
    findings: (item.findings ?? []).map((each) => (each.message === group.summary ? { ...each, message: '' } : each)),
  })),
});

const INDENT = 4;

/** The findings by their headings, those of a rule together. */
function findingLines(
  results: Results,
  { listed = [], full = false, verbose = false, screen = PLAIN }: TextOptions,
): string[] {
  const statuses = new Map<ResultFinding, Item['status']>(
    results.groups.flatMap(({ items }) =>
      items.flatMap(({ findings = [], status }) => findings.map((each) => [each, status] as const)),
    ),
  );
  const isShown = ({ accepted }: ResultFinding): boolean => accepted === undefined || listed.includes('accepted');
  const findings = results.headings.flatMap((heading) => findingsBelow(heading, results).filter(isShown));
  const seen = new Map<string, number>();
  const rows = findings.map((finding) => {
    const before = seen.get(finding.rule) ?? 0;
    seen.set(finding.rule, before + 1);
    const below = full || before < SHOWN_IN_FULL ? belowOf(finding, verbose, screen) : [];
    const status = finding.accepted === undefined ? (statuses.get(finding) as Status) : 'accepted';
    return rowOf(finding, status, { screen, below });
  });
  return rowLines(rows, screen);
}

/** What concerns a request as a whole has no place in it. */
const WHOLE = new Set(['operation', 'behavior']);

function rowOf(
  finding: ResultFinding,
  status: Status,
  { screen, below }: { screen: Screen; below: readonly string[] },
): Row {
  const { subject, location = '', message, requests } = finding;
  const sign = signOf(status);
  const found = requests && [`${requests.count.toLocaleString('en')}×`, idOn(screen, requests.ids[0] ?? requests.last)];
  return {
    sign,
    left: [[subject, 'strong'], WHOLE.has(location) ? '' : location],
    text: message,
    right: found?.map((text): Cell => [text, 'quiet']) ?? [],
    below,
  };
}

const idOn = (screen: Screen, id: string): string => (isNarrow(screen) ? shortId(id) : id);

/** What to send instead of what was sent, or what shows the finding, with how to correct it. */
function belowOf(finding: ResultFinding, isVerbose: boolean, screen: Screen): string[] {
  const { sample = {}, fix, rule, accepted, requests, correction } = finding;
  const lines = (sign: string, text: string | undefined, ...tones: Tone[]): string[] =>
    text === undefined ? [] : paragraph(sign, [text, ...tones], screen, INDENT);
  const named = (parts: Readonly<Record<string, string | undefined>>): string[] =>
    Object.entries(parts).flatMap(([name, text]) => lines(`${name.padEnd(8)}  `, text));
  const [first, last] = requests?.lines ?? [];
  return [
    ...(correction === undefined
      ? named({ ...sample, fix })
      : [
          ...lines('- ', correction.sent, 'bad'),
          ...lines('+ ', correction.send, 'good'),
          ...lines('', correction.advice),
        ]),
    ...named({ accepted }),
    ...(isVerbose ? named({ rule, first, last }) : []),
  ];
}
