/**
 * Results as SARIF 2.1.0. A finding concerns a request, and no line of the client's repository, so it has no physical
 * location: its logical location is the place in the specification.
 */
import { createHash } from 'node:crypto';
import { version } from '../../core/shipped.ts';
import { printable } from '../../core/text.ts';
import { type Finding, figuresOf, findingsOf, placeOf, type Results, type Rule } from '../results.ts';

export function render(results: Results): string {
  const { kind, verdict, reasons, about, account, groups, rules, notes, startedAt, endedAt } = results;
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const items = groups.flatMap((group) => group.items.map((item) => ({ ...item, group: group.name })));
  const withoutFinding = items.filter(({ status, findings = [] }) => isBad(status) && findings.length === 0);
  const run = {
    tool: { driver: { name: `petstore-sandbox ${kind}`, semanticVersion: version, rules: rules.map(ruleOf) } },
    invocations: [
      {
        executionSuccessful: items.every(({ status }) => status !== 'error'),
        ...(startedAt !== undefined && { startTimeUtc: startedAt }),
        endTimeUtc: endedAt,
        toolExecutionNotifications: [
          ...withoutFinding.flatMap(({ group, remarks = [] }) =>
            remarks.map((remark) => ({ level: 'error', message: { text: messageOf(`${group}: ${remark}`) } })),
          ),
          ...notes.map((note) => ({ level: 'note', message: { text: messageOf(note) } })),
        ],
      },
    ],
    results: findingsOf(results).map((finding) => ({
      ...resultOf(finding, kind),
      ruleIndex: indexes.get(finding.rule),
    })),
    properties: {
      verdict,
      reasons,
      about,
      account,
      figures: figuresOf(results),
      skipped: items.filter(({ status }) => status === 'skipped').map(({ group, name }) => `${group}: ${name}`),
    },
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  // Rules, locations and properties may be text from outside, too.
  return JSON.stringify(log, (_, value: unknown) => (typeof value === 'string' ? printable(value) : value));
}

const isBad = (status: string): boolean => status === 'failed' || status === 'error';

function resultOf(finding: Finding, kind: string): object {
  const { rule, level, subject, location, pointer, requests, sample, fix, accepted } = finding;
  return {
    ruleId: rule,
    level,
    message: { text: messageOf(sentencesOf(finding)) },
    locations: [{ logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }] }],
    ...(requests && { occurrenceCount: requests.count }),
    // The same mistake is the same alert in every run, whatever the ids of its requests.
    partialFingerprints: {
      [`${kind}/v1`]: createHash('sha256').update([rule, subject, location].join('\n')).digest('hex'),
    },
    ...(accepted !== undefined && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: `it is ${accepted}` }],
    }),
    properties: { requests: requests?.ids ?? [], lines: requests?.lines, sample, fix },
  };
}

/** `listPets, query/limit: must be <= 100 (3 times, first in request …). Send limit=100`, with the sample in between. */
function sentencesOf(finding: Finding): string {
  const { message, sample: { expected, got, sent } = {}, fix } = finding;
  return [
    `${placeOf(finding)}: ${message}${whereOf(finding)}`,
    ...(sent === undefined ? [] : [`Sent ${sent}`]),
    ...(expected === undefined ? [] : [`Expected ${expected}`]),
    ...(got === undefined ? [] : [`Got ${got}`]),
    ...(fix === undefined ? [] : [fix]),
  ].join('. ');
}

function whereOf({ requests }: Finding): string {
  if (requests === undefined) return '';
  const { count, ids, last } = requests;
  const first = ids[0] ?? last;
  return count === 1 ? ` (in request ${first})` : ` (${count} times, first in request ${first}, last in ${last})`;
}

/**
 * The meaning of a rule, and a link to its explanation. A package URL (purl) names the file in this version of the
 * package: it is the same on every machine, and the log may outlive the server.
 */
const ruleOf = ({ id, title, help, page, anchor }: Rule): object => ({
  id,
  shortDescription: { text: messageOf(title) },
  help: { text: messageOf(help), markdown: help },
  helpUri: `pkg:npm/petstore-sandbox@${version}?anchor=${anchor}#${page}`,
});

/** Brackets would become links, and braces placeholders (SARIF 2.1.0, sections 3.11.6 and 3.11.5). */
const messageOf = (text: string): string =>
  printable(text)
    .replaceAll(/[\\[\]]/g, '\\$&')
    .replaceAll(/[{}]/g, '$&$&');
