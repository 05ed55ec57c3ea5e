/** Results as Markdown, for the summary of a GitHub job (`$GITHUB_STEP_SUMMARY`) or a comment. */
import { counted, printable } from '../../../base/text.ts';
import {
  figuresInWords,
  findingsBelow,
  type Group,
  idsOf,
  placeOf,
  type ResultFinding,
  type Results,
  VERDICTS,
} from '../results.ts';

/** GitHub rejects a summary of more than 1 MiB. */
const MAX_SUMMARY_BYTES = 1_000_000;

export function render(results: Results): string {
  const { verdict, title, reasons, about, startedAt, endedAt, headings, groups, notes } = results;
  const parts = [
    [`## ${VERDICTS[verdict].sign} ${markdownOf(title)}`],
    list(reasons),
    [markdownOf(figuresInWords(results).join(' · '))],
    ...headings.map((heading) => findingsTable(heading, findingsBelow(heading, results))),
    markdownSection('What was checked', markdownTable(['', 'outcome', 'not passed'], groups.map(groupRow))),
    markdownSection('Notes', list(notes)),
    [markdownOf([...about, startedAt === undefined ? endedAt : `${startedAt} to ${endedAt}`].join(' · '))],
  ];
  return fitting(parts.filter((lines) => lines.length > 0).flatMap((lines) => [...lines, '']));
}

function fitting(lines: readonly string[]): string {
  let bytes = 0;
  const end = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > MAX_SUMMARY_BYTES;
  });
  if (end === -1) return lines.join('\n');
  return [...lines.slice(0, end), '', `${counted(lines.length - end, 'more line')}: see the other formats`].join('\n');
}

const markdownSection = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`### ${markdownOf(title)}`, '', ...lines];

const list = (texts: readonly string[]): string[] => texts.map((text) => `- ${markdownOf(text)}`);

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return rows.length === 0 ? [] : [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

const findingsTable = (heading: string, findings: readonly ResultFinding[]): string[] =>
  markdownSection(
    heading,
    markdownTable(['rule', 'where', 'what', 'what to do', 'requests'], findings.map(findingRow)),
  );

const findingRow = (finding: ResultFinding): string[] => {
  const { rule, message, sample = {}, fix = '', requests, accepted } = finding;
  const shown = Object.entries(sample).map(([name, value]) => `${name} ${code(String(value))}`);
  return [
    code(rule),
    escaped(placeOf(finding)),
    [markdownOf(message), ...shown].join('<br>'),
    markdownOf(accepted === undefined ? fix : `accepted: ${accepted}`),
    requests === undefined ? '' : `${requests.count} × ${code(idsOf(requests))}`,
  ];
};

/** The items with findings are in the tables above. */
function groupRow({ name, summary, items }: Group): string[] {
  const statuses = [...new Set(items.map(({ status }) => status))];
  const counts = statuses.map((status) => `${items.filter((item) => item.status === status).length} ${status}`);
  const others = items.filter(({ status, findings = [] }) => status !== 'passed' && findings.length === 0);
  return [
    escaped(name),
    [summary === undefined ? [] : markdownOf(summary), counts.join(', ')].flat().join('<br>'),
    others
      .map(({ name, status, remarks = [] }) => [escaped(`${name} (${status})`), ...remarks.map(markdownOf)].join(': '))
      .join('<br>'),
  ];
}

const code = (text: string): string => `<code>${escaped(text)}</code>`;

/** Text in which nothing is markup, but for what our messages have between backticks. */
const markdownOf = (text: string): string =>
  text
    .split('`')
    .map((part, index, { length }) => {
      if (index % 2 === 0) return escaped(part);
      return index === length - 1 ? `&#96;${escaped(part)}` : code(part);
    })
    .join('');

/** A comment after `@` and `#` keeps GitHub from a mention of a person or an issue: it looks at what is shown. */
const escaped = (text: string): string =>
  printable(text)
    .replaceAll(/[&<>\\*[\]`{|}~!$^@#]|(?<!\w)_|_(?!\w)|:(?=\/\/)|(?<=www)\./gi, (mark) => `&#${mark.charCodeAt(0)};`)
    .replaceAll(/&#(?:35|64);/g, '$&<!-- -->');
