/** The options of a server, and the running server that its caller receives. */
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { MemoryPlan } from '../core/memory.ts';
import type { DrillRuns } from '../drills/runs.ts';
import type { Certificate } from '../http/certificate.ts';
import type { Redact } from '../requests/redact.ts';
import type { RequestLogs } from '../requests/request-logs.ts';
import type { Unmatched } from '../requests/unmatched.ts';
import type { Histories } from '../sandbox/backend.ts';
import type { Fixtures } from '../sandbox/fixtures.ts';
import type { SandboxClocks } from '../sandbox/sandbox-clocks.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { NewFixture } from '../store/own-fixture.ts';
import type { Store } from '../store/store.ts';
import type { Validator } from '../validator/validator.ts';
import type { Settings } from './settings.ts';

/**
 * Time limits for slow clients, in milliseconds: for a request's head, for the whole request, and between two checks.
 */
export interface RequestTimeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

export interface ServerOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock?: Clock;
  /** What a new sandbox starts with, in place of the fixture that the settings name. */
  readonly fixture?: NewFixture | undefined;
  /** Whether to create, or load, a ready-to-use key. */
  readonly readyKey?: boolean;
  /** Overrides the request timeouts, so that tests do not wait half a minute. */
  readonly patience?: RequestTimeouts;
  /** Overrides how long a client may read too little of a large response, in milliseconds: see `Patience`. */
  readonly readingMs?: number;
  /** Memory limits; by default those that fit the memory of this process. */
  readonly memory?: MemoryPlan;
  /** Called when the server cannot continue because the validator failed for good. */
  readonly onFatal?: (error: Error) => void;
  /** The validator's worker; the built one unless a test supplies another. */
  readonly worker?: URL;
  /** Interval of keep-alive comments on an event stream, in milliseconds. */
  readonly heartbeatMs?: number;
  /** How long idle connections stay open during shutdown, in milliseconds: their clients may be about to send. */
  readonly idleMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** `http://127.0.0.1:4020`, without a path. */
  readonly url: string;
  /** The address that it listens on. `0.0.0.0` and `::` mean all addresses; `url` then contains one of them. */
  readonly host: string;
  /** With HTTPS: what it shows its clients. */
  readonly certificate: Certificate | undefined;
  readonly readyKey: string | undefined;
  readonly adminToken: string;
  readonly sandboxes: Sandboxes;
  readonly clocks: SandboxClocks;
  readonly validator: Validator;
  readonly requestLogs: RequestLogs;
  readonly histories: Histories;
  readonly unmatched: Unmatched;
  /** Redacts this server's secrets in texts that are shown. */
  readonly redact: Redact;
  readonly store: Store;
  readonly fixtures: Fixtures;
  readonly drills: DrillRuns;
  /**
   * Finishes requests in flight, writes pending data, and leaves nothing running, within five seconds. It may be called
   * more than once. It rejects if a part failed to shut down.
   */
  close(): Promise<void>;
}
