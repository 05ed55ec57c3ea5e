/** Examines exchanges by a specification that a stranger wrote, in a worker thread of its own. */

import { Worker } from 'node:worker_threads';
import { SpecificationError } from '../api/errors.ts';
import { type Exchange, isToBeValidated, type Verdict } from '../api/exchange.ts';
import { agree } from './agreement.ts';
import { encode } from './message.ts';

/** Bytes of a specification. */
export const MAX_DRAFT_BYTES = 1024 * 1024;
/** From the draft to the last verdict. */
const MAX_MS = 5_000;
/** Until the thread has loaded, which does not depend on a draft. */
const START_MS = 60_000;
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256, stackSizeMb: 4 };

/** The message to the thread: the specification, and encoded exchanges, null for one that cannot be examined. */
export interface DraftInput {
  readonly text: string;
  readonly inputs: readonly (string | null)[];
}

/** What a draft says of one exchange. */
export interface DraftResult {
  /** It has no such operation. */
  readonly isRemoved?: boolean;
  readonly verdict?: Verdict;
  /** The request to send instead. */
  readonly instead?: string;
}

/** The message of the thread. */
export interface DraftOutput {
  /** Title and version. */
  readonly draft: string;
  /** The base path. */
  readonly base: string;
  /** In the order of the exchanges; `undefined` for one that cannot be examined. */
  readonly results: readonly (DraftResult | undefined)[];
  /** Parts of operations that differ from today's. */
  readonly changes: readonly { readonly operation: string; readonly location: string; readonly text: string }[];
}

/**
 * Examines exchanges by a draft: OpenAPI 3.0 or 3.1, as YAML or JSON.
 * @throws {SpecificationError} for a specification that cannot be used
 */
export async function examineByDraft(text: string, exchanges: readonly Exchange[]): Promise<DraftOutput> {
  if (Buffer.byteLength(text) > MAX_DRAFT_BYTES)
    throw new SpecificationError(`a specification has at most ${MAX_DRAFT_BYTES / 1024} KiB`);
  const inputs = exchanges.map((exchange) => (isExaminable(exchange) ? encode(exchange) : null));
  const output = await runOnce({ text, inputs });
  if ('error' in output) throw new SpecificationError(output.error);
  const results = output.results.map((result, index) => withoutExcused(result, exchanges[index] as Exchange));
  return { ...output, results };
}

/** Whether today's verdict is known, and all of the request. */
const isExaminable = (exchange: Exchange): boolean =>
  isToBeValidated(exchange) &&
  exchange.verdict !== undefined &&
  exchange.verdict.validationError === undefined &&
  exchange.truncated?.request !== true &&
  !exchange.request.bodyUnread;

/** A request is held to a draft as to today's specification: see `agreement.ts`. */
function withoutExcused(result: DraftResult | undefined, exchange: Exchange): DraftResult | undefined {
  if (!result?.verdict) return result;
  const { verdict } = agree({ ...exchange, decision: { kind: 'undecided' } }, result.verdict);
  return { ...result, verdict };
}

/** In the bundle the thread's file is in the same folder. */
const BUILT = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/draft-worker.js' : './draft-worker.js',
  import.meta.url,
);

async function runOnce(input: DraftInput): Promise<DraftOutput | { readonly error: string }> {
  // The environment is not passed on: it may contain the admin token.
  const thread = new Worker(BUILT, { resourceLimits: HEAP, execArgv: [], env: {} });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const endAfter = (ms: number, message: string): void => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(new SpecificationError(message)), ms);
      };
      endAfter(START_MS, 'the thread for it did not start');
      thread.once('message', () => {
        endAfter(MAX_MS, `it took longer than ${MAX_MS / 1000} seconds; leave out what this API does not need`);
        thread.once('message', resolve);
        thread.postMessage(input);
      });
      thread.once('error', (cause) =>
        reject(new SpecificationError(`it cannot be compiled: ${cause.message}`, { cause })),
      );
      thread.once('exit', () => reject(new SpecificationError('it cannot be compiled')));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
