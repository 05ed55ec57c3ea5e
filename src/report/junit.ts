/** The report as JUnit XML: one suite an operation, one case a documented answer or finding. */
import { printable } from '../client/text.ts';
import { type Finding, findingsOf, whereOf } from './findings.ts';
import type { OperationReport, Report } from './report.ts';

interface Case {
  readonly name: string;
  /** What stands inside of the case; nothing for one that passed. */
  readonly outcome?: {
    readonly failure?: Note;
    readonly error?: Note;
    readonly skipped?: { readonly '@message': string };
    /** What is worth reading about a case that passed. */
    readonly 'system-out'?: string;
  };
}

interface Note {
  readonly '@message': string;
  readonly '@type': string;
  readonly '#text': string;
}

/** The XML text. A case fails for what makes the verdict `fail`, has an error for what is unsure, is skipped when never seen. */
export async function junitOf(report: Report): Promise<string> {
  const { default: Builder } = await import('fast-xml-builder');
  const builder = new Builder({
    format: true,
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    suppressBooleanAttributes: false,
  });
  const suites = [
    ...report.operations.map((operation) => suiteOf(operation.operation, casesOf(operation, report), report)),
    suiteOf('verdict', [wholeTruthCase(report)], report),
  ];
  const total = (member: '@tests' | '@failures' | '@errors'): number =>
    suites.reduce((sum, suite) => sum + suite[member], 0);
  const text: string = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'petstore contract',
      '@tests': total('@tests'),
      '@failures': total('@failures'),
      '@errors': total('@errors'),
      testsuite: suites,
    },
  });
  return text;
}

function suiteOf(name: string, cases: readonly Case[], { createdAt }: Report) {
  const count = (outcome: 'failure' | 'error' | 'skipped'): number =>
    cases.filter((each) => each.outcome?.[outcome] !== undefined).length;
  return {
    '@name': name,
    '@tests': cases.length,
    '@failures': count('failure'),
    '@errors': count('error'),
    '@skipped': count('skipped'),
    '@timestamp': createdAt.slice(0, 19),
    '@time': 0,
    '@hostname': 'petstore-sandbox',
    testcase: cases.map(({ name: caseName, outcome = {} }) => ({
      '@name': printable(caseName),
      '@classname': `petstore.${name}`,
      '@time': 0,
      ...outcome,
    })),
  };
}

function casesOf(operation: OperationReport, report: Report): Case[] {
  const answers = operation.answers.map(({ status, description, seen }): Case => {
    const name = `answers ${status}: ${description}`;
    if (seen > 0) return { name };
    const never = report.coverage.neverSeen.find(
      (each) => each.operation === operation.operation && each.status === status,
    );
    return { name, outcome: { skipped: { '@message': `you never tried ${status}: ${never?.hint ?? ''}` } } };
  });
  const findings = findingsOf(report)
    .filter((finding) => finding.operation === operation)
    .map(
      (finding): Case => ({
        name: `${finding.rule} at ${finding.place}: ${finding.message}`,
        outcome: outcomeOf(finding, report),
      }),
    );
  return [...answers, ...findings];
}

function outcomeOf(finding: Finding, { strict }: Report): Required<Case>['outcome'] {
  const { level, rule, pointer } = finding;
  const message = printable(finding.message);
  const text = `${printable(finding.place)}: ${message}\n${whereOf(finding)}\n${printable(pointer)}`;
  const note: Note = { '@message': message, '@type': printable(rule), '#text': text };
  if (level === 'note') return { error: note };
  return level === 'error' || strict ? { failure: note } : { 'system-out': text };
}

/** What is missing from a report belongs to no operation. */
function wholeTruthCase({ gaps }: Report): Case {
  const name = 'everything was seen and judged';
  if (gaps.length === 0) return { name };
  const message = gaps.join('; ');
  return { name, outcome: { error: { '@message': message, '@type': 'incomplete', '#text': message } } };
}
