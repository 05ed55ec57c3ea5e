/**
 * Reads documents that strangers wrote, HARs and drafts of the specification, in a thread with a bounded heap, one at a time. The thread stays for a while, for the next document.
 */

import { Worker } from 'node:worker_threads';
import { ApiError, SpecificationError } from '../../base/api/errors.ts';
import { ownCommand } from '../../base/own-command.ts';
import { clearTimeout, setImmediate, setTimeout } from '../../base/real-globals.ts';
import type { Preview, PreviewRequests } from '../drafts/preview.ts';
import type { Results } from '../report/results.ts';
import { HarError } from './har-source.ts';

/** What the thread is sent. */
export type Job =
  | ({ readonly kind: 'draft' } & DraftPreview)
  | ({ readonly kind: 'report'; readonly strict: boolean } & HarSource)
  | ({ readonly kind: 'preview'; readonly at: string | undefined; readonly draft: string | undefined } & HarSource);

/** A draft of the specification, and the requests to check against it. */
interface DraftPreview {
  readonly draft: string;
  readonly requests: PreviewRequests;
  readonly at: string | undefined;
}

interface HarSource {
  /** What is sent is a copy: a part of a larger buffer would be sent with all of it. */
  readonly har: Uint8Array;
  /** Base addresses of the API, which can be parsed; recognized if there are none. */
  readonly bases: readonly string[];
  /** A file, or a sandbox, as reports name it. */
  readonly source: string;
}

/** What the thread answers. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly error: { readonly kind: 'har' | 'specification' | 'other'; readonly message: string } };

interface DocumentsOptions {
  /** The bound of the thread's heap in bytes; 0 if there is no memory for one. */
  readonly heap: number;
  /** The bound of each job in milliseconds, by what it reads. */
  readonly ms?: { readonly draft: number; readonly har: number };
}

/** Until the thread has loaded, which does not depend on a document. */
const START_MS = 60_000;
/** How long the thread waits for another document. */
const IDLE_MS = 10_000;
const MIB = 2 ** 20;
/** Documents that wait for the one that is read. */
const MAX_WAITING_DOCUMENTS = 4;

interface Waiting {
  readonly kind: Job['kind'];
  /** Makes what is posted when its turn comes: what waits takes no memory for it. */
  readonly make: () => Job | Promise<Job>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  /** It was begun in a thread that had read others before. */
  isAgain?: boolean;
}

/** In the bundle the thread's file is in the same folder. */
const BUILT = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/documents-worker.js' : './documents-worker.js',
  import.meta.url,
);

