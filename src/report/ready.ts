/** Whether a client is ready for production: rows over the results of the report, the preview, the drills and the ids. */
import type { ControlsClient } from '../client/client.ts';
import type { Schema } from '../client/routes.ts';
import { version } from '../core/shipped.ts';
import { counted } from '../core/text.ts';
import { interfaceVersion } from '../generated/facts.ts';
import type { Preview } from './preview.ts';
import { previewResults } from './preview-results.ts';
import { READY_ROWS, type ReadyRow } from './ready-rows.ts';
import type { Report } from './report.ts';
import { reportResults } from './report-results.ts';
import { type Finding, findingsOf, type Results, type Status } from './results.ts';

/** What is known of a client. In place of what was not tried, a text says why. */
export interface Evidence {
  /** Of one run of its tests. */
  readonly report: Report;
  /** At the next change. */
  readonly preview: Preview | string;
  /** How many drills there are, and the results so far. */
  readonly drills: { readonly total: number; readonly results: readonly DrillEnd[] } | string;
  readonly ids: SeenIds;
  /** Documented errors that were injected, and reached the client: `getPet 404`. */
  readonly provoked?: readonly string[];
  /** Rows and responses that do not apply: `failures`, `getPet:404`, `getPet`. */
  readonly excluded?: readonly string[];
  /** Why the run of the tests is not a whole one: `the tests ended with exit code 1`. */
  readonly broken?: string | undefined;
  /** How the tests and the client of the drills are run, for the commands that show more. */
  readonly tests?: string;
  readonly client?: string;
}

/** How a drill ended. */
export interface DrillEnd extends Pick<Schema<'DrillResult'>, 'drill' | 'verdict'> {
  readonly reason?: string | null;
  readonly checks?: readonly Pick<Schema<'DrillResult'>['checks'][number], 'level' | 'status' | 'words' | 'fix'>[];
}

/** What became of ids beyond 2^53: how many came back rounded, one that came back whole, or why that cannot be said. */
export interface SeenIds {
  readonly rounded: number;
  readonly whole?: string | undefined;
  readonly unknown?: string | undefined;
}

/** The drill about ids belongs to their row. */
export const IDS_DRILL = 'long-ids';

/** What is known of the client of a sandbox: its report, and the drills that it has done there. @throws {ClientError} */
export async function evidenceIn(client: ControlsClient): Promise<Evidence> {
  const [report, preview, { drills }, { drillResults: results }] = await Promise.all([
    client.request('GET /report') as unknown as Promise<Report>,
    client.request('GET /preview') as unknown as Promise<Preview>,
    client.request('GET /drills'),
    client.request('GET /'),
  ]);
  return { report, preview, drills: { total: drills.length, results }, ids: await seenIdsIn(client, report) };
}

/** @param report of the same requests @throws {ClientError} */
export async function seenIdsIn(client: ControlsClient, { totals: { rounded } }: Report): Promise<SeenIds> {
  const query = { operation: 'getPet', status: 200, limit: 500 } as const;
  const { requests } = await client.request('GET /requests', { query });
  const ids = requests.flatMap(({ target }) => /\/(-?\d{16,19})(?:\?|$)/.exec(target)?.[1] ?? []);
  return { rounded, whole: ids.find((id) => !Number.isSafeInteger(Number(id))) };
}

interface Row {
  readonly title: string;
  readonly status: Status;
  readonly summary: string;
  readonly worst?: Mistake | undefined;
  /** The command that shows more. */
  readonly more: string;
}
type Mistake = Pick<Finding, 'subject' | 'message' | 'fix'> & Partial<Finding>;

const HEADING = 'What to mend';

