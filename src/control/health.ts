/** `GET /_sandbox/health`. */
import { ApiError } from '../core/errors.ts';
import type { Store } from '../store/store.ts';
import { type Controls, json } from './control.ts';

interface HealthOptions {
  readonly version: string;
  readonly store: Store;
  /** Seconds since the start. */
  readonly uptimeSeconds: () => number;
  /** Counts of the validator since the start. */
  readonly validator: () => {
    /** Whether it is loaded. */
    readonly ready: boolean;
    readonly validated: number;
    readonly validationFailures: number;
    readonly disagreements: number;
    readonly brokenResponses: number;
  };
  readonly stopping: () => boolean;
}

export const healthControls = ({ version, store, uptimeSeconds, validator, stopping }: HealthOptions): Controls => ({
  getHealth: () => {
    if (stopping()) throw new ApiError('shutting_down', 'the server is stopping; what is under way is being finished');
    if (store.problem !== undefined) throw new ApiError('storage_failed', store.problem);
    const { ready, validated, validationFailures, disagreements, brokenResponses } = validator();
    return json(200, {
      status: 'ok',
      version,
      store: store.kind,
      uptimeSeconds: uptimeSeconds(),
      validator: { ready, validated, validationFailures, disagreements, brokenResponses },
    });
  },
});