export class Documents {
  readonly #options: DocumentsOptions;
  readonly #waiting: Waiting[] = [];
  #current: Waiting | undefined;
  #thread: Worker | undefined;
  /** Documents that this thread has read. */
  #read = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  /**
   * A preview of requests with a draft: OpenAPI 3.0 or 3.1, as YAML or JSON. It may contain secrets.
   * @param input makes the draft and its requests, when its turn comes
   * @throws {SpecificationError} for a specification that cannot be used
   * @throws {ApiError} without memory, when too many wait, or when the server stops
   */
  async previewDraft(input: () => Promise<DraftPreview>): Promise<Preview> {
    return (await this.#run('draft', async () => ({ kind: 'draft', ...(await input()) }))) as Preview;
  }

  /**
   * The contract report of a HAR, without a credential of it.
   * @throws {HarError}
   * @throws {ApiError} without memory, when too many wait, or when the server stops
   */
  async report(har: HarSource & { readonly strict: boolean }): Promise<Results> {
    return (await this.#run('report', () => ({ kind: 'report', ...har, har: Uint8Array.from(har.har) }))) as Results;
  }

  /**
   * A preview of the requests in a HAR, without a credential of it.
   * @throws {HarError} @throws {SpecificationError} for the draft
   */
  async preview(
    har: HarSource & { readonly at: string | undefined; readonly draft: string | undefined },
  ): Promise<Preview> {
    return (await this.#run('preview', () => ({ kind: 'preview', ...har, har: Uint8Array.from(har.har) }))) as Preview;
  }

  /** Ends the thread. What waits is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const each of [this.#current, ...this.#waiting.splice(0)]) each?.reject(stopping());
    await this.#end();
  }

  async #run(kind: Job['kind'], make: Waiting['make']): Promise<unknown> {
    if (this.#options.heap === 0)
      throw new ApiError(
        'limit_reached',
        `the server has too little memory to read a HAR or a draft, for which it needs 384 MiB; run elsewhere: ${ownCommand('report --har FILE')}, or ${ownCommand('preview --spec FILE')}`,
      );
    if (this.#isClosed) throw stopping();
    if (this.#waiting.length >= MAX_WAITING_DOCUMENTS)
      throw new ApiError('busy', 'other documents are being read, one at a time; try again in five seconds', [
        'Retry-After',
        '5',
      ]);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ kind, make, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#current !== undefined || this.#isClosed) return;
    this.#current = this.#waiting.shift();
    clearTimeout(this.#timer);
    if (this.#current) this.#begin();
    else {
      this.#thread?.unref();
      this.#timer = setTimeout(() => void this.#end(), IDLE_MS).unref();
    }
  }

  #begin(): void {
    if (this.#thread) {
      void this.#post();
      return;
    }
    // The environment is not passed on: it may contain the admin token.
    const thread = new Worker(BUILT, {
      resourceLimits: {
        maxYoungGenerationSizeMb: 8,
        maxOldGenerationSizeMb: Math.floor(this.#options.heap / MIB),
        stackSizeMb: 4,
      },
      execArgv: [],
      env: {},
    });
    this.#thread = thread;
    this.#read = 0;
    this.#limit(START_MS, 'the thread for it did not start');
    thread.once('message', () => {
      thread.on('message', (outcome: Outcome) => {
        this.#read += 1;
        const waiting = this.#current;
        if (waiting) this.#take(waiting, () => settle(waiting, outcome));
      });
      void this.#post();
    });
    // The message of an error may quote the document.
    thread.once('error', (error: NodeJS.ErrnoException) => this.#died(thread, error.code));
    thread.once('exit', () => this.#died(thread, undefined));
  }

  async #post(): Promise<void> {
    const waiting = this.#current as Waiting;
    const thread = this.#thread as Worker;
    clearTimeout(this.#timer);
    thread.ref();
    let job: Job;
    try {
      job = await waiting.make();
    } catch (error) {
      this.#take(waiting, () => waiting.reject(error as Error));
      return;
    }
    // The thread may have ended meanwhile, or the server.
    if (this.#current !== waiting || this.#thread !== thread) return;
    const { draft, har } = this.#options.ms ?? {};
    const ms = job.kind === 'draft' ? draft : har;
    if (ms !== undefined) this.#limit(ms, `it took longer than ${ms / 1000} seconds; ${adviceFor(waiting)}`);
    thread.postMessage(job);
  }

  #limit(ms: number, message: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // If this thread was suspended, the outcome is already there: it is read before this runs.
      const waiting = this.#current;
      setImmediate(() => {
        if (waiting === undefined || this.#current !== waiting) return;
        this.#current = undefined;
        waiting.reject(errorOf(waiting, message));
        void this.#end().then(() => this.#next());
      });
    }, ms);
  }

  /** The current document is done with, unless another one is current now. */
  #take(waiting: Waiting, done: () => void): void {
    if (this.#current !== waiting) return;
    this.#current = undefined;
    done();
    this.#next();
  }

  /** The thread ended by itself: it takes no more memory than its heap. */
  #died(thread: Worker, code: string | undefined): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    const waiting = this.#current;
    if (!waiting) return;
    if (this.#read > 0 && !waiting.isAgain) {
      // What it read before may have filled it.
      waiting.isAgain = true;
      this.#begin();
      return;
    }
    this.#current = undefined;
    const isFull = code === 'ERR_WORKER_OUT_OF_MEMORY';
    waiting.reject(errorOf(waiting, isFull ? `it takes too much memory; ${adviceFor(waiting)}` : 'it cannot be read'));
    this.#next();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}

function settle({ resolve, reject }: Waiting, outcome: Outcome): void {
  if ('value' in outcome) resolve(outcome.value);
  else reject(errorFrom(outcome.error));
}

const stopping = (): ApiError => new ApiError('shutting_down', 'the server is stopping');

const adviceFor = ({ kind }: Pick<Job, 'kind'>): string =>
  kind === 'draft'
    ? 'leave out what this API does not need'
    : `leave out other requests, or run ${ownCommand('report --har FILE')}`;

const errorOf = ({ kind }: Pick<Job, 'kind'>, message: string): Error =>
  kind === 'draft' ? new SpecificationError(message) : new HarError(message);

function errorFrom({ kind, message }: { readonly kind: string; readonly message: string }): Error {
  if (kind === 'har') return new HarError(message);
  return kind === 'specification' ? new SpecificationError(message) : new Error(message);
}
