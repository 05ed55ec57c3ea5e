/** What `conform` found, as results: a group for each section, an item for each check. */

import { pointerTo } from '../core/pointer.ts';
import { counted } from '../core/text.ts';
import { type OperationName, operations } from '../generated/facts.ts';
import type { Finding, Group, Item, Results } from '../report/results.ts';
import type { ClassifiedDifference, Conformance, ConformCheckResult } from './conform.ts';
import { differenceLine } from './known-differences.ts';
import { type Basis, RULES } from './rules.ts';

const VERDICTS = {
  conforms: ['pass', 'conforms'],
  differs: ['fail', 'differs'],
  stale: ['fail', 'conforms, but known differences are gone'],
  incomplete: ['incomplete', 'was not checked to the end; nothing differs so far'],
} as const;

const HEADINGS = {
  specification: 'Differs from the specification',
  sandbox: 'Differs from a sandbox decision (the specification is silent)',
  accepted: 'Accepted differences',
} as const;

/** Where a rule is explained. */
const EXPLAINED: Readonly<Record<Basis, Pick<Results['rules'][number], 'help' | 'page' | 'anchor'>>> = {
  specification: {
    help: 'By the specification: docs/reference/rules.md lists these rules.',
    page: 'docs/reference/rules.md',
    anchor: 'conform',
  },
  sandbox: {
    help: 'A decision of the sandbox where the specification is silent: see docs/reference/behavior.md.',
    page: 'docs/reference/behavior.md',
    anchor: 'responses',
  },
};

const LEVELS = { specification: 'error', sandbox: 'warning' } as const;

const operationPointer = (operation: OperationName): string => pointerTo(operations[operation]);

/** The location of each section's subject in the specification. */
const POINTERS: Readonly<Record<ConformCheckResult['section'], string>> = {
  'List pets': operationPointer('listPets'),
  'Add a pet': operationPointer('createPet'),
  'Get a pet': operationPointer('getPet'),
  Versioning: operationPointer('getPet'),
  Authentication: '#/security',
  Endpoints: '#/paths',
};

export function conformResults(conformance: Conformance): Results {
  const { verdict, url, startedAt, endedAt, account, results } = conformance;
  const [word, sentence] = VERDICTS[verdict];
  const sections = [...new Set(results.map(({ section }) => section))];
  const rules = new Set(results.flatMap(({ differences }) => differences.map(({ rule }) => rule)));
  return {
    kind: 'conformance',
    verdict: word,
    title: `the server at ${url} ${sentence}`,
    reasons: [],
    account,
    figures: figuresOf(conformance),
    about: [url],
    startedAt,
    endedAt,
    headings: Object.values(HEADINGS),
    groups: [
      ...sections.map((section) => ({
        name: section,
        items: results.filter((result) => result.section === section).map(itemOf),
      })),
      runGroup(conformance),
    ],
    rules: [...rules].map((rule) => ({
      id: rule,
      title: RULES[rule].says,
      ...EXPLAINED[RULES[rule].basis],
    })),
    notes: notesOf(conformance),
    data: conformance,
  };
}

const OUTCOMES = { ok: 'passed', differs: 'failed', accepted: 'accepted', skipped: 'skipped' } as const;

const itemOf = (result: ConformCheckResult): Item => ({
  name: result.name,
  status: OUTCOMES[result.outcome],
  remarks: result.reason === undefined ? [] : [result.reason],
  findings: result.differences.map((difference) => findingOf(result, difference)),
});

const findingOf = (
  { name, section }: ConformCheckResult,
  { rule, basis, sent, expected, got, accepted }: ClassifiedDifference,
): Finding => ({
  heading: HEADINGS[accepted === undefined ? basis : 'accepted'],
  level: LEVELS[basis],
  rule,
  subject: name,
  message: RULES[rule].says,
  sample: { sent, expected, got },
  pointer: POINTERS[section],
  ...(accepted !== undefined && { accepted }),
  listedAs: differenceLine({ rule, check: name }),
});

/** What concerns the whole run. */
function runGroup({ verdict, stale }: Conformance): Group {
  const name = 'every check ran to its end';
  const ended: Item =
    verdict === 'incomplete'
      ? { name, status: 'error', remarks: ['the run was cut short; nothing differs so far'] }
      : { name, status: 'passed' };
  const gone = stale.map(
    (known): Item => ({
      name: differenceLine(known),
      status: 'failed',
      remarks: [`the known difference "${differenceLine(known)}" is gone; take it off the list`],
    }),
  );
  return { name: 'run', items: [ended, ...gone] };
}

function figuresOf({ counts, results, stale }: Conformance): string[] {
  const differing = (basis: ClassifiedDifference['basis']): number =>
    results.filter(({ differences }) => differences.some((each) => each.basis === basis && each.accepted === undefined))
      .length;
  return [
    counted(results.length, 'check'),
    `${counts.ok} ok`,
    `${differing('specification')} differ from the specification`,
    `${differing('sandbox')} from sandbox decisions`,
    ...(counts.accepted === 0 ? [] : [`${counts.accepted} accepted`]),
    ...(stale.length === 0 ? [] : [`${stale.length} stale`]),
    `${counts.skipped} skipped`,
  ];
}

/** Why checks were skipped, and which pets the server has now. */
function notesOf({ results, created }: Conformance): string[] {
  const reasons = results.flatMap(({ reason }) => reason ?? []);
  const ids = created.flatMap(({ id }) => id ?? []);
  const unknown = created.length - ids.length;
  return [
    ...[...new Set(reasons)].map(
      (reason) => `${counted(reasons.filter((each) => each === reason).length, 'check')} skipped: ${reason}`,
    ),
    ...(ids.length > 0 ? [`pets created: ${ids.join(', ')}`] : []),
    ...(unknown > 0 ? [`pets perhaps created, whose ids are not known: ${unknown}`] : []),
  ];
}
