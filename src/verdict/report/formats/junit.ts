/** Results as JUnit XML, for CI systems: one suite per group, one case per item. */
import { printable } from '../../../base/text.ts';
import { figuresInWords, type Group, type Item, idsOf, type ResultFinding, type Results } from '../results.ts';

export async function render(results: Results): Promise<string> {
  const { kind, groups, startedAt, endedAt } = results;
  const figures = figuresInWords(results).map((figure) => ({ '@name': 'figure', '@value': printable(figure) }));
  const suites = groups.map((group, index) =>
    suiteOf(group, startedAt ?? endedAt, index === groups.length - 1 ? figures : []),
  );
  const total = (name: '@tests' | '@failures' | '@errors') => suites.reduce((sum, suite) => sum + suite[name], 0);
  const { default: Builder } = await import('fast-xml-builder');
  const builder = new Builder({
    format: true,
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    suppressBooleanAttributes: false,
  });
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': `petstore ${kind}`,
      '@tests': total('@tests'),
      '@failures': total('@failures'),
      '@errors': total('@errors'),
      testsuite: suites,
    },
  });
}

/** @param time ISO 8601, in UTC @param figures of all suites: the format has no place for them but in one */
function suiteOf({ name, items }: Group, time: string, figures: readonly object[]) {
  const nameOf = namesOnce();
  const count = (status: Item['status']) => items.filter((item) => item.status === status).length;
  return {
    '@name': name,
    '@tests': items.length,
    '@failures': count('failed'),
    '@errors': count('error'),
    '@skipped': count('skipped'),
    '@timestamp': time.slice(0, 19),
    '@time': 0,
    '@hostname': 'petstore-sandbox',
    ...(figures.length > 0 && { properties: { property: figures } }),
    testcase: items.map((item) => ({
      '@name': nameOf(printable(item.name)),
      '@classname': `petstore.${name.replaceAll(' ', '_')}`,
      '@time': 0,
      ...junitResult(item),
    })),
  };
}

/** CI systems merge cases of the same name, so the second gets a number. */
function namesOnce(): (name: string) => string {
  const seen = new Map<string, number>();
  return (name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  };
}

/** The content of a case; nothing for one that passed. */
function junitResult({ status, remarks = [], findings = [] }: Item): object {
  const words = remarks.join('; ');
  if (status === 'skipped') return { skipped: { '@message': printable(words) } };
  if (status === 'passed') return {};
  const lines = [...remarks, ...findings.flatMap(junitLines)].map(printable).join('\n');
  if (status === 'warned' || status === 'accepted') return { 'system-out': lines };
  const first = findings.find(({ accepted }) => accepted === undefined);
  return {
    [status === 'failed' ? 'failure' : 'error']: {
      '@message': printable(first === undefined ? words : failureMessage(first)),
      '@type': printable(first?.rule ?? status),
      '#text': lines,
    },
  };
}

/** CI systems show the beginning of a failure: what to do comes first. */
function failureMessage(finding: ResultFinding): string {
  const { fix, sample: { expected, got } = {} } = finding;
  if (fix !== undefined) return `${fix} (${wrongIn(finding)})`;
  const why = expected === undefined ? '' : `; expected ${expected}${got === undefined ? '' : `, got ${got}`}`;
  return `${wrongIn(finding)}${why}`;
}

const wrongIn = ({ message, location }: ResultFinding): string =>
  location === undefined ? message : `${location}: ${message}`;

const junitLines = (finding: ResultFinding): string[] => {
  const { fix, sample = {}, requests, accepted, rule, pointer } = finding;
  return [
    ...(fix === undefined ? [] : [fix]),
    wrongIn(finding),
    ...Object.entries(sample).map(([name, value]) => `${name.padEnd(8)}  ${value}`),
    ...(requests === undefined ? [] : [`requests  ${requests.count} ×: ${idsOf(requests)}`, ...(requests.lines ?? [])]),
    ...(accepted === undefined ? [] : [`accepted  ${accepted}`]),
    `rule      ${rule}, ${pointer}`,
  ];
};
