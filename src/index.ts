/** The sandbox as a library: a server in the process of your own tests. */
import { hashOf } from './base/api/api-key.ts';
import { ApiError } from './base/api/errors.ts';
import type { Problem } from './base/api/exchange.ts';
import type { JsonSchema } from './base/api/schema-problems.ts';
import { forCallers } from './base/for-callers.ts';
import { type Log, silentLog } from './base/log.ts';
import { readLevel, resolveSettings } from './base/settings/config.ts';
import { SETTINGS, type Setting, type Settings, SettingsError } from './base/settings/settings.ts';
import { readTime, withTime } from './base/time.ts';
import { givenFixture, type InlineFixture } from './sandbox/new-fixture.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { ClockReading } from './sandbox/sandbox-clock.ts';
import { SchemaChecks } from './server/http/schema-checks.ts';
import { startServer } from './server/server.ts';
import { redactedJson } from './traffic/redact.ts';
import { type ExchangeFilter, search } from './traffic/search.ts';
import { type ShownExchange, shownExchange } from './traffic/shown.ts';
import type { UnmatchedRequest } from './traffic/unmatched-requests.ts';

export type { ExchangeFilter, InlineFixture, ShownExchange, UnmatchedRequest };

/** Every setting of the program, by its name here. Defaults: in memory, any free port, no log. */
export type SandboxOptions = Partial<Omit<Settings, 'fixture'>> & {
  readonly log?: Log;
  /** What a new sandbox starts with: the name of a fixture, or its pets. */
  readonly fixture?: string | InlineFixture;
};

/** A key, and the sandbox that it opens. */
export interface SandboxKey {
  /** The sandbox's address: `http://127.0.0.1:54321/sbx_5mVwQx0c2LhT8Ryd/v1`. */
  readonly url: string;
  /** To send as `Authorization: Bearer <API_KEY>`. */
  readonly key: string;
  /** The sandbox's id. */
  readonly sandbox: string;
}

/** The time on a sandbox's clock. */
export interface SandboxTime {
  readonly now: Date;
  readonly frozen: boolean;
}

