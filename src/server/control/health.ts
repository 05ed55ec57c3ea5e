/** `GET /_sandbox/health`. */
import { ApiError } from '../../base/api/errors.ts';
import { stopwatch } from '../../base/clock.ts';
import { version } from '../../base/shipped.ts';
import { type ControlContext, type Controls, json } from './control.ts';

export function healthControls({ settings, store, validator, stopping }: ControlContext): Controls {
  const started = stopwatch();
  return {
    getHealth: () => {
      if (stopping.aborted)
        throw new ApiError('shutting_down', 'the server is stopping; what is under way is being finished');
      if (store.problem !== undefined) throw new ApiError('storage_failed', store.problem);
      const { validated, validationFailures, disagreements, brokenResponses } = validator.tallies;
      return json(200, {
        status: 'ok',
        version,
        name: settings.name ?? null,
        store: store.kind,
        uptimeSeconds: (stopwatch() - started) / 1000,
        validator: { ready: validator.isReady, validated, validationFailures, disagreements, brokenResponses },
      });
    },
  };
}
