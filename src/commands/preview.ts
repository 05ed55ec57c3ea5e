/** `petstore-sandbox preview`: which requests stop working, when, and what to send instead. */
import { previewResults } from '../report/preview-results.ts';
import type { Call } from './command.ts';
import type { PREVIEW } from './flags.ts';
import { showResults } from './report.ts';

/** Prints the preview; exit code 1 unless nothing breaks. */
export async function preview({ client, flags }: Call<typeof PREVIEW, 'GET /preview'>): Promise<number> {
  return showResults(previewResults(await client.request('GET /preview', { query: { at: flags.at } })), flags);
}
