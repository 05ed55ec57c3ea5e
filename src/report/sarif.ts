/** The report as SARIF 2.1.0: findings as results that point into `spec/openapi.yaml`, for code scanning. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { printable } from '../client/text.ts';
import { type Finding, findingsOf, fixOf, notesOf, subjectOf, whereOf } from './findings.ts';
import type { Report } from './report.ts';
import { anchorOf, ruleOf } from './rules.ts';

export interface SarifOptions {
  /** The sandbox's version. */
  readonly version: string;
  /** The shipped `openapi.yaml`: results refer to its lines. */
  readonly specificationFile: string;
}

/** The path in the repositories of users; relative to a root that the reader of the report chooses. */
export const SPECIFICATION_URI = 'spec/openapi.yaml';

/** A SARIF log of one run, as JSON. */
export const sarifLog = (
  driver: { name: string; semanticVersion: string; rules: readonly object[] },
  run: object,
): string =>
  JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [{ tool: { driver }, ...run }],
    },
    // Rules and places of a recording are text from outside, too.
    (_, value: unknown) => (typeof value === 'string' ? printable(value) : value),
  );

/** Has a heading for every rule. */
const RULES_PAGE = 'docs/rules.md';

/** A SARIF log as JSON. */
export async function sarifOf(report: Report, { version, specificationFile }: SarifOptions): Promise<string> {
  const lineOf = await lineFinder(specificationFile);
  const findings = findingsOf(report);
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return sarifLog(
    {
      name: 'petstore-sandbox',
      semanticVersion: version,
      rules: rules.map((id) => shownRule(id, version)),
    },
    {
      invocations: [
        {
          executionSuccessful: report.incompleteReasons.length === 0,
          startTimeUtc: report.since,
          endTimeUtc: report.createdAt,
          toolExecutionNotifications: [
            ...report.incompleteReasons.map((reason) => ({ level: 'error', message: { text: messageOf(reason) } })),
            ...notesOf(report).map((note) => ({ level: 'note', message: { text: messageOf(note) } })),
          ],
        },
      ],
      results: findings.map((finding) => resultOf(finding, rules, lineOf(finding.pointer), report)),
      properties: { verdict: report.verdict, coverage: report.coverage, sandbox: report.sandbox },
    },
  );
}

function resultOf(finding: Finding, rules: readonly string[], line: number, { strict }: Report): object {
  const { rule, level, location, message, pointer, requests, count, sample } = finding;
  const text = `${subjectOf(finding)}, ${location}: ${message} (${whereOf(finding)}). ${fixOf(finding)}`;
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: level === 'warning' && strict ? 'error' : level,
    message: { text: messageOf(text) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: SPECIFICATION_URI }, region: { startLine: line } },
        logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }],
      },
    ],
    occurrenceCount: count,
    // The same mistake of the same client is the same alert, whatever the ids of its requests.
    partialFingerprints: {
      'contract/v1': createHash('sha256').update(`${rule}\n${location}\n${pointer}`).digest('hex'),
    },
    properties: { requests, sample },
  };
}

/**
 * The meaning of a rule, and a link to its explanation. A package URL (purl) names the file in this version of the
 * package: it is the same on every machine, and the report may outlive the server.
 */
function shownRule(id: string, version: string): object {
  const rule = ruleOf(id);
  return {
    id,
    shortDescription: { text: messageOf(rule.title) },
    help: { text: messageOf(rule.help), markdown: rule.help },
    helpUri: `pkg:npm/petstore-sandbox@${version}?anchor=${anchorOf(rule)}#${RULES_PAGE}`,
  };
}

/** Brackets would become links, and braces placeholders (SARIF 2.1.0, sections 3.11.6 and 3.11.5). */
export const messageOf = (text: string): string =>
  printable(text)
    .replaceAll(/[\\[\]]/g, '\\$&')
    .replaceAll(/[{}]/g, '$&$&');

/** Finds the line of a JSON pointer, or of its nearest existing ancestor. */
export async function lineFinder(file: string): Promise<(pointer: string) => number> {
  // A CommonJS module: bundled or not, its exports are members of the default export.
  const { default: yaml } = await import('yaml');
  const { LineCounter, isMap, isScalar, isSeq, parseDocument } = yaml;
  const lines = new LineCounter();
  const specification = parseDocument(await readFile(file, 'utf8'), { lineCounter: lines });

  /** The position of a member, and its node. */
  const step = (node: unknown, name: string): { at: number; node: unknown } | undefined => {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
      return isScalar(pair?.key) && pair.key.range ? { at: pair.key.range[0], node: pair.value } : undefined;
    }
    const item = isSeq(node)
      ? (node.items[Number(name)] as { range?: [number, number, number] } | undefined)
      : undefined;
    return item?.range ? { at: item.range[0], node: item } : undefined;
  };

  return (pointer) => {
    let found: { at: number; node: unknown } | undefined = { at: 0, node: specification.contents };
    let at = 0;
    for (const part of pointer.replace(/^#\/?/, '').split('/').filter(Boolean)) {
      found = step(found.node, decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
      if (!found) break;
      at = found.at;
    }
    return lines.linePos(at).line;
  };
}
