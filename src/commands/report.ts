/** `petstore-sandbox report`: the contract report, for people, for a file, or for another program. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ControlsClient } from '../client/client.ts';
import { printable } from '../client/text.ts';
import { SettingsError } from '../config.ts';
import type { Report } from '../report/report.ts';
import { reportLines } from '../report/text.ts';
import type { CommandRun } from './connection.ts';
import { EXIT } from './exit-codes.ts';
import { output } from './output.ts';

/** `text` is the program's own form, the others are the server's. */
type Format = 'text' | 'json' | 'junit' | 'html' | 'sarif';

export interface ReportFlags {
  readonly strict?: boolean;
  readonly format?: Format;
  readonly out?: string;
  readonly json?: boolean;
}

/** Prints the report; exit code 1 where the verdict is not `pass`. */
export const report: CommandRun<ReportFlags> = async ({ client, flags }) => {
  const { out, json } = flags;
  const format = flags.format ?? (json ? 'json' : 'text');
  const { facts, text } = await fetchReport(client, { ...flags, format });
  if (out !== undefined) await writeReport(out, text);
  if (out === undefined) process.stdout.write(format === 'text' ? text : `${text.trimEnd()}\n`);
  else showVerdict(facts, { json: json === true, to: process.stdout });
  return exitCodeFor(facts);
};

/** Anything but a pass is worth a look: what could not be judged proves nothing. */
export const exitCodeFor = ({ verdict }: Report): number => (verdict === 'pass' ? EXIT.done : EXIT.failed);

/** Says how the client kept to the contract. */
export function showVerdict(facts: Report, { json, to }: { json: boolean; to: NodeJS.WritableStream }): void {
  output({ json, to }).show(facts, () => reportLines(facts));
}

/** The facts of the report, and its text in a form. @throws {ClientError} */
export async function fetchReport(
  client: ControlsClient,
  { strict = false, format }: Pick<ReportFlags, 'strict'> & { readonly format: Format },
): Promise<{ facts: Report; text: string }> {
  const facts = (await client.ask('GET /report', { query: { strict } })) as unknown as Report;
  if (format === 'text') return { facts, text: `${reportLines(facts).map(printable).join('\n')}\n` };
  return { facts, text: await client.text('GET /report', { query: { strict, format } }) };
}

/** @throws {SettingsError} when the file cannot be written */
export async function writeReport(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (cause) {
    throw new SettingsError(`--out ${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}
