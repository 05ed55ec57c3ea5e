/** The sandbox as a library: a server in the process of your own tests. */
import { readTime } from './clock.ts';
import { readLevel, SETTINGS, type Setting, type Settings, SettingsError, settle } from './config.ts';
import { ApiError } from './errors.ts';
import { type Log, silentLog } from './log.ts';
import { hashOf } from './sandbox/keys.ts';
import { redactedJson } from './sandbox/redact.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { ClockReading } from './sandbox/sandbox-clocks.ts';
import { type ExchangeFilter, search } from './sandbox/search.ts';
import { type ShownExchange, shownExchange } from './sandbox/shown.ts';
import { startServer } from './server.ts';

export type { ExchangeFilter, ShownExchange };

/** Every setting of the program, by its name here. Left out: memory, any free port, and no word in any log. */
export type SandboxOptions = Partial<Settings> & { readonly log?: Log };

/** A key, and the sandbox that it opens. */
export interface SandboxKey {
  readonly key: string;
  readonly sandbox: string;
}

/** What a sandbox's clock shows. */
export interface SandboxTime {
  readonly now: Date;
  readonly frozen: boolean;
}

/** A running sandbox server. */
export interface PetstoreSandbox {
  /** Base address of the interface: `http://127.0.0.1:54321/v1`. */
  readonly url: string;
  /** A key that is ready to use. */
  readonly key: string;
  readonly adminToken: string;
  /** A new sandbox and its key. @throws {ApiError} `not_found` for an unknown fixture, `limit_reached` */
  issueKey(ask?: { label?: string; fixture?: string; ttlSeconds?: number }): Promise<SandboxKey>;
  /** Puts the sandbox of a key, by default the ready one, back to its fixture or another, or to a snapshot. */
  reset(to?: { key?: string; fixture?: string; snapshot?: string }): Promise<void>;
  /** The sandbox's own time, which the interface follows: of the ready key's sandbox unless another key is given. */
  readonly clock: {
    /** Sets the clock to `now`, freezes it or lets it go on; what is left out stays as it is. @throws {ApiError} */
    set(to: { now?: Date | string; frozen?: boolean; key?: string }): Promise<SandboxTime>;
    /** Lets time pass: an ISO 8601 duration, `P30D`. @throws {ApiError} `invalid_request` for what is none */
    advance(by: string, of?: { key?: string }): Promise<SandboxTime>;
    /** Back to real time. */
    reset(of?: { key?: string }): Promise<SandboxTime>;
  };
  /**
   * What the client of a key, by default the ready one, sent and was answered: all that the journal keeps, judged, the
   * newest first. @throws {ApiError} `not_found` where `since` is a request that it does not keep
   */
  requests(filter?: ExchangeFilter & { key?: string; limit?: number }): Promise<ShownExchange[]>;
  /** Ends the server; nothing of it is left running. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox server. It reads no environment, takes no signals and never ends its host process; several may run
 * in one process.
 *
 * @throws {SettingsError} for a setting that fits nothing
 */
export async function startSandbox({ log = silentLog, ...options }: SandboxOptions = {}): Promise<PetstoreSandbox> {
  const level = readLevel(asTexts(options), nameOf);
  const memory = options.data === undefined ? { memory: true } : {};
  const server = await startServer({ settings: settle([{ port: 0, ...memory, ...level }]), log, readyKey: true });
  const { sandboxes, clocks, adminToken } = server;
  const key = server.readyKey as string;
  const sandboxOf = (of: string = key): Sandbox => {
    const opened = sandboxes.open(hashOf(of));
    if (!opened) throw new ApiError('not_found', 'this key opens no sandbox');
    return opened.sandbox;
  };
  return {
    url: `${server.url}/v1`,
    key,
    adminToken,
    issueKey: async (ask = {}) => {
      if (ask.label !== undefined && server.redact(ask.label) !== ask.label)
        throw new ApiError('invalid_request', 'label must not hold a key or the admin token: it is stored and shown');
      const { secret, sandbox } = await sandboxes.create(ask);
      return { key: secret, sandbox: sandbox.id };
    },
    reset: async ({ key: of, fixture, snapshot } = {}) => {
      const sandbox = sandboxOf(of);
      if (snapshot !== undefined && fixture !== undefined)
        throw new ApiError('invalid_request', 'give a fixture or a snapshot, not both');
      await sandboxes.reset(
        sandbox,
        snapshot === undefined ? { fixture: fixture ?? server.store.fixtureOf(sandbox.id) } : { snapshot },
      );
    },
    clock: {
      set: async ({ now, frozen, key: of }) => shown(await clocks.set(sandboxOf(of), { now: timeOf(now), frozen })),
      advance: async (by, { key: of } = {}) => shown(await clocks.advance(sandboxOf(of), by)),
      reset: async ({ key: of } = {}) => shown(await clocks.reset(sandboxOf(of))),
    },
    requests: async ({ key: of, limit, ...filter } = {}) => {
      const sandbox = sandboxOf(of);
      await server.judge.settled(sandbox.id);
      const found = search(server.journals.of(sandbox).journal, filter).slice(0, limit);
      return JSON.parse(redactedJson(found.map(shownExchange), server.redact)) as ShownExchange[];
    },
    close: () => server.close(),
  };
}

const shown = ({ now, frozen }: ClockReading): SandboxTime => ({ now: new Date(now), frozen });

function timeOf(now: Date | string | undefined): number | undefined {
  if (now === undefined) return undefined;
  const time = typeof now === 'string' ? readTime(now) : now.getTime();
  if (time !== undefined && !Number.isNaN(time)) return time;
  throw new ApiError(
    'invalid_request',
    'now must be a Date or an RFC 3339 time with a zone, like 2030-12-05T00:00:00Z',
  );
}

/** Options go through the same checks as flags, which read texts. */
function asTexts(options: Partial<Settings>): Record<string, unknown> {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(SETTINGS, name));
  if (unknown.length > 0)
    throw new SettingsError(`no such option: ${unknown.join(', ')}; there are ${Object.keys(SETTINGS).join(', ')}`);
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );
}

function nameOf(setting: Setting): string {
  return Object.entries(SETTINGS).find(([, each]) => each === setting)?.[0] ?? setting.flag;
}
