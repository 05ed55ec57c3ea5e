/** Drills in a few lines for people at a terminal. */
import { type DrillsReport, type State, stateInWords } from './drills-report.ts';

const SIGNS: Readonly<Record<State, string>> = { pass: '✓', fail: '✗', incomplete: '?', known: '~', stale: '✗' };

/** One line of a drill; with a line for each check that failed where there is one. */
export function drillLines(drill: DrillsReport['drills'][number]): string[] {
  const { state, drill: id, checks } = drill;
  const words = state === 'pass' ? '' : `: ${state === 'known' ? 'known failure: ' : ''}${stateInWords(drill)}`;
  const failed = checks.filter(({ status }) => status === 'fail');
  return [
    `${SIGNS[state]} ${id}${words}`,
    ...failed.map(
      ({ id: check, level, words: found, expected, source }) =>
        `    ${level} ${check}: ${found}${expected === null ? '' : `; expected ${expected}`} (${source})`,
    ),
  ];
}

/** `writes 6 of 7 · retries 5 of 7 · compatibility 5 of 5: fail`. */
export const summaryLine = ({ groups, verdict, strict }: DrillsReport): string =>
  `${groups.map(({ group, passed, total }) => `${group} ${passed} of ${total}`).join(' · ')}: ${verdict}${strict ? ' (strict)' : ''}`;

export const drillsLines = (report: DrillsReport): string[] => [
  ...report.drills.flatMap(drillLines),
  summaryLine(report),
];
