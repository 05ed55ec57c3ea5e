/** Tests may open a sandbox each, on any server: `exec` gathers the reports of these sandboxes, for one verdict. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { mergedReport } from '../verdict/report/merge.ts';
import type { Report } from '../verdict/report/report.ts';
import { readReports } from './saved-reports.ts';

/**
 * Runs `use` with a directory for the reports. Where none can be made, as in a container without a place for temporary
 * files, it gets the name of a missing one: a test that has a report fails, instead of being left out of the verdict.
 */
export async function withReportsDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const prefix = join(tmpdir(), 'petstore-sandbox-reports-');
  const directory = await mkdtemp(prefix).catch(() => `${prefix}${process.pid}`);
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true }).catch(unlessMissing);
  }
}

/** The report on a sandbox and on those of the tests; `own` itself where they left none. */
export async function withGathered(own: Report, directory: string, strict: boolean): Promise<Report> {
  const names = (await readdir(directory).catch(unlessMissing)) ?? [];
  if (names.length === 0) return own;
  const { reports, unusable } = await readReports([directory]);
  const all = [own, ...reports.map(({ report }) => report)];
  // A test may need no request, and so may the sandbox around tests with their own.
  const active = all.filter((report) => !isIdle(report));
  const counted = active.length === 0 ? [own] : active;
  if (counted[0] === own && counted.length === 1 && unusable.length === 0) return own;
  return mergedReport(
    counted.map((report) => ({ name: report.label ?? report.sandbox, report })),
    { strict, unusable: unusable.map((each) => each.replace(`${directory}${sep}`, '')) },
  );
}

const isIdle = ({ account, reasons }: Report): boolean =>
  account.total === 0 && reasons.every((reason) => reason === 'no request was seen');

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
