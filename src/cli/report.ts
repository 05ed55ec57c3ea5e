/** `petstore-sandbox report`: the contract report, for people, for a file, or for another program. */

import { MAX_HAR_BYTES } from '../base/limits.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { fileName } from '../base/text.ts';
import type { ControlsClient } from '../client/client.ts';
import { type FormatName, formatOfFile, inFormat } from '../verdict/report/formats/formats.ts';
import { type TextOptions, verdictLines } from '../verdict/report/formats/text.ts';
import type { Report } from '../verdict/report/report.ts';
import { reportResults } from '../verdict/report/report-results.ts';
import type { Results } from '../verdict/report/results.ts';
import type { Call, FlagValues } from './command.ts';
import type { REPORT, RESULT } from './flags.ts';
import { EXIT, readBytes, screenBehind, writeOut } from './terminal.ts';

type ReportFlags = FlagValues<typeof REPORT>;
type ResultFlags = Partial<FlagValues<typeof RESULT>> & {
  readonly json?: boolean | undefined;
  readonly verbose?: boolean | undefined;
};

/** Prints the report; exit code 1 if the verdict is not `pass`. */
export async function report({ client, flags }: Call<typeof REPORT>): Promise<number> {
  const { har, merge, allowEmpty = false, base, strict = false } = flags;
  if (merge !== undefined) {
    const { readReports } = await import('./saved-reports.ts');
    const { mergedReport } = await import('../verdict/report/merge.ts');
    const { reports, unusable } = await readReports(merge);
    if (reports.length === 0) throw new SettingsError(`--merge: there is no report:\n${unusable.join('\n')}`);
    const eachSees = allowEmpty ? 'active' : 'all';
    return showResults(reportResults(mergedReport(reports, { strict, unusable, eachSees })), flags);
  }
  if (allowEmpty) throw new SettingsError('--allow-empty needs --merge');
  if (base !== undefined && har === undefined) throw new SettingsError('--base needs --har');
  if (har !== undefined) {
    const { basesOf, naming, withDocuments } = await import('./har.ts');
    const job = { har: await readBytes(fileName(har), har, MAX_HAR_BYTES), bases: basesOf(base), source: har, strict };
    return showResults(await withDocuments((documents) => naming(har, documents.report(job))), flags);
  }
  return showResults(reportResults(await fetchReport(client, flags)), flags, client);
}

/** In text, the documented responses that were never seen are listed only on demand. */
export const shownOf = ({ verbose = false }: { verbose?: boolean | undefined }): TextOptions => ({
  listed: verbose ? ['accepted', 'skipped'] : ['accepted'],
  full: true,
  verbose,
});

export const formatOf = ({ format, json = false }: ResultFlags): FormatName => format ?? (json ? 'json' : 'text');

/**
 * Prints results, or writes them to the file of `--out` and prints their verdict; returns the exit code.
 * @param client of the sandbox that they are about: a terminal gets a link to its dashboard
 */
export async function showResults(
  results: Results,
  flags: ResultFlags,
  client?: ControlsClient,
  shownOptions = shownOf(flags),
): Promise<number> {
  const { out } = flags;
  const screen = screenBehind(process.stdout);
  const isForPeople = process.stdout.isTTY && (out !== undefined || formatOf(flags) === 'text');
  const see = client && isForPeople ? (await client.request('POST /sign-in-codes')).url : undefined;
  const options = { ...shownOptions, see };
  if (out === undefined) process.stdout.write(`${await inFormat(formatOf(flags), results, { ...options, screen })}\n`);
  else {
    await writeResults('--out', out, results, options);
    process.stdout.write(`${verdictLines(results, { ...options, screen }).join('\n')}\n`);
  }
  return exitCodeFor(results);
}

/** Only a pass succeeds: an incomplete validation proves nothing. */
export const exitCodeFor = ({ verdict }: Results): number => (verdict === 'pass' ? EXIT.done : EXIT.failed);

/**
 * Writes results in the format that the file's name ends with, which is checked before any work.
 * @param flag the flag that named the file
 * @throws {SettingsError} if it cannot be written
 */
export const writeResults = async (
  flag: string,
  file: string,
  results: Results,
  options: TextOptions = {},
): Promise<void> =>
  writeOut(
    flag,
    file,
    `${await inFormat(formatOfFile(file) ?? 'text', results, { ...shownOf({ verbose: true }), ...options })}\n`,
  );

/** What the verdict of a report depends on. */
export interface VerdictQuery extends Partial<Pick<ReportFlags, 'strict' | 'expectInvalid' | 'run'>> {
  /** Whether requests that belong to no sandbox leave it incomplete. */
  readonly unmatched?: boolean;
}

/** @throws {ClientError} */
export async function fetchReport(
  client: ControlsClient,
  { run, strict = false, expectInvalid, unmatched }: VerdictQuery,
): Promise<Report> {
  const query = { run, strict, expectedInvalid: expectInvalid?.join(','), unmatched, finish: true };
  return (await client.request('GET /report', { query })) as unknown as Report;
}
