/** The report as JUnit XML: one suite per operation, one case per documented response or finding. */
import { printable } from '../client/text.ts';
import { type Finding, findingsOf, fixOf, notesOf, sampleLine, whereOf } from './findings.ts';
import type { OperationReport, Report } from './report.ts';

/** One case of a suite. */
export interface JUnitCase {
  readonly name: string;
  /** The content of the case; nothing for one that passed. */
  readonly outcome?: {
    readonly failure?: Note;
    readonly error?: Note;
    readonly skipped?: { readonly '@message': string };
    /** Notes about a case that passed. */
    readonly 'system-out'?: string;
  };
}

export interface Note {
  readonly '@message': string;
  readonly '@type': string;
  readonly '#text': string;
}

/**
 * The XML text. A case fails if it makes the verdict `fail`, has an error if it is uncertain, and is skipped if never
 * seen.
 */
export const junitOf = (report: Report): Promise<string> =>
  junitXml('petstore contract', [
    ...report.operations.map((operation) =>
      junitSuiteOf(operation.operation, casesOf(operation, report), report.createdAt),
    ),
    junitSuiteOf('verdict', [wholeTruthCase(report), ...findingCases(undefined, report)], report.createdAt),
  ]);

type Suite = ReturnType<typeof junitSuiteOf>;

/** Suites as XML. */
export async function junitXml(name: string, suites: readonly Suite[]): Promise<string> {
  const { default: Builder } = await import('fast-xml-builder');
  const builder = new Builder({
    format: true,
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    suppressBooleanAttributes: false,
  });
  const total = (member: '@tests' | '@failures' | '@errors'): number =>
    suites.reduce((sum, suite) => sum + suite[member], 0);
  const text: string = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': name,
      '@tests': total('@tests'),
      '@failures': total('@failures'),
      '@errors': total('@errors'),
      testsuite: suites,
    },
  });
  return text;
}

/** One suite. @param time ISO 8601, in UTC */
export function junitSuiteOf(name: string, cases: readonly JUnitCase[], time: string) {
  const count = (outcome: 'failure' | 'error' | 'skipped'): number =>
    cases.filter((each) => each.outcome?.[outcome] !== undefined).length;
  return {
    '@name': name,
    '@tests': cases.length,
    '@failures': count('failure'),
    '@errors': count('error'),
    '@skipped': count('skipped'),
    '@timestamp': time.slice(0, 19),
    '@time': 0,
    '@hostname': 'petstore-sandbox',
    testcase: cases.map(({ name: caseName, outcome = {} }) => ({
      '@name': printable(caseName),
      '@classname': `petstore.${name.replaceAll(' ', '_')}`,
      '@time': 0,
      ...outcome,
    })),
  };
}

function casesOf(operation: OperationReport, report: Report): JUnitCase[] {
  const responses = operation.responses.map(({ status, description, seen }): JUnitCase => {
    const name = `response ${status}: ${description}`;
    if (seen > 0) return { name };
    const never = report.coverage.untested.find(
      (each) => each.operation === operation.operation && each.status === status,
    );
    return { name, outcome: { skipped: { '@message': `you never tried ${status}: ${never?.hint ?? ''}` } } };
  });
  const expectedInvalid = operation.expectedInvalid.map(
    ({ rule, location, message }): JUnitCase => ({
      name: `expected invalid: ${rule} at ${location}: ${message}`,
      outcome: { 'system-out': 'The request was invalid on purpose.' },
    }),
  );
  return [...responses, ...findingCases(operation, report), ...expectedInvalid];
}

/** @param operation `undefined` for findings that concern no single operation */
const findingCases = (operation: OperationReport | undefined, report: Report): JUnitCase[] =>
  findingsOf(report)
    .filter((finding) => finding.operation === operation)
    .map((finding) => ({
      name: `${finding.rule} at ${finding.location}: ${finding.message}`,
      outcome: outcomeOf(finding, report),
    }));

function outcomeOf(finding: Finding, { strict }: Report): Required<JUnitCase>['outcome'] {
  const { level, rule, pointer } = finding;
  // CI systems show the beginning of a failure: the fix comes first.
  const fix = printable(fixOf(finding));
  const wrong = printable(`${finding.location}: ${finding.message}`);
  const text = [fix, wrong, printable(sampleLine(finding)), whereOf(finding), printable(pointer)].join('\n');
  const note: Note = { '@message': `${fix} (${wrong})`, '@type': printable(rule), '#text': text };
  if (level === 'note') return { error: note };
  return level === 'error' || strict ? { failure: note } : { 'system-out': text };
}

/** Gaps in the report belong to no operation. */
function wholeTruthCase(report: Report): JUnitCase {
  const { incompleteReasons } = report;
  const name = 'everything was seen and validated';
  const notes = notesOf(report);
  if (incompleteReasons.length === 0)
    return notes.length === 0 ? { name } : { name, outcome: { 'system-out': notes.join('\n') } };
  const message = incompleteReasons.join('; ');
  const text = [message, ...notes].join('\n');
  return { name, outcome: { error: { '@message': message, '@type': 'incomplete', '#text': text } } };
}