/** A running sandbox server. */
export interface PetstoreSandbox {
  /** `http://127.0.0.1:54321/v1`, which all sandboxes share. */
  readonly url: string;
  /** The certificate of `tls: 'self-signed'`, in PEM, for clients to trust. */
  readonly ca: string | undefined;
  /** A key that is ready to use. */
  readonly key: string;
  /** The operator's token. */
  readonly adminToken: string;
  /**
   * Resolves when the validator is loaded, a second or more after the start; rejects if it cannot start. Await it in a
   * setup to spare the first test the wait.
   */
  readonly ready: Promise<void>;
  /**
   * A new sandbox and its key.
   * @throws {ApiError} `invalid_request`, `not_found` for an unknown fixture, `limit_reached`, as `reset`
   */
  issueKey(request?: { label?: string; fixture?: string | InlineFixture; ttlSeconds?: number }): Promise<SandboxKey>;
  /**
   * Resets a sandbox to its fixture, another one or a snapshot.
   * @throws {FixtureError} with every problem of a fixture that is given as a value
   * @throws {ApiError} `invalid_request` for anything else than such an object, `not_found`
   */
  reset(to?: { key?: string; fixture?: string | InlineFixture; snapshot?: string }): Promise<void>;
  /**
   * The sandbox's own clock, which the API follows: that of the sandbox of `key` unless you pass another key.
   */
  readonly clock: {
    /** Sets the clock to `now`, freezes it or lets it run. @throws {ApiError} */
    set(to: { now?: Date | string; frozen?: boolean; key?: string }): Promise<SandboxTime>;
    /** Advances the clock by an ISO 8601 duration, `P30D`. @throws {ApiError} `invalid_request` for anything else */
    advance(by: string, of?: { key?: string }): Promise<SandboxTime>;
    /** Returns to real time. */
    reset(of?: { key?: string }): Promise<SandboxTime>;
  };
  /**
   * The request log: requests with their verdicts, newest first.
   * @throws {ApiError} `not_found` if the request log does not contain the request `since`
   */
  requests(filter?: ExchangeFilter & { key?: string; limit?: number }): Promise<ShownExchange[]>;
  /** Requests that match no sandbox, newest first. */
  unmatched(): Promise<readonly UnmatchedRequest[]>;
  /** Stops the server. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox server. It reads no environment, handles no signals and never exits its host process; several may
 * run in one process.
 * @throws {SettingsError} for an unknown option or an invalid value
 * @throws {FixtureError} with every problem of a fixture
 */
export const startSandbox = forCallers(
  async ({ log = silentLog, fixture, ...options }: SandboxOptions = {}): Promise<PetstoreSandbox> => {
    const given = await givenFixture(fixture);
    const named = given === undefined || typeof given === 'object' ? {} : { fixture: given };
    const level = readLevel(asTexts({ ...options, ...named }), nameOf);
    const memory = options.data === undefined ? { memory: true } : {};
    const server = await startServer({
      settings: resolveSettings([{ port: 0, ...memory, ...level }]),
      log,
      fixture: typeof given === 'object' ? given : undefined,
      readyKey: true,
    });
    const { sandboxes, adminToken } = server;
    const key = server.readyKey as string;
    const sandboxOf = async (of: string = key): Promise<Sandbox> => {
      const opened = sandboxes.open(hashOf(of));
      if (!opened) throw new ApiError('not_found', 'this key does not belong to a sandbox');
      return opened.sandbox;
    };
    let ended: Promise<void> | undefined;
    const checks = new SchemaChecks();
    return {
      url: `${server.url}/v1`,
      ca: server.certificate?.isSelfSigned ? server.certificate.cert : undefined,
      key,
      adminToken,
      ready: server.validator.ready,
      issueKey: forCallers<PetstoreSandbox['issueKey']>(async (request = {}) => {
        await rejectWrong(NEW_KEY, request, 'issueKey', checks);
        rejectSecretLabel(request.label, server.redact);
        const { secret, sandbox } = await sandboxes.create({
          ...request,
          fixture: await givenFixture(request.fixture),
        });
        return { url: `${server.url}/${sandbox.id}/v1`, key: secret, sandbox: sandbox.id };
      }),
      reset: forCallers<PetstoreSandbox['reset']>(async (to = {}) => {
        await rejectWrong(RESET, to, 'reset', checks);
        const { key: of, fixture, snapshot } = to;
        const sandbox = await sandboxOf(of);
        if (snapshot !== undefined && fixture !== undefined)
          throw new ApiError('invalid_request', 'give a fixture or a snapshot, not both');
        if (snapshot !== undefined) return sandboxes.reset(sandbox, { snapshot });
        const given = await givenFixture(fixture);
        return sandboxes.reset(sandbox, given === undefined ? 'again' : { fixture: given });
      }),
      clock: {
        set: forCallers<Clock['set']>(async ({ now, frozen, key: of }) =>
          shown(await (await sandboxOf(of)).setClock({ now: givenTime(now), frozen })),
        ),
        advance: forCallers<Clock['advance']>(async (by, { key: of } = {}) =>
          shown(await (await sandboxOf(of)).advanceClock(by)),
        ),
        reset: forCallers<Clock['reset']>(async ({ key: of } = {}) => shown(await (await sandboxOf(of)).resetClock())),
      },
      requests: forCallers<PetstoreSandbox['requests']>(async ({ key: of, limit, ...filter } = {}) => {
        const sandbox = await sandboxOf(of);
        await server.requestLogs.whenValidated(sandbox.id);
        const found = search(server.requestLogs.of(sandbox), filter).slice(0, limit);
        return JSON.parse(redactedJson(found.map(shownExchange), server.redact)) as ShownExchange[];
      }),
      unmatched: async () => JSON.parse(redactedJson(server.unmatched.newestFirst(), server.redact)),
      close: () => {
        ended ??= server.close();
        return ended;
      },
    };
  },
);

type Clock = PetstoreSandbox['clock'];

const NEW_KEY = { $ref: '#/components/schemas/NewKey' };
const RESET = { additionalProperties: false, properties: { key: {}, fixture: {}, snapshot: {} } };

/** By a schema, but for the fixture, which has a check of its own. @throws {ApiError} `invalid_request` */
async function rejectWrong(schema: JsonSchema, value: object, name: string, checks: SchemaChecks): Promise<void> {
  const given = Object.entries(value).filter(([member, each]) => each !== undefined && member !== 'fixture');
  const problems: Problem[] = [];
  if (given.length > 0) await checks.check(schema, Object.fromEntries(given), name, problems);
  if (problems.length === 0) return;
  const message = problems.map(({ location, message }) => `${location} ${message}`).join('; ');
  throw new ApiError('invalid_request', message);
}

/** @throws {ApiError} `invalid_request` */
function rejectSecretLabel(label: string | undefined, redact: (text: string) => string): void {
  if (label === undefined || redact(label) === label) return;
  throw new ApiError('invalid_request', 'label must not contain a key or the admin token: it is stored and shown');
}

/** With the caller's own `Date`, which in a test runner may be another than the one here. */
const shown = ({ now, frozen }: ClockReading): SandboxTime => ({ now: new globalThis.Date(now), frozen });

function givenTime(now: Date | string | undefined): number | undefined {
  if (now === undefined) return undefined;
  const time = typeof now === 'string' ? readTime(withTime(now)) : now.getTime();
  if (time !== undefined && !Number.isNaN(time)) return time;
  throw new ApiError('invalid_request', 'now is a Date or an RFC 3339 time with a zone, like 2030-12-05T00:00:00Z');
}

/** Options pass the same checks as flags, which are texts. */
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
