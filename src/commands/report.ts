/** `petstore-sandbox report`: the contract report, for people, for a file, or for another program. */
import type { ControlsClient } from '../client/client.ts';
import { printable } from '../client/text.ts';
import type { Report } from '../report/report.ts';
import { reportLines } from '../report/text.ts';
import type { CommandRun } from './connection.ts';
import { output } from './output.ts';
import { EXIT } from './problems.ts';
import { writeOut } from './write-out.ts';

/** The program renders `text`, the server all other formats. */
export type Format = 'text' | 'json' | 'junit' | 'html' | 'sarif';

export interface ReportFlags {
  readonly strict?: boolean;
  readonly format?: Format;
  readonly out?: string;
  readonly json?: boolean;
  /** `createPet:400`: what tests break on purpose. */
  readonly expectInvalid?: readonly string[] | undefined;
}

/** Prints the report; exit code 1 if the verdict is not `pass`. */
export const report: CommandRun<ReportFlags> = async ({ client, flags }) => {
  const { out, json } = flags;
  const format = flags.format ?? (json ? 'json' : 'text');
  const { facts, text } = await fetchReport(client, { ...flags, format, verbose: true });
  if (out !== undefined) await writeOut('--out', out, text);
  if (out === undefined) process.stdout.write(format === 'text' ? text : `${text.trimEnd()}\n`);
  else showVerdict(facts, { json: json === true, to: process.stdout, verbose: true });
  return exitCodeFor(facts);
};

/** Only a pass succeeds: an incomplete validation proves nothing. */
export const exitCodeFor = ({ verdict }: Report): number => (verdict === 'pass' ? EXIT.done : EXIT.failed);

interface VerdictOptions {
  readonly json: boolean;
  readonly to: NodeJS.WritableStream;
  /** Include documented responses that were never seen. */
  readonly verbose: boolean;
}

/** Reports whether the client passed the contract check. */
export function showVerdict(facts: Report, { json, to, verbose }: VerdictOptions): void {
  output({ json, to }).show(facts, () => reportLines(facts, { verbose }));
}

/** What the verdict of a report depends on. */
export interface VerdictQuery extends Pick<ReportFlags, 'expectInvalid'> {
  readonly strict?: boolean | undefined;
  /** Whether requests that belong to no sandbox are a gap. */
  readonly unmatched?: boolean | undefined;
}

export interface ReportQuery extends VerdictQuery {
  readonly format: Format;
  /** For the text format: include documented responses that were never seen. */
  readonly verbose: boolean;
}

/** The data of the report, and its text in a format. @throws {ClientError} */
export async function fetchReport(
  client: ControlsClient,
  { strict = false, expectInvalid, unmatched, format, verbose }: ReportQuery,
): Promise<{ facts: Report; text: string }> {
  const query = { strict, expectedInvalid: expectInvalid?.join(','), unmatched };
  const facts = (await client.request('GET /report', { query })) as unknown as Report;
  if (format === 'text') return { facts, text: `${reportLines(facts, { verbose }).map(printable).join('\n')}\n` };
  return { facts, text: await client.text('GET /report', { query: { ...query, format } }) };
}
