/** `petstore-sandbox preview`: which requests stop working, when, and what to send instead. */

import { SpecificationError } from '../base/api/errors.ts';
import { realClock } from '../base/clock.ts';
import { inSlices } from '../base/lane.ts';
import { MAX_DRAFT_BYTES, MAX_HAR_BYTES } from '../base/limits.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { fileName, isAndGiven } from '../base/text.ts';
import { dayOf, startOfDay } from '../base/time.ts';
import { readRecording } from '../traffic/files/read.ts';
import { createRedact, redactedJson } from '../traffic/redact.ts';
import { exchangeFrom } from '../traffic/shown.ts';
import type { Documents } from '../verdict/documents/documents.ts';
import { isHar } from '../verdict/documents/is-har.ts';
import {
  nextChange,
  type Preview,
  type PreviewRequests,
  previewAt,
  previewResults,
} from '../verdict/drafts/preview.ts';
import type { Call } from './command.ts';
import type { PREVIEW } from './flags.ts';
import { basesOf, naming, withDocuments } from './har.ts';
import { showResults } from './report.ts';
import { readBytes, readIn } from './terminal.ts';

/**
 * Prints the preview; exit code 1 unless nothing breaks.
 * @throws {SettingsError} for a file that cannot be used
 */
export async function preview({ client, flags }: Call<typeof PREVIEW>): Promise<number> {
  const { run, spec, in: file, base } = flags;
  const at = flags.at === undefined ? undefined : dayOf(flags.at);
  if (base !== undefined && file === undefined) throw new SettingsError('--base needs --in');
  const draft = spec === undefined ? undefined : await readIn(`--spec ${fileName(spec)}`, spec, MAX_DRAFT_BYTES);
  if (file !== undefined) return showResults(previewResults(await previewOfFile({ file, base, at, draft })), flags);
  const found =
    draft === undefined
      ? await client.request('GET /preview', { query: { at, run } })
      : await client.previewDraft(draft, { at, run });
  return showResults(previewResults(found), flags, client);
}

interface OfFile {
  readonly file: string;
  readonly base: readonly string[] | undefined;
  readonly at: string | undefined;
  readonly draft: string | undefined;
}

async function previewOfFile({ file, base, at, draft }: OfFile): Promise<Preview> {
  if (at !== undefined && startOfDay(at) === undefined)
    throw new SettingsError(`--at ${isAndGiven('a date, like 2030-12-05, or a time with a zone', at)}`);
  const bytes = await readBytes(fileName(file), file, MAX_HAR_BYTES);
  const takesHar = isHar(file, bytes);
  if (base !== undefined && !takesHar) throw new SettingsError('--base needs a HAR');
  const bases = basesOf(base);
  try {
    return await withDocuments((documents) =>
      takesHar
        ? naming(file, documents.preview({ har: bytes, bases, source: file, at, draft }))
        : previewOfRecording({ file, bytes, at, draft }, documents),
    );
  } catch (error) {
    if (!(error instanceof SpecificationError)) throw error;
    throw new SettingsError(`--spec: ${error.message}`, { cause: error });
  }
}

async function previewOfRecording(
  { file, bytes, at, draft }: Omit<OfFile, 'base'> & { readonly bytes: Buffer },
  documents: Documents,
): Promise<Preview> {
  const now = realClock.now();
  const { exchanges: recorded, dropped: gone } = await naming(file, readRecording(bytes));
  const exchanges = recorded.map((each) => exchangeFrom(each, '', 0));
  const dropped = gone.reduce((sum, { requests: each }) => sum + each, 0);
  const requests: PreviewRequests = { exchanges, dropped, source: file, now, countedFrom: now };
  const found =
    draft === undefined
      ? await inSlices(previewAt(at ?? nextChange(now), requests))
      : await documents.previewDraft(async () => ({ draft, requests, at }));
  return JSON.parse(redactedJson(found, createRedact([]))) as Preview;
}
