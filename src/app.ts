/** The way of every request, from top to bottom: record → host → interface | guard → controls | dashboard → errors. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, type Response, Router } from 'express';
import { answerErrors, unknownPath } from './http/errors.ts';
import { type GuardOptions, guard } from './http/guard.ts';
import { requireHost } from './http/host.ts';
import { type RecordOptions, record } from './http/record.ts';
import type { Log } from './log.ts';
import { addPetstore, type PetstoreOptions } from './petstore/router.ts';
import type { Redact } from './sandbox/redact.ts';

export interface AppOptions {
  readonly log: Log;
  /** Takes secrets out of the messages of errors. */
  readonly redact: Redact;
  readonly record: RecordOptions;
  readonly guard: GuardOptions;
  /** The interface. */
  readonly petstore: PetstoreOptions;
  readonly controls: Router;
  readonly dashboard: Router;
}

/**
 * What a server calls for each request. It is Express's router without Express's application around it: the application
 * would give every request and answer another prototype, which costs as much as all that is done here.
 */
export function createApp(options: AppOptions): (req: IncomingMessage, res: ServerResponse) => void {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(record(options.record));
  router.use(requireHost);
  addPetstore(router, options.petstore);
  router.use(guard(options.guard));
  router.use('/_sandbox', options.controls);
  router.use(options.dashboard);
  router.use(unknownPath);
  router.use(answerErrors(options));
  return (req, res) => router(req as Request, res as Response, ignore);
}

/** The router's last word: nothing gets past the answer for errors. */
const ignore = (): void => {
  // On purpose.
};
