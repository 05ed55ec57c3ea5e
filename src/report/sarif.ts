/** The report as SARIF 2.1.0: findings as results that point into `spec/openapi.yaml`, for code scanning. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { printable } from '../client/text.ts';
import { type Finding, findingsOf, whereOf } from './findings.ts';
import type { Report } from './report.ts';

export interface SarifOptions {
  /** Of the sandbox. */
  readonly version: string;
  /** The shipped `openapi.yaml`: its lines are what results point to. */
  readonly documentFile: string;
}

/** As repositories of the sandbox's users see it; relative to the root that the reader of the report chooses. */
const DOCUMENT_URI = 'spec/openapi.yaml';

/** A SARIF log as JSON. */
export async function sarifOf(report: Report, { version, documentFile }: SarifOptions): Promise<string> {
  const lineOf = await lineFinder(documentFile);
  const findings = findingsOf(report);
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'petstore-sandbox',
            semanticVersion: version,
            rules: rules.map((id) => ({ id, shortDescription: { text: descriptionOf(id) } })),
          },
        },
        invocations: [
          {
            executionSuccessful: report.gaps.length === 0,
            startTimeUtc: report.since,
            endTimeUtc: report.createdAt,
            toolExecutionNotifications: report.gaps.map((gap) => ({
              level: 'error',
              message: { text: messageOf(gap) },
            })),
          },
        ],
        results: findings.map((finding) => resultOf(finding, rules, lineOf(finding.pointer), report)),
        properties: { verdict: report.verdict, coverage: report.coverage, sandbox: report.sandbox },
      },
    ],
  });
}

function resultOf(finding: Finding, rules: readonly string[], line: number, { strict }: Report): object {
  const { rule, level, place, message, pointer, operation, requests, count } = finding;
  const text = `${operation.operation}, ${place}: ${message} (${whereOf(finding)})`;
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: level === 'warning' && strict ? 'error' : level,
    message: { text: messageOf(text) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: DOCUMENT_URI }, region: { startLine: line } },
        logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }],
      },
    ],
    occurrenceCount: count,
    // The same mistake of the same client is the same alert, whatever the ids of its requests.
    partialFingerprints: { 'contract/v1': createHash('sha256').update(`${rule}\n${place}\n${pointer}`).digest('hex') },
    properties: { requests },
  };
}

/** Brackets would make links, and braces placeholders (SARIF 2.1.0, sections 3.11.6 and 3.11.5). */
const messageOf = (text: string): string =>
  printable(text)
    .replaceAll(/[\\[\]]/g, '\\$&')
    .replaceAll(/[{}]/g, '$&$&');

function descriptionOf(rule: string): string {
  if (rule === 'int64-rounded') return 'A 64-bit integer came back as a double makes it';
  if (rule.startsWith('request/')) return `A request breaks the document: ${rule.slice('request/'.length)}`;
  if (rule.startsWith('answer/'))
    return `An answer of the sandbox breaks the document: ${rule.slice('answer/'.length)}`;
  return WARNINGS[rule] ?? rule;
}

const WARNINGS: Readonly<Record<string, string>> = {
  'unknown-field': 'A body has a field that the document does not know',
  'unknown-parameter': 'A query has a parameter that the document does not know',
  deprecated: 'A deprecated operation is used',
  'refused-beyond-document': 'The service refuses what the document does not forbid',
};

/** Finds the line of a JSON pointer, or of its nearest ancestor that is there. */
async function lineFinder(file: string): Promise<(pointer: string) => number> {
  // A CommonJS module: bundled or not, its exports are members of the default one.
  const { default: yaml } = await import('yaml');
  const { LineCounter, isMap, isScalar, isSeq, parseDocument } = yaml;
  const lines = new LineCounter();
  const document = parseDocument(await readFile(file, 'utf8'), { lineCounter: lines });

  /** Where a member begins, and what it is. */
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
    let found: { at: number; node: unknown } | undefined = { at: 0, node: document.contents };
    let at = 0;
    for (const part of pointer.replace(/^#\/?/, '').split('/').filter(Boolean)) {
      found = step(found.node, decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
      if (!found) break;
      at = found.at;
    }
    return lines.linePos(at).line;
  };
}