/** The rows as results: a group each, with its worst finding. */
export function readyResults(evidence: Evidence): Results {
  const { report, preview, excluded = [] } = evidence;
  const rows = READY_ROWS.map((name) => {
    const row = { name, ...ROWS[name](evidence) };
    if (!excluded.includes(name)) return row;
    return { ...row, status: 'skipped' as const, summary: 'not applicable', worst: undefined };
  });
  const counting = rows.filter(({ status }) => status !== 'skipped');
  const open = counting.filter(({ status }) => status !== 'passed');
  const verdict = open.some(({ status }) => status === 'failed') ? 'fail' : open.length > 0 ? 'incomplete' : 'pass';
  const found = [reportResults(report), ...(typeof preview === 'string' ? [] : [previewResults(preview)])];
  const title = verdict === 'pass' ? 'ready' : `not ready: ${open.length} of ${counting.length}`;
  const { label, createdAt, since, program, specification, account } = report;
  return {
    kind: 'ready',
    verdict,
    title,
    reasons: [],
    account,
    figures: [],
    about: [...(label ? [label] : []), `petstore API ${interfaceVersion}`, `petstore-sandbox ${version}`],
    startedAt: since,
    endedAt: createdAt,
    headings: [HEADING],
    groups: rows.map(({ title, status, summary, worst, more }) => ({
      name: title,
      summary,
      ...((status === 'failed' || status === 'error') && { about: `→ ${more}` }),
      items: [
        worst === undefined
          ? { name: title, status, remarks: [summary] }
          : { name: title, status, findings: [{ ...BARE, ...worst, heading: HEADING, level: 'error' }] },
      ],
    })),
    rules: found.flatMap(({ rules }) => rules),
    notes: [],
    data: { verdict, title, client: label, createdAt, program, specification, rows: rows.map(shownRow) },
  };
}

const shownRow = ({ status, worst, ...row }: Row) => ({
  ...row,
  status: status === 'error' ? 'unknown' : status,
  finding: worst === undefined ? null : `${worst.subject}: ${worst.brief ?? worst.message}`,
  fix: worst?.fix ?? null,
});

/** Of a finding that no rule of the specification is about. */
const BARE = { rule: 'ready', pointer: '' } as const;

const unknown = (...reasons: readonly (string | undefined)[]) =>
  ({ status: 'error', summary: reasons.filter((each) => each !== undefined).join('; ') }) as const;

