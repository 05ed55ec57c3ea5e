/**
 * Results as workflow commands of GitHub Actions: printed in a job, they become annotations. The verdict comes first,
 * because GitHub shows ten annotations of a level and step.
 */
import { printable } from '../../../base/text.ts';
import { findingsOf, idsOf, placeOf, type ResultFinding, type Results, summaryInWords } from '../results.ts';

type WorkflowCommand = 'error' | 'warning' | 'notice';

const LEVELS = { error: 'error', warning: 'warning', note: 'notice' } as const;
const ORDER: readonly WorkflowCommand[] = ['error', 'warning', 'notice'];

export function render(results: Results): string {
  const { kind, verdict, groups, notes } = results;
  const line = (command: WorkflowCommand, title: string, message: readonly string[]): string =>
    `::${command} title=${propertyOf(title)}::${message.map(annotationText).join('%0A')}`;
  const ofFindings = findingsOf(results)
    .filter(({ accepted }) => accepted === undefined)
    .map(
      (finding) => [LEVELS[finding.level], `${finding.rule}: ${placeOf(finding)}`, annotationLines(finding)] as const,
    );
  const ofItems = groups.flatMap(({ name: group, items }) =>
    items
      .filter(({ status, findings = [] }) => (status === 'failed' || status === 'error') && findings.length === 0)
      .map(({ name, status, remarks = [] }) => {
        const command = status === 'failed' ? 'error' : 'warning';
        return [command, `${group}: ${name}`, remarks.length === 0 ? [status] : remarks] as const;
      }),
  );
  const ofNotes = notes.map((note) => ['notice', `Petstore ${kind}`, [note]] as const);
  const all = [...ofFindings, ...ofItems, ...ofNotes];
  return [
    line(verdict === 'pass' ? 'notice' : 'error', `Petstore ${kind}: ${verdict}`, [summaryInWords(results)]),
    ...ORDER.flatMap((command) =>
      all.filter(([of]) => of === command).map(([, title, message]) => line(command, title, message)),
    ),
  ].join('\n');
}

const annotationLines = ({ message, sample = {}, fix, requests }: ResultFinding): string[] => [
  message,
  ...Object.entries(sample).map(([name, value]) => `${name}: ${value}`),
  ...(fix === undefined ? [] : [fix]),
  ...(requests === undefined ? [] : [`${requests.count} ×: ${idsOf(requests)}`]),
];

const annotationText = (text: string): string =>
  printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const propertyOf = (text: string): string => annotationText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
