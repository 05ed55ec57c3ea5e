/** A HAR as a browser writes it, and what is found in one. */
import { harResults, harValidator, validatedHar } from '../../src/verdict/documents/har-report.ts';
import { readHar } from '../../src/verdict/documents/har-source.ts';
import type { Results } from '../../src/verdict/report/results.ts';

let validators: ReturnType<typeof harValidator> | undefined;

/** The report of a HAR, made in this process. */
export async function harReport(har: Buffer, bases: readonly string[] = []): Promise<Results> {
  validators ??= harValidator();
  const validate = validators();
  const traffic = validatedHar(await readHar(har), bases, validate);
  return harResults(traffic, 'traffic.har', false);
}

/** The key in each of its requests. */
export const SECRET = 'a-secret-of-production-0123';

// biome-ignore lint/suspicious/noExplicitAny: what a test changes at will, also into what is wrong
type Json = any;

/** An entry of a list that a server answered with `[]`, with changes. */
export const harEntry = (request: Json = {}, response: Json = {}): Json => ({
  startedDateTime: '2026-11-24T10:00:00.000Z',
  time: 12,
  request: {
    ...{ method: 'GET', url: 'https://api.example.com/petstore/v1/pets?limit=2', bodySize: 0 },
    headers: [{ name: 'Authorization', value: `Bearer ${SECRET}` }],
    ...request,
  },
  response: {
    status: 200,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    content: { size: 2, mimeType: 'application/json', text: '[]' },
    ...response,
  },
});

/** A HAR of requests that a server answered with an empty list. */
export const harOf = (...urls: readonly string[]): string =>
  JSON.stringify({ log: { entries: urls.map((url) => harEntry({ url })) } });
