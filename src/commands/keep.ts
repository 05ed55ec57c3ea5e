/**
 * Writes the evidence of a run to a directory, because the sandbox ends with the run: the report in all formats, and
 * the journal.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlsClient } from '../client/client.ts';
import { writeJson } from '../client/json.ts';
import { SettingsError } from '../settings.ts';
import { type Format, fetchReport, type Judged } from './report.ts';
import { writeOut } from './write-out.ts';

/** The file of the report for each format. */
const REPORT_FILES: Readonly<Record<Format, string>> = {
  text: 'report.txt',
  json: 'report.json',
  junit: 'report.xml',
  sarif: 'report.sarif',
  html: 'report.html',
};

/** The maximum size of the journal. */
const MOST_EXCHANGES = 1000;

/** Creates the directory of the evidence, before any work is done for it. @throws {SettingsError} */
export async function prepareEvidence(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (cause) {
    throw new SettingsError(`--keep ${directory} cannot be created: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Writes `report.*`, `journal.json` with every exchange of the journal and its bodies, oldest first, and, of a run that
 * failed, `case.json`, which `petstore-sandbox open` shows.
 * @throws {SettingsError} if a file cannot be written
 * @throws {ClientError}
 */
export async function keepEvidence(
  own: ControlsClient,
  directory: string,
  { withCase, ...judged }: Judged & { readonly withCase: boolean },
): Promise<void> {
  for (const [format, file] of Object.entries(REPORT_FILES) as [Format, string][]) {
    const { text } = await fetchReport(own, { ...judged, format, verbose: true });
    await writeOut('--keep', join(directory, file), `${text.trimEnd()}\n`);
  }
  if (withCase)
    await writeOut(
      '--keep',
      join(directory, 'case.json'),
      await own.text('GET /export', { query: { format: 'case' } }),
    );
  await writeOut('--keep', join(directory, 'journal.json'), `${writeJson(await journalOf(own))}\n`);
}

async function journalOf(own: ControlsClient) {
  const { requests, total, dropped } = await own.request('GET /requests', { query: { limit: MOST_EXCHANGES } });
  const exchanges = [];
  for (const { id: requestId } of requests.toReversed()) {
    exchanges.push(await own.request('GET /requests/{requestId}', { params: { requestId } }));
  }
  return { total, dropped, exchanges };
}