const ROWS: Readonly<Record<ReadyRow, (evidence: Evidence) => Row>> = {
  specification: ({ report, broken, tests }) => {
    const { verdict, account, reasons } = report;
    const row = { title: 'Follows the specification', more: execOf(tests), worst: worstOf(reportResults(report)) };
    if (verdict === 'fail') return { ...row, status: 'failed', summary: reasons.join('; ') };
    if (verdict === 'incomplete' || broken !== undefined) return { ...row, ...unknown(broken, ...reasons) };
    return { ...row, status: 'passed', worst: undefined, summary: `${counted(account.total, 'request')}, all valid` };
  },

  responses: ({ report, provoked = [], excluded = [], broken, tests }) => {
    const { documented, untested } = report.coverage;
    const row = { title: 'Meets every documented response', more: execOf(tests) };
    if (report.account.total === 0) return { ...row, ...unknown('no request was seen') };
    const isOut = ({ operation, status }: Untested): boolean =>
      excluded.includes(operation) || excluded.includes(`${operation}:${status}`);
    const out = untested.filter(isOut).length;
    const left = untested.filter((each) => !isOut(each) && !provoked.includes(responseName(each)));
    const notes = [
      ...(provoked.length > 0 ? [`${provoked.join(', ')} injected`] : []),
      ...(out > 0 ? [`${out} not applicable`] : []),
    ];
    const seen = `${documented - out - left.length} of ${documented}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
    const [first] = left;
    if (broken !== undefined) return { ...row, ...unknown(seen, broken) };
    if (!first) return { ...row, status: 'passed', summary: seen };
    const isUsed = report.operations.some(
      (each) => each.operation === first.operation && each.responses.some((response) => response.seen > 0),
    );
    const fix = isUsed
      ? `In a test: ${first.hint}. If that does not apply: --not-applicable ${first.operation}:${first.status}.`
      : `If your client does not use ${first.operation}: --not-applicable ${first.operation}.`;
    const worst = { subject: responseName(first), message: 'never seen', fix };
    return { ...row, status: 'failed', summary: `${seen}: never saw ${left.map(responseName).join(', ')}`, worst };
  },

  failures: ({ drills, client }) => {
    const row = { title: 'Copes with failures', more: drillOf(client) };
    if (typeof drills === 'string') return { ...row, ...unknown(drills) };
    const results = drills.results.filter(({ drill }) => drill !== IDS_DRILL);
    const total = drills.total - 1;
    const of = (wanted: DrillEnd['verdict']) => results.filter(({ verdict }) => verdict === wanted);
    const [passed, [failed], [open], notGraded] = [
      of('pass').length,
      of('fail'),
      of('incomplete'),
      of('not-graded').length,
    ];
    const summary = `${passed} of ${total} drills${notGraded > 0 ? `, ${notGraded} not graded` : ''}`;
    const shown = failed ?? open;
    const check = shown?.checks?.find(({ level, status }) => level === 'must' && status === 'fail');
    const worst = shown && {
      subject: shown.drill,
      message: check?.words ?? shown.reason ?? `the drill: ${shown.verdict}`,
      fix: check?.fix ?? `See the drill ${shown.drill}.`,
    };
    const found = { ...row, summary, worst, more: drillOf(client, shown?.drill) };
    if (failed) return { ...found, status: 'failed' };
    const isDecided = !open && results.length >= total && passed > 0;
    return { ...found, status: isDecided ? 'passed' : 'error' };
  },

  change: ({ preview, broken, tests }) => {
    const more = `${execOf(tests, '--artifacts artifacts')}, then petstore-sandbox preview --in artifacts/recording-….jsonl`;
    if (typeof preview === 'string') return { title: 'Survives the next change', more, ...unknown(preview) };
    const { verdict, requests, breaks, reasons, date } = preview;
    const row = { title: `Survives ${date === null ? 'the next change' : dayInWords(date)}`, more };
    if (verdict === 'fail') {
      const what = [...new Set(breaks.map(({ message }) => message))].join('; ');
      const summary = `${requests.failing} of ${counted(requests.total, 'request')} stop working: ${what}`;
      return { ...row, status: 'failed', summary, worst: worstOf(previewResults(preview)) };
    }
    if (verdict === 'incomplete' || broken !== undefined) return { ...row, ...unknown(broken, ...reasons) };
    return { ...row, status: 'passed', summary: 'no request stops working' };
  },

  ids: ({ ids: { rounded, whole, unknown: why }, drills, client }) => {
    const row = { title: 'Keeps ids exact', more: drillOf(client, IDS_DRILL) };
    const drill = typeof drills === 'string' ? undefined : drills.results.find((each) => each.drill === IDS_DRILL);
    if (rounded > 0 || drill?.verdict === 'fail') {
      const summary = rounded > 0 ? `${counted(rounded, 'id')} came back rounded` : `the drill ${IDS_DRILL} failed`;
      const message = drill?.checks?.find(({ status }) => status === 'fail')?.words ?? summary;
      const fix = 'Read ids as text or as 64-bit integers: JSON.parse and floating-point numbers round them.';
      return { ...row, status: 'failed', summary, worst: { subject: 'id', message, fix } };
    }
    if (why !== undefined) return { ...row, ...unknown(why) };
    if (whole !== undefined) return { ...row, status: 'passed', summary: `${whole} came back whole` };
    if (drill?.verdict === 'pass') return { ...row, status: 'passed', summary: `the drill ${IDS_DRILL} passed` };
    return { ...row, ...unknown('no id beyond 2^53 came back') };
  },
};

type Untested = Report['coverage']['untested'][number];
const responseName = ({ operation, status }: Untested): string => `${operation} ${status}`;

const worstOf = (results: Results): Finding | undefined => {
  const findings = findingsOf(results);
  return findings.find(({ level }) => level === 'error') ?? findings[0];
};

const execOf = (tests = 'npm test', flags = '--verbose'): string =>
  `petstore-sandbox exec --start ${flags} -- ${tests}`;
const drillOf = (client = 'node my-client.mjs', only?: string): string =>
  `petstore-sandbox drill --start${only === undefined ? '' : ` --only ${only}`} -- ${client}`;

/** `5 December 2030` */
export const dayInWords = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
