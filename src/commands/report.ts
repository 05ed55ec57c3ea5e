/** `petstore-sandbox report`: the contract report, for people, for a file, or for another program. */
import type { ControlsClient } from '../client/client.ts';
import { printable } from '../client/text.ts';
import { type FormatName, inFormat } from '../report/formats/formats.ts';
import type { TextOptions } from '../report/formats/text.ts';
import type { Report } from '../report/report.ts';
import { reportResults } from '../report/report-results.ts';
import { type Results, summaryOf } from '../report/results.ts';
import { SettingsError } from '../server/settings.ts';
import type { Call, Values } from './command.ts';
import { readBase } from './connection.ts';
import type { REPORT } from './flags.ts';
import { EXIT, writeOut } from './terminal.ts';

type ReportFlags = Values<typeof REPORT>;

/** Prints the report; exit code 1 if the verdict is not `pass`. */
export async function report({ client, flags }: Call<typeof REPORT>): Promise<number> {
  const { at, har, base, strict = false } = flags;
  if (base !== undefined && har === undefined) throw new SettingsError('--base needs --har');
  if (har !== undefined) {
    const { harInFile } = await import('./har.ts');
    const { harResults } = await import('../recording/har-report.ts');
    const traffic = await harInFile(har, base === undefined ? undefined : readBase(base));
    return showResults(harResults(traffic, har, strict), flags);
  }
  if (at !== undefined) {
    const { previewResults } = await import('../report/preview-results.ts');
    return showResults(previewResults(await client.request('GET /preview', { query: { at } })), flags);
  }
  return showResults(await fetchResults(client, flags), flags);
}

/** Prints results, or writes them to a file and prints the verdict; returns the exit code. */
export async function showResults(
  results: Results,
  {
    out,
    json = false,
    format = json ? 'json' : 'text',
  }: Pick<ReportFlags, 'out' | 'format'> & { json?: boolean | undefined },
): Promise<number> {
  if (out !== undefined) await writeReport('--out', out, results, format);
  const printed = out === undefined ? format : json ? 'json' : 'text';
  process.stdout.write(`${await reportText(results, printed)}\n`);
  return exitCodeFor(results);
}

/** Prints results in a format, or writes them to the file of `--out` and prints their summary. */
export async function printResults(
  results: Results,
  { format, out }: { readonly format: FormatName; readonly out: string | undefined },
  options: TextOptions,
): Promise<void> {
  const text = await inFormat(format, results, options);
  if (out !== undefined) await writeOut('--out', out, `${text}\n`);
  process.stdout.write(`${out === undefined ? text : printable(summaryOf(results))}\n`);
}

/** Only a pass succeeds: an incomplete validation proves nothing. */
export const exitCodeFor = ({ verdict }: Results): number => (verdict === 'pass' ? EXIT.done : EXIT.failed);

/** With the documented responses that were never seen. */
const reportText = (results: Results, format: FormatName): Promise<string> =>
  inFormat(format, results, { listed: ['accepted', 'skipped'], full: true });

/** @param flag the flag that named the file @throws {SettingsError} if it cannot be written */
export const writeReport = async (flag: string, file: string, results: Results, format: FormatName): Promise<void> =>
  writeOut(flag, file, `${await reportText(results, format)}\n`);

/** What the verdict of a report depends on. */
export interface VerdictQuery extends Pick<ReportFlags, 'strict' | 'expectInvalid'> {
  /** Whether requests that belong to no sandbox are a gap. */
  readonly unmatched?: boolean;
}

/** @throws {ClientError} */
export async function fetchResults(
  client: ControlsClient,
  { strict = false, expectInvalid, unmatched }: VerdictQuery,
): Promise<Results> {
  const query = { strict, expectedInvalid: expectInvalid?.join(','), unmatched };
  return reportResults((await client.request('GET /report', { query })) as unknown as Report);
}
