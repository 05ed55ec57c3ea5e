/** Whether a client is ready for production: rows over the results of the report, the preview, the drills and the ids. */

import { interfaceVersion } from '../base/generated/facts.ts';
import { ownCommand } from '../base/own-command.ts';
import { version } from '../base/shipped.ts';
import { counted } from '../base/text.ts';
import { dayInWords } from '../base/time.ts';
import type { ControlsClient } from '../client/client.ts';
import type { DrillResult } from '../client/run-drill.ts';
import { type Preview, previewResults } from './drafts/preview.ts';
import { READY_ROWS, type ReadyRow } from './ready-rows.ts';
import type { Report } from './report/report.ts';
import { reportResults } from './report/report-results.ts';
import { findingsOf, type ResultFinding, type Results, type Status } from './report/results.ts';

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
  /** How to run the client of the drills. */
  readonly client?: string;
  /** Where the requests of the run are seen: a command or a link. */
  readonly see?: string;
}

/** How a drill ended: a sandbox has the verdict alone. */
type DrillEnd = Pick<DrillResult, 'drill' | 'verdict'> & Partial<Pick<DrillResult, 'reason' | 'findings'>>;

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
export async function seenIdsIn(client: ControlsClient, { counts: { rounded } }: Report): Promise<SeenIds> {
  const query = { operation: 'getPet', status: 200, limit: 500 } as const;
  const { requests } = await client.request('GET /requests', { query });
  const ids = requests.flatMap(({ target }) => /\/(-?\d{16,19})(?:\?|$)/.exec(target)?.[1] ?? []);
  return { rounded, whole: ids.find((id) => !Number.isSafeInteger(Number(id))) };
}

interface Row {
  readonly title: string;
  readonly status: Status;
  readonly summary: string;
  readonly worst?: ResultFinding | undefined;
  /** The command that shows more. */
  readonly more: string;
}

const HEADING = 'What to mend';

/** The rows as results: a group each, with its worst finding. */
export function readyResults(evidence: Evidence): Results {
  const { report, excluded = [] } = evidence;
  const rows = READY_ROWS.map((name): Row & { readonly name: ReadyRow } => {
    const row = { name, ...ROWS[name](evidence) };
    if (!excluded.includes(name)) return row;
    return { ...row, status: 'skipped', summary: 'not applicable', worst: undefined };
  });
  const counting = rows.filter(({ status }) => status !== 'skipped');
  const open = counting.filter(({ status }) => status !== 'passed');
  const verdict = open.some(({ status }) => status === 'failed') ? 'fail' : open.length > 0 ? 'incomplete' : 'pass';
  const passing = `${counting.length - open.length} of ${counting.length} passed`;
  const title = verdict === 'pass' ? 'ready' : `not ready: ${passing}`;
  const { label, createdAt, since, program, specification, account } = report;
  return {
    ...{ kind: 'ready', verdict, title, reasons: [], account, figures: [], notes: [], headings: [HEADING] },
    about: [...(label ? [label] : []), `petstore API ${interfaceVersion}`, `petstore-sandbox ${version}`],
    startedAt: since,
    endedAt: createdAt,
    groups: rows.map(({ title, status, summary, worst, more }) => ({
      name: title,
      summary,
      ...((status === 'failed' || status === 'error') && { about: `→ ${more}` }),
      items: [{ name: title, status, ...(worst ? { findings: [worst] } : { remarks: [summary] }) }],
    })),
    data: {
      ...{ verdict, title, client: label, createdAt, program, specification },
      rows: rows.map(({ status, worst, ...row }) => ({
        ...row,
        status: status === 'error' ? 'unknown' : status,
        finding:
          worst === undefined
            ? null
            : `${worst.subject}${worst.location ? ` ${worst.location}` : ''}: ${worst.message}`,
        fix: worst?.fix ?? null,
      })),
    },
  };
}

const passed = (summary: string) => ({ status: 'passed', summary }) as const;
const unknown = (...reasons: readonly string[]) => ({ status: 'error', summary: reasons.join('; ') }) as const;
const failed = (summary: string, worst?: ResultFinding) => ({ status: 'failed', summary, worst }) as const;

/** A finding that no rule of the specification is about. */
const finding = (subject: string, message: string, fix: string): ResultFinding => ({
  ...{ heading: HEADING, level: 'error', rule: 'ready', pointer: '', subject, message, fix },
});

/** What a row says of results, with their worst finding. @param broken why the run of the tests is not a whole one */
function judged(results: Results, broken: string | undefined, pass: string, fail: string) {
  const { verdict, reasons } = results;
  if (verdict === 'pass' && broken === undefined) return passed(pass);
  const findings = findingsOf(results);
  const found = findings.find(({ level }) => level === 'error') ?? findings[0];
  const worst = (level: ResultFinding['level']): ResultFinding | undefined =>
    found && { ...found, heading: HEADING, level };
  if (verdict === 'fail') return failed(fail, worst('error'));
  return { ...unknown(...(broken === undefined ? [] : [broken]), ...reasons), worst: worst('warning') };
}

