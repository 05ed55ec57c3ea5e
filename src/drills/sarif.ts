/** Drills as SARIF 2.1.0: failed checks as results that point to the operation in `spec/openapi.yaml`. */
import { createHash } from 'node:crypto';
import { operations } from '../generated/facts.ts';
import { lineFinder, messageOf, type SarifOptions, SPECIFICATION_URI, sarifLog } from '../report/sarif.ts';
import type { DrillsReport } from './drills-report.ts';
import { stateInWords } from './drills-report.ts';
import type { CheckResult } from './grade.ts';

type Drill = DrillsReport['drills'][number];

export async function drillsSarifOf(
  report: DrillsReport,
  { version, specificationFile }: SarifOptions,
): Promise<string> {
  const lineOf = await lineFinder(specificationFile);
  const checks = report.drills.flatMap((drill) => drill.checks.map((check) => ({ drill, check })));
  const rules = checks.map(({ drill, check }) => ruleIdOf(drill, check));
  const unknown = report.drills.filter(({ state }) => state === 'incomplete' || state === 'stale');
  return sarifLog(
    {
      name: 'petstore-sandbox',
      semanticVersion: version,
      rules: checks.map(({ drill, check }) => ({
        id: ruleIdOf(drill, check),
        shortDescription: { text: messageOf(check.title) },
        help: { text: messageOf(`${drill.title} ${check.title} Source: ${check.source}.`) },
        helpUri: `pkg:npm/petstore-sandbox@${version}?anchor=${drill.drill}#docs/drills.md`,
      })),
    },
    {
      invocations: [
        {
          executionSuccessful: unknown.length === 0,
          endTimeUtc: report.createdAt,
          toolExecutionNotifications: unknown.map((drill) => ({
            level: 'error',
            message: { text: messageOf(`${drill.drill}: ${stateInWords(drill)}`) },
          })),
        },
      ],
      results: checks
        .filter(({ check }) => check.status === 'fail')
        .map(({ drill, check }) => resultOf(drill, check, report.strict, rules, lineOf)),
      properties: { verdict: report.verdict, groups: report.groups },
    },
  );
}

const ruleIdOf = ({ drill }: Drill, { id }: CheckResult): string => `${drill}/${id}`;

function resultOf(
  drill: Drill,
  check: CheckResult,
  strict: boolean,
  rules: readonly string[],
  lineOf: (pointer: string) => number,
): object {
  const { level, words, expected, requests } = check;
  const ruleId = ruleIdOf(drill, check);
  const pointer = pointerOf(drill);
  const isError = level === 'must' || strict;
  return {
    ruleId,
    ruleIndex: rules.indexOf(ruleId),
    level: isError ? 'error' : 'warning',
    message: { text: messageOf(`${drill.title} ${words}${expected === null ? '' : `; expected ${expected}`}.`) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: SPECIFICATION_URI }, region: { startLine: lineOf(pointer) } },
        logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }],
      },
    ],
    partialFingerprints: { 'drill/v1': createHash('sha256').update(ruleId).digest('hex') },
    // A known failure, by the list of them.
    ...(drill.state === 'known' && { suppressions: [{ kind: 'external' }] }),
    properties: { requests },
  };
}

/** The operation that the task is about. */
function pointerOf({ task }: Drill): string {
  const name = task === 'create' ? 'createPet' : task === 'get' || task === 'all' ? 'getPet' : 'listPets';
  const { path, method } = operations[name];
  return `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;
}
