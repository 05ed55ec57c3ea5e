/** The way of every request, from top to bottom: record → guard → controls | interface → errors. */
import express, { type Express, type Router } from 'express';
import { answerErrors, unknownPath } from './http/errors.ts';
import { type GuardOptions, guard } from './http/guard.ts';
import { type RecordOptions, record } from './http/record.ts';
import type { Log } from './log.ts';

export interface AppOptions {
  readonly log: Log;
  readonly record: RecordOptions;
  readonly guard: GuardOptions;
  /** The interface. */
  readonly petstore: Router;
  readonly controls: Router;
}

/** The Express app, as a list. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(record(options.record));
  app.use('/v1', options.petstore);
  app.use(guard(options.guard));
  app.use('/_sandbox', options.controls);
  app.use(unknownPath);
  app.use(answerErrors({ log: options.log }));
  return app;
}