const ROWS: Readonly<Record<ReadyRow, (evidence: Evidence) => Row>> = {
  specification: ({ report, broken, see = ownCommand('report --verbose') }) => {
    const pass = `${counted(report.account.total, 'request')}, all valid`;
    const outcome = judged(reportResults(report), broken, pass, report.reasons.join('; '));
    return { title: 'Follows the specification', more: see, ...outcome };
  },

  responses: ({ report, provoked = [], excluded = [], broken, see = ownCommand('report --verbose') }) => {
    const { documented, untested } = report.coverage;
    const row = { title: 'Meets every documented response', more: see };
    if (report.account.total === 0) return { ...row, ...unknown('no request was seen') };
    const applying = untested.filter(
      ({ operation, status }) => !excluded.includes(operation) && !excluded.includes(`${operation}:${status}`),
    );
    const left = applying.filter((each) => !provoked.includes(responseName(each)));
    const out = untested.length - applying.length;
    const injected = provoked.length > 0 ? [`${provoked.join(', ')} injected`] : [];
    const notes = [...injected, ...(out > 0 ? [`${out} not applicable`] : [])];
    const seen = `${documented - out - left.length} of ${documented}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
    const [first] = left;
    if (broken !== undefined) return { ...row, ...unknown(seen, broken) };
    if (!first) return { ...row, ...passed(seen) };
    const { operation, status, hint } = first;
    const fix = `In a test: ${hint}. If that does not apply: --not-applicable ${operation}:${status}.`;
    const worst = isCalled(report, operation)
      ? finding(responseName(first), 'never seen', fix)
      : finding(operation, 'never called', `If your client does not use it: --not-applicable ${operation}.`);
    return { ...row, ...failed(`${seen}: never saw ${left.map(responseName).join(', ')}`, worst) };
  },

  failures: ({ drills, client }) => {
    const title = 'Copes with failures';
    if (typeof drills === 'string') return { title, more: drillOf(client), ...unknown(drills) };
    const results = drills.results.filter(({ drill }) => drill !== IDS_DRILL);
    const total = drills.total - 1;
    const endedAs = (wanted: DrillEnd['verdict']) => results.filter(({ verdict }) => verdict === wanted);
    const passing = endedAs('pass').length;
    const apart = endedAs('not-applicable').length;
    // With --strict, these would fail.
    const advised = results.flatMap(({ drill, findings = [] }) =>
      findings.filter(({ level }) => level === 'warning').map(({ message }) => `; ${drill}: ${message}`),
    );
    const summary = `${passing} of ${total} drills${apart > 0 ? `, ${apart} not applicable` : ''}${advised.join('')}`;
    const worst = endedAs('fail')[0] ?? endedAs('incomplete')[0];
    const row = { title, more: drillOf(client, worst?.drill) };
    if (worst?.verdict === 'fail') return { ...row, ...failed(summary, findingIn(worst)) };
    if (worst) return { ...row, ...unknown(summary), worst: { ...findingIn(worst), level: 'warning' } };
    return { ...row, ...(results.length >= total && passing > 0 ? passed : unknown)(summary) };
  },

  change: ({ preview, broken, see = ownCommand('preview') }) => {
    const row = { title: 'Survives the next change', more: see };
    if (typeof preview === 'string') return { ...row, ...unknown(preview) };
    const { requests, findings, date } = preview;
    const breaks = findings.filter(({ kind }) => kind === 'stopsWorking').map(({ message }) => message);
    const what = [...new Set(breaks)].join('; ');
    const fail = `${requests.failing} of ${counted(requests.total, 'request')} stop working: ${what}`;
    const outcome = judged(previewResults(preview), broken, 'no request stops working', fail);
    return { ...row, ...(date !== null && { title: `Survives ${dayInWords(date)}` }), ...outcome };
  },

  ids: ({ ids: { rounded, whole, unknown: why }, drills, client }) => {
    const row = { title: 'Keeps ids exact', more: drillOf(client, IDS_DRILL) };
    const drill = typeof drills === 'string' ? undefined : drills.results.find((each) => each.drill === IDS_DRILL);
    if (rounded > 0 || drill?.verdict === 'fail') {
      const summary = rounded > 0 ? `${counted(rounded, 'id')} came back rounded` : `the drill ${IDS_DRILL} failed`;
      const message = drill?.findings?.[0]?.message ?? summary;
      const fix = 'Read ids as text or as 64-bit integers: JSON.parse and floating-point numbers round them.';
      return { ...row, ...failed(summary, finding('id', message, fix)) };
    }
    if (why !== undefined) return { ...row, ...unknown(why) };
    if (whole !== undefined) return { ...row, ...passed(`${whole} came back whole`) };
    if (drill?.verdict === 'pass') return { ...row, ...passed(`the drill ${IDS_DRILL} passed`) };
    return { ...row, ...unknown(`no id beyond 2^53 came back; the drill ${IDS_DRILL} can tell`) };
  },
};

function findingIn({ drill, verdict, reason, findings }: DrillEnd): ResultFinding {
  const found = findings?.find(({ level }) => level === 'error');
  return finding(drill, found?.message ?? reason ?? `the drill: ${verdict}`, found?.fix ?? `See the drill ${drill}.`);
}

/** `getPet 404` */
export const responseName = ({ operation, status }: Report['coverage']['untested'][number]): string =>
  `${operation} ${status}`;

const drillOf = (client = 'node my-client.mjs', only?: string): string =>
  ownCommand(`drill --start${only === undefined ? '' : ` --only ${only}`} -- ${client}`);

/** Whether the client sent a request to an operation, whatever came of it. */
export const isCalled = ({ operations }: Report, name: string): boolean =>
  operations.some(
    ({ operation, responses, otherResponses }) =>
      operation === name && [...responses, ...otherResponses].some(({ seen }) => seen > 0),
  );
