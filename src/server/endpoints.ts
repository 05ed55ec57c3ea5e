/** Builds every endpoint of the server from its services: the interface, the control API and the dashboard. */

import { clockControls } from '../control/clock.ts';
import { drillControls } from '../control/drills.ts';
import { eventControls } from '../control/events.ts';
import { exportControls } from '../control/export.ts';
import { faultControls } from '../control/faults.ts';
import { fixtureControls } from '../control/fixtures.ts';
import { healthControls } from '../control/health.ts';
import { importControls } from '../control/import.ts';
import { keyControls } from '../control/keys.ts';
import { metricsControls } from '../control/metrics.ts';
import { petControls } from '../control/pets.ts';
import { reportControls } from '../control/report.ts';
import { requestControls } from '../control/requests.ts';
import { controlsRouter } from '../control/router.ts';
import { sandboxControls } from '../control/sandbox.ts';
import { sandboxesControls } from '../control/sandboxes.ts';
import { snapshotControls } from '../control/snapshots.ts';
import { specificationControls } from '../control/specifications.ts';
import { unmatchedControls } from '../control/unmatched.ts';
import { stopwatch } from '../core/clock.ts';
import { shippedDashboard, shippedDocumentation, shippedSpecifications, version } from '../core/shipped.ts';
import { documentation } from '../dashboard/documentation.ts';
import { dashboard } from '../dashboard/static.ts';
import { HeavyLane } from '../http/heavy-lane.ts';
import { addressFor, isLoopbackAddress } from '../http/listening.ts';
import { withoutCredential } from '../validator/credential.ts';
import { createApp } from './app.ts';
import type { Services } from './services.ts';

export interface EndpointOptions {
  /** Generates values of `Sandbox-Request-Id`. */
  readonly newId: () => string;
  /** Aborted when shutdown starts. */
  readonly stopping: AbortSignal;
  /** Returns the address that the server listens on, once it listens. */
  readonly listening: () => string;
  /** Interval of keep-alive comments on an event stream, in milliseconds. */
  readonly heartbeatMs: number;
}

/** The app with all endpoints. */
export function createEndpoints(services: Services, options: EndpointOptions): ReturnType<typeof createApp> {
  const { settings, log, redact, clock, backend, sandboxes, validator, inFlight, finish } = services;
  const { newId, stopping, listening } = options;
  const address = addressFor({ publicUrl: settings.publicUrl, listening, redact });
  return createApp({
    log,
    redact,
    record: {
      clock,
      newId,
      withoutCredential,
      room: (owner) => validator.room(owner),
      lane: new HeavyLane(),
      inFlight,
      done: finish,
    },
    guard: { ...settings, loopbackOnly: isLoopbackAddress(settings.host) },
    petstore: { door: backend.door, sandboxes, clock, limits: { maxBytes: settings.maxBody }, redact, stopping },
    controls: controls(services, options, address),
    dashboard: dashboard({ directory: shippedDashboard }),
    documentation: documentation({ directory: shippedDocumentation, addressFor: address }),
  });
}

function controls(
  services: Services,
  { stopping, heartbeatMs }: EndpointOptions,
  address: ReturnType<typeof addressFor>,
): ReturnType<typeof controlsRouter> {
  const { settings, redact, clock, adminToken, fixtures, store, sandboxes, clocks, drills } = services;
  const { backend, validator, histories, requestLogs, unmatched, unmatchedForKeys, events, figures, memory } = services;
  const started = stopwatch();
  const context = { door: backend.door, sandboxes, store, clock, addressFor: address };
  const history = { requestLogs, redact, histories };
  const reports = {
    ...history,
    clock,
    version,
    specifications: shippedSpecifications,
    sandboxes,
    unmatched,
    places: backend.places,
    unmatchedForKeys,
  };
  const tallies = () => validator.tallies;
  const maxWaiting = memory.events;
  return controlsRouter({
    ...context,
    adminToken,
    limits: { maxBytes: settings.maxBody },
    controls: {
      ...healthControls({
        ...{ version, store, validator: () => ({ ...validator.tallies, ready: validator.isReady }) },
        stopping: () => stopping.aborted,
        uptimeSeconds: () => (stopwatch() - started) / 1000,
      }),
      ...keyControls({ ...context, keyIssuing: settings.keyIssuing, redact }),
      ...petControls(),
      ...snapshotControls({ ...context, redact }),
      ...clockControls(clocks),
      ...sandboxControls({ ...context, histories, drills }),
      ...requestControls(history),
      ...reportControls(reports),
      ...unmatchedControls({ unmatched, redact, unmatchedForKeys }),
      ...eventControls({
        ...context,
        histories,
        requestLogs,
        redact,
        events,
        heartbeatMs,
        maxWaiting,
        unmatchedForKeys,
      }),
      ...exportControls({ ...context, ...reports, fixtures, drills }),
      ...importControls({
        ...{ ...context, histories, fixtures, drills, redact },
        keyIssuing: settings.keyIssuing,
        // Of a body there are its bytes, its text and what was read of it.
        largest: Math.max(memory.exchange / 2, settings.maxBody),
      }),
      ...faultControls({ redact }),
      ...drillControls({ ...history, runs: drills }),
      ...sandboxesControls({ ...context, drills }),
      ...metricsControls({ version, figures, sandboxes, store, engine: backend.engine, clock, validator: tallies }),
      ...fixtureControls(fixtures),
      ...specificationControls({ directory: shippedSpecifications, pages: shippedDashboard, addressFor: address }),
    },
  });
}
