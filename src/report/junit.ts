/** The report as JUnit XML: one suite an operation, one case a documented answer or finding. */
import { type Finding, findingsOf, whereOf } from './findings.ts';
import { forXml } from './plain.ts';
import type { OperationReport, Report } from './report.ts';

interface Case {
  readonly name: string;
  /** What stands inside of the case; nothing for one that passed. */
  readonly outcome?: {
    readonly failure?: Note;
    readonly error?: Note;
    readonly skipped?: { readonly '@message': string };
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
    ...report.operations.map((operation) => suiteOf(`${operation.operation}`, casesOf(operation, report), report)),
    suiteOf('verdict', [verdictCase(report)], report),
  ];
  const total = (member: '@tests' | '@failures' | '@errors' | '@skipped'): number =>
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
      '@name': forXml(caseName),
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
    return { name, outcome: { skipped: { '@message': forXml(`you never tried ${status}: ${never?.hint ?? ''}`) } } };
  });
  const findings = findingsOf(report)
    .filter((finding) => finding.operation === operation)
    .map(
      (finding): Case => ({
        name: `${finding.rule} at ${finding.place}: ${finding.message}`,
        ...outcomeOf(finding, report),
      }),
    );
  return [...answers, ...findings];
}

function outcomeOf(finding: Finding, { strict }: Report): Pick<Case, 'outcome'> {
  const note: Note = {
    '@message': forXml(finding.message),
    '@type': forXml(finding.rule),
    '#text': forXml(`${finding.place}: ${finding.message}\n${whereOf(finding)}\n${finding.pointer}`),
  };
  if (finding.level === 'error' || (finding.level === 'warning' && strict)) return { outcome: { failure: note } };
  return finding.level === 'note' ? { outcome: { error: note } } : {};
}

/** What makes a report incomplete belongs to no operation. */
function verdictCase({ verdict, reasons }: Report): Case {
  const name = 'everything was seen and judged';
  if (verdict !== 'incomplete') return { name };
  const message = forXml(reasons.join('; '));
  return { name, outcome: { error: { '@message': message, '@type': 'incomplete', '#text': message } } };
}
