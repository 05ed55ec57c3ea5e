/** The outcome as SARIF 2.1.0: differences as results that point into `spec/openapi.yaml`. */
import { createHash } from 'node:crypto';
import { type OperationName, operations } from '../../generated/facts.ts';
import { lineFinder, messageOf, SPECIFICATION_URI, sarifLog } from '../../report/sarif.ts';
import type { ClassifiedDifference, Conformance, ConformCheckResult } from '../conform.ts';
import { lineOf } from '../known-differences.ts';
import { BASIS_WORDS, RULES, type Rule } from '../rules.ts';

export interface SarifOptions {
  /** The sandbox's version. */
  readonly version: string;
  /** The shipped `openapi.yaml`: results refer to its lines. */
  readonly specificationFile: string;
}

const pointerOf = (operation: OperationName): string => {
  const { path, method } = operations[operation];
  return `#/paths/${path.replaceAll('/', '~1')}/${method}`;
};

/** The location of each section's subject in the specification. */
const POINTERS: Readonly<Record<ConformCheckResult['section'], string>> = {
  'List pets': pointerOf('listPets'),
  'Add a pet': pointerOf('createPet'),
  'Get a pet': pointerOf('getPet'),
  Versioning: pointerOf('getPet'),
  Authentication: '#/security',
  Endpoints: '#/paths',
};

const LEVELS = { specification: 'error', sandbox: 'warning' } as const;

/** A SARIF log as JSON. A difference from the specification is an error, one from a sandbox decision a warning. */
export async function sarifOf(conformance: Conformance, { version, specificationFile }: SarifOptions): Promise<string> {
  const lineAt = await lineFinder(specificationFile);
  const { results, startedAt, endedAt, verdict, url, stale } = conformance;
  const found = results.flatMap((result) => result.differences.map((difference) => ({ result, difference })));
  const rules = [...new Set(found.map(({ difference }) => difference.rule))];
  return sarifLog(
    { name: 'petstore-sandbox conform', semanticVersion: version, rules: rules.map(ruleOf) },
    {
      invocations: [
        {
          executionSuccessful: verdict !== 'incomplete',
          startTimeUtc: startedAt,
          endTimeUtc: endedAt,
          toolExecutionNotifications: stale.map((known) => ({
            level: 'error',
            message: { text: messageOf(`the known difference "${lineOf(known)}" is gone; take it off the list`) },
          })),
        },
      ],
      results: found.map(({ result, difference }) => ({
        ...resultOf(result, difference, lineAt(POINTERS[result.section])),
        ruleIndex: rules.indexOf(difference.rule),
      })),
      properties: { verdict, url },
    },
  );
}

const ruleOf = (rule: Rule): object => ({
  id: rule,
  shortDescription: { text: RULES[rule].says },
  help: { text: `By the ${BASIS_WORDS[RULES[rule].basis]}. docs/conform.md lists the rules.` },
  defaultConfiguration: { level: LEVELS[RULES[rule].basis] },
});

function resultOf(
  { name, section }: ConformCheckResult,
  { rule, basis, sent, expected, got, accepted }: ClassifiedDifference,
  line: number,
) {
  const text = `${name}. Sent ${sent}. Expected ${expected}. Got ${got}`;
  const key = createHash('sha256')
    .update(lineOf({ rule, check: name }))
    .digest('hex');
  return {
    ruleId: rule,
    level: LEVELS[basis],
    message: { text: messageOf(text) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: SPECIFICATION_URI }, region: { startLine: line } },
        logicalLocations: [{ fullyQualifiedName: POINTERS[section], kind: 'member' }],
      },
    ],
    // The same difference is the same alert in every run.
    partialFingerprints: { 'conformance/v1': key },
    ...(accepted !== undefined && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: `it is ${accepted}` }],
    }),
  };
}
