/**
 * Where sandboxes are kept: by this process alone (`backend/embedded.ts`), or in a Valkey that several servers share
 * (`backend/valkey/`).
 */
import type { Exchange } from '../api/exchange.ts';
import type { Clock } from '../core/clock.ts';
import type { Events, SandboxEvent } from '../requests/events.ts';
import type { Redact } from '../requests/redact.ts';
import type { RequestLogs } from '../requests/request-logs.ts';
import type { UnmatchedShare } from '../requests/unmatched-requests.ts';
import type { Store } from '../store/store.ts';
import type { Opened, Sandbox } from './sandbox.ts';

export interface Backend {
  readonly store: Store;
  readonly freshness: Freshness;
  /** Counts sandboxes together with other processes; `undefined`: this process counts its own. */
  readonly quota: Quota | undefined;
  /** The requests that belong to no sandbox, of all servers; `undefined`: this process keeps its own. */
  readonly unmatched: UnmatchedShare | undefined;
  /** The connection to Valkey; `undefined` without one. */
  readonly valkey: ValkeyFigures | undefined;
  /** Called once, when the services are there that it works for. */
  trafficLogOf(parts: TrafficLogParts): TrafficLog;
  close(): Promise<void>;
}

/** Counts since the start. */
export interface ValkeyFigures {
  readonly calls: number;
  readonly failures: number;
  readonly reconnects: number;
}

/** The sandboxes that this process has in memory. */
export interface OpenSandboxes {
  get(id: string): Sandbox | undefined;
  /** That of a key, by the key's hash. */
  open(hash: string): Opened | undefined;
  /** @throws {ApiError} `storage_failed` */
  end(sandbox: Sandbox): Promise<void>;
}

/** What a traffic log is made of. */
export interface TrafficLogParts {
  readonly requestLogs: RequestLogs;
  readonly events: Events;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly sandboxes: OpenSandboxes;
  /** Resolves when the validator has validated everything that this process answered in a sandbox. */
  readonly validated: (id: string) => Promise<void>;
}

/**
 * Brings what this process knows of sandboxes up to date, before a request reads it. Without Valkey it always is, so
 * that nothing is awaited.
 */
export interface Freshness {
  /**
   * The sandbox of a key, by the key's hash. @param exchange the id of the request's exchange, if it belongs to the request
   * log of the sandbox @throws {ApiError} `storage_failed`
   */
  refreshKey(hash: string, exchange?: string): Promise<void> | undefined;
  /** A sandbox by its id. @throws {ApiError} `storage_failed` */
  refreshSandbox(id: string): Promise<void> | undefined;
  /** Every sandbox there is. @throws {ApiError} `storage_failed` */
  refreshAll(): Promise<void> | undefined;
}

/** How many sandboxes all servers together may hold: `--max-sandboxes`. */
export interface Quota {
  /** Takes a place for a new sandbox. @throws {ApiError} `limit_reached`, `storage_failed` */
  take(sandbox: { readonly id: string; readonly preconfigured: boolean }): Promise<void>;
  /** Sandboxes that may be over: no key opens them any more. @returns their ids, which are up to date */
  expired(): Promise<readonly string[]>;
  /**
   * Whether another sandbox was used after a moment, in milliseconds since 1970. What was used at another server within
   * the last seconds may be missing. @throws {ApiError} `storage_failed`
   */
  isAnotherUsed(id: string, since: number): Promise<boolean>;
}

/** What happened in sandboxes, wherever it was answered. */
export interface TrafficLog {
  /** The response of an exchange was sent. */
  record(exchange: Exchange): void;
  /** The verdict of an exchange is final. */
  settle(exchange: Exchange): void;
  /** A request gets no response here, and is not recorded. */
  abandon(exchange: Exchange): void;
  /** Resolves when the request log of a sandbox has every exchange answered before the call, with its verdict. */
  settled(id: string): Promise<void>;
  /** Brings the request log up to date with what other servers answered before the call. */
  refresh(id: string): Promise<void> | undefined;
  /**
   * Gives a new sandbox the exchanges of a recording, the oldest first.
   * @param dropped how many preceded them @throws {ApiError} `storage_failed`
   */
  adopt(sandbox: Sandbox, exchanges: readonly Exchange[], dropped: number): Promise<void> | undefined;
  /** Clears the request log, after all exchanges that preceded the call. */
  clear(sandbox: Sandbox): Promise<void>;
  /** A sandbox is not in memory any more. */
  drop(id: string): void;
  /** Tells the listeners of a sandbox, after the exchanges that preceded the event. */
  notify(sandbox: Sandbox, event: SandboxEvent): void;
}
