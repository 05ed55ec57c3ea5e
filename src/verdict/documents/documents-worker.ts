/** The thread of `documents.ts`: reads HARs and drafts. Prism validates the requests of a HAR here. It runs from `dist/` only. */

import { parentPort, resourceLimits } from 'node:worker_threads';
import { SpecificationError } from '../../base/api/errors.ts';
import { realClock } from '../../base/clock.ts';
import { withoutPath } from '../../base/files.ts';
import { inSlices } from '../../base/lane.ts';
import { MAX_EXCHANGES } from '../../base/limits.ts';
import { createRedact, redactedJson } from '../../traffic/redact.ts';
import { nextChange, type PreviewRequests, previewAt, previewWith } from '../drafts/preview.ts';
import { WORKER_READY } from '../validator/message.ts';
import type { Job, Outcome } from './documents.ts';
import { gapsIn, type HarTraffic, harResults, harValidator, othersIn, validatedHar } from './har-report.ts';
import { HarError, mostOfHar, readHar } from './har-source.ts';

const MOST_OF_HAR = mostOfHar((resourceLimits.maxOldGenerationSizeMb ?? Infinity) * 2 ** 20);

/** A draft needs none, so the first HAR makes it. */
let validators: ReturnType<typeof harValidator> | undefined;

async function jobResult(job: Job): Promise<unknown> {
  if (job.kind === 'draft') return inSlices(await withDraft(job.draft, job.requests, job.at));
  validators ??= harValidator();
  const validate = validators();
  const { har, bases, source } = job;
  const traffic = validatedHar(await readHar(Buffer.from(har.buffer), MOST_OF_HAR), bases, validate);
  if (job.kind === 'report') return harResults(traffic, source, job.strict);
  return previewOf(traffic, job);
}

async function withDraft(draft: string, requests: PreviewRequests, at: string | undefined) {
  // With the library for drafts, which no HAR needs.
  const { examine } = await import('../drafts/draft-examination.ts');
  return previewWith(await examine(draft, requests.exchanges), requests, at);
}

async function previewOf(
  { exchanges, dropped, counts }: HarTraffic,
  { source, at, draft }: Job & { readonly kind: 'preview' },
): Promise<unknown> {
  const now = realClock.now();
  const requests: PreviewRequests = {
    ...{ exchanges, dropped, source, now, countedFrom: now },
    gaps: [
      ...gapsIn(counts),
      ...(dropped > 0
        ? [
            `a preview has the last ${MAX_EXCHANGES.toLocaleString('en')} requests of a HAR, and this one has ${dropped} more; split it`,
          ]
        : []),
    ],
    others: othersIn(counts),
  };
  const preview =
    draft === undefined ? previewAt(at ?? nextChange(now), requests) : await withDraft(draft, requests, at);
  return JSON.parse(redactedJson(await inSlices(preview), createRedact([])));
}

async function doJob(job: Job): Promise<Outcome> {
  try {
    return { value: await jobResult(job) };
  } catch (error) {
    const { message, code, stack = '' } = error as NodeJS.ErrnoException;
    if (error instanceof HarError) return { error: { kind: 'har', message } };
    if (error instanceof SpecificationError) return { error: { kind: 'specification', message } };
    if (code !== undefined && job.kind !== 'draft')
      return { error: { kind: 'har', message: `cannot be read: ${withoutPath(error as Error)}` } };
    // The message may quote the document: where it happened does not.
    const where = stack.split('\n').filter((line) => /^\s+at /.test(line));
    return { error: { kind: 'other', message: ['a document could not be read', ...where].join('\n') } };
  }
}

if (!parentPort) throw new Error('Documents are read in a worker thread.');
const port = parentPort;
port.on('message', async (job: Job) => port.postMessage(await doJob(job)));
port.postMessage(WORKER_READY);
