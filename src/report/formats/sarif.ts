/**
 * Results as SARIF 2.1.0. A finding concerns a request, and no line of the client's repository: its logical location is the
 * place in the specification. Code hosts accept only results with a file, so the user may name one.
 */
import { createHash } from 'node:crypto';
import { version } from '../../core/shipped.ts';
import { printable } from '../../core/text.ts';
import { type Finding, figuresInWords, findingsOf, placeOf, type Results, type Rule } from '../results.ts';
import type { TextOptions } from './text.ts';

export function render(results: Results, { sourceFile }: TextOptions): string {
  const { kind, verdict, reasons, about, account, groups, rules, notes, startedAt, endedAt } = results;
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const items = groups.flatMap((group) => group.items.map((item) => ({ ...item, group: group.name })));
  const withoutFinding = items.filter(({ status, findings = [] }) => isBad(status) && findings.length === 0);
  const fingerprintOf = fingerprints();
  const run = {
    tool: { driver: { name: `petstore-sandbox ${kind}`, semanticVersion: version, rules: rules.map(sarifRule) } },
    invocations: [
      {
        executionSuccessful: items.every(({ status }) => status !== 'error'),
        ...(startedAt !== undefined && { startTimeUtc: startedAt }),
        endTimeUtc: endedAt,
        toolExecutionNotifications: [
          ...withoutFinding.flatMap(({ group, remarks = [] }) =>
            remarks.map((remark) => ({ level: 'error', message: { text: sarifText(`${group}: ${remark}`) } })),
          ),
          ...notes.map((note) => ({ level: 'note', message: { text: sarifText(note) } })),
        ],
      },
    ],
    results: findingsOf(results).map((finding) => {
      const fingerprint = fingerprintOf(finding);
      return {
        ...sarifResultOf(finding, sourceFile),
        // GitHub knows the second one alone.
        partialFingerprints: { [`${kind}/v1`]: fingerprint, primaryLocationLineHash: `${fingerprint.slice(0, 16)}:1` },
        ruleIndex: indexes.get(finding.rule),
      };
    }),
    properties: {
      verdict,
      reasons,
      about,
      account,
      figures: figuresInWords(results),
      skipped: items.filter(({ status }) => status === 'skipped').map(({ group, name }) => `${group}: ${name}`),
    },
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  // Rules, locations and properties may be text from outside, too.
  return JSON.stringify(log, (_, value: unknown) => (typeof value === 'string' ? printable(value) : value));
}

const isBad = (status: string): boolean => status === 'failed' || status === 'error';

/** The same mistake is the same alert in every run, whatever the ids of its requests; two of a kind are two. */
function fingerprints(): (finding: Finding) => string {
  const seen = new Map<string, number>();
  return ({ rule, subject, location }) => {
    const identity = [rule, subject, location].join('\n');
    const count = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, count);
    const text = count === 1 ? identity : `${identity}\n${count}`;
    return createHash('sha256').update(text).digest('hex');
  };
}

function sarifResultOf(finding: Finding, sourceFile: string | undefined): object {
  const { rule, level, message, pointer, requests, sample, fix, accepted } = finding;
  return {
    ruleId: rule,
    level,
    message: { text: sarifText(sentencesOf(finding)) },
    locations: [
      {
        ...(sourceFile !== undefined && {
          physicalLocation: { artifactLocation: { uri: encodeURI(sourceFile) }, region: { startLine: 1 } },
        }),
        logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }],
      },
    ],
    ...(requests && { occurrenceCount: requests.count }),
    ...(accepted !== undefined && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: `it is ${accepted}` }],
    }),
    // What differs from run to run is here, and not in the message: code hosts show and compare that one.
    properties: { message, requests: requests?.ids ?? [], lines: requests?.lines, sample, fix },
  };
}

/** `listPets, query/limit: is at most 100. Send limit=100 instead of limit=500` */
function sentencesOf(finding: Finding): string {
  const { message, summary = message, fix } = finding;
  const place = placeOf(finding);
  return [place === summary ? place : `${place}: ${summary}`, fix ?? []].flat().join('. ');
}

/**
 * The meaning of a rule, and a link to its explanation. A package URL (purl) names the file in this version of the
 * package: it is the same on every machine, and the log may outlive the server.
 */
const sarifRule = ({ id, title, help, page, anchor }: Rule): object => ({
  id,
  shortDescription: { text: sarifText(title) },
  fullDescription: { text: sarifText(sentenceOf(title)) },
  help: { text: sarifText(help), markdown: help },
  helpUri: `pkg:npm/petstore-sandbox@${version}?anchor=${anchor}#${page}`,
});

const sentenceOf = (title: string): string => title.replace(/\.?$/, '.');

/** Brackets would become links, and braces placeholders (SARIF 2.1.0, sections 3.11.6 and 3.11.5). */
const sarifText = (text: string): string =>
  printable(text)
    .replaceAll(/[\\[\]]/g, '\\$&')
    .replaceAll(/[{}]/g, '$&$&');
