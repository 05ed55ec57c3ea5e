/** The connection to Valkey, or Redis 7 and later, which servers share. Only this file knows its client. */

import { Cluster, Redis, type RedisOptions } from 'iovalkey';
import { stopwatch } from '../../core/clock.ts';
import { newSecret } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';
import { clearInterval, setInterval, setTimeout } from '../../core/real-globals.ts';
import { SettingsError } from '../../settings/settings.ts';
import { INSTALLATION } from './names.ts';
import { ADMIT, type Script } from './scripts.ts';
import { asApiError, isDemoted, isUnknownScript, notConfirmed, valkeyUnusable } from './valkey-errors.ts';

export type Argument = string | number;
export type ValkeyCommand = readonly [name: string, ...args: Argument[]];

/** How long a command may take, in milliseconds. */
const COMMAND_MS = 2_000;
/** How long a start waits for Valkey. */
const START_MS = 10_000;
const MAX_RETRY_MS = 500;
/** How often each connection is tried, so that one whose other end is gone is noticed without a request. */
const HEARTBEAT_MS = 3_000;
/** What sandboxes look like in Valkey. Servers of another layout use another database. */
const LAYOUT = '4';

interface ValkeyOptions {
  /** `valkey://user:password@host:port/0`, or `valkeys://` for TLS; `?cluster=true` for a cluster. */
  readonly address: string;
  /** How many replicas of Valkey must have a write before it is acknowledged. */
  readonly waitFor: number;
  readonly log: Log;
}

export class ValkeyClient {
  readonly figures = { calls: 0, failures: 0, reconnects: 0 };
  readonly #client: Redis | Cluster;
  readonly #listener: Redis | Cluster;
  readonly #listeners = new Map<string, (message: string) => void>();
  readonly #waitFor: number;
  /** Before the name of each channel: Valkey delivers messages of all databases, which are other deployments. */
  readonly #scope: string;
  /** The database, or cluster, that this process works on: its layout and a random id. */
  #installation: string | undefined;
  /** Whether the present connection leads to a primary that holds this installation. */
  #isAdmitted = false;
  #lastError = 'not connected yet';
  /** Why the last connection could not be used. */
  #rejection: string | undefined;
  #onReconnected: () => void = () => undefined;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #database: number;

  /** @throws {SettingsError} if Valkey cannot be reached */
  static async connect(options: ValkeyOptions): Promise<ValkeyClient> {
    const valkey = new ValkeyClient(options);
    try {
      await valkey.#connected();
      return valkey;
    } catch (error) {
      await valkey.close();
      throw error;
    }
  }

  private constructor({ address, waitFor, log }: ValkeyOptions) {
    this.#waitFor = waitFor;
    this.#database = databaseIn(new URL(address));
    this.#scope = `${this.#database}/`;
    this.#client = clientOf(address);
    this.#listener = clientOf(address);
    for (const client of [this.#client, this.#listener]) {
      client.on('error', (error: Error) => {
        this.#lastError = error.message;
      });
    }
    let isLost = false;
    this.#client.on('close', () => {
      this.#isAdmitted = false;
      if (!isLost) log.warn({ reason: this.#lastError }, 'the connection to the store is lost; it is opened again');
      isLost = true;
      this.figures.reconnects += 1;
    });
    this.#client.on('ready', async () => {
      if (!(await this.#isUsable())) return;
      if (isLost) log.info({}, 'the store is reachable again');
      if (isLost) this.#onReconnected();
      isLost = false;
      this.#lastError = 'it closed the connection';
    });
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS).unref();
    // Subscribing fails while the connection is lost.
    this.#listener.on('ready', () => {
      for (const channel of this.#listeners.keys()) void this.#listener.subscribe(channel).catch(() => undefined);
    });
    this.#listener.on('message', (channel: string, message: string) => this.#listeners.get(channel)?.(message));
  }

  /** Has a function called after a lost connection was opened again: what was read before it may no longer be there. */
  onReconnected(notify: () => void): void {
    this.#onReconnected = notify;
  }

  /** Why nothing can be read or written at present; `undefined` if it can. */
  get problem(): string | undefined {
    return this.#isAdmitted ? undefined : `the store is not reachable: ${this.#lastError}`;
  }

  /** @throws {ApiError} `storage_failed`, `limit_reached` */
  async run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    const call = (by: 'evalsha' | 'eval', text: string): Promise<unknown> =>
      (this.#client as Redis)[by](text, keys.length, ...keys, ...args);
    return this.#send(() =>
      call('evalsha', script.sha).catch((error: unknown) => {
        if (isUnknownScript(error)) return call('eval', script.lua);
        throw error;
      }),
    );
  }

  /** As `run`, for a change that is to be acknowledged. */
  async change(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    const reply = await this.run(script, keys, args);
    await this.confirm();
    return reply;
  }

  /** @throws {ApiError} `storage_failed`, `limit_reached` */
  call(...[name, ...args]: ValkeyCommand): Promise<unknown> {
    return this.#send(() => (this.#client as Redis).call(name, ...args));
  }

  /** Several commands at once, not as one step. @throws {ApiError} the first error */
  all(commands: readonly ValkeyCommand[]): Promise<unknown[]> {
    return Promise.all(commands.map((command) => this.call(...command)));
  }

  /** Tells all servers of this deployment. What cannot be sent is lost. */
  async publish(channel: string, message = ''): Promise<void> {
    await this.call('PUBLISH', this.#scope + channel, message).catch(() => undefined);
  }

  /** Has messages of a channel delivered, as long as the connection holds. */
  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    const name = this.#scope + channel;
    this.#listeners.set(name, listener);
    await this.#listener.subscribe(name).catch(() => undefined);
  }

  async unsubscribe(channel: string): Promise<void> {
    const name = this.#scope + channel;
    this.#listeners.delete(name);
    await this.#listener.unsubscribe(name).catch(() => undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#client.disconnect();
    this.#listener.disconnect();
  }

  async #send(send: () => Promise<unknown>): Promise<unknown> {
    this.figures.calls += 1;
    try {
      if (!this.#isAdmitted) throw valkeyUnusable(this.#lastError);
      return await send();
    } catch (error) {
      this.figures.failures += 1;
      if ((error as Error).message === TIMED_OUT) void this.#beat();
      throw error instanceof Error && 'status' in error ? error : asApiError(error);
    }
  }

  /**
   * Waits for replicas of Valkey, if it is asked to: what they have survives the loss of its machine. Call it before a
   * change is acknowledged; it covers all that this process wrote before. @throws {ApiError} `storage_failed`
   */
  async confirm(): Promise<void> {
    if (this.#waitFor === 0) return;
    const confirmed = Number(await this.call('WAIT', this.#waitFor, COMMAND_MS / 2));
    if (confirmed < this.#waitFor) throw notConfirmed(new Error('too few replicas of Valkey confirmed the write'));
  }

  async #connected(): Promise<void> {
    const until = stopwatch() + START_MS;
    while (!this.#isAdmitted || this.#listener.status !== 'ready') {
      if (stopwatch() > until) throw new SettingsError(`the store cannot be reached: ${this.#lastError}`);
      if (this.#rejection !== undefined) throw new SettingsError(this.#rejection);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  /** Checks a new connection. One that cannot be used is closed after a while, and opened again. */
  async #isUsable(): Promise<boolean> {
    const { stream } = this.#client as Redis;
    this.#rejection = await this.#check().catch((error: Error) => error.message);
    if (this.#rejection === undefined) {
      this.#isAdmitted = true;
      return true;
    }
    this.#lastError = this.#rejection;
    setTimeout(() => stream?.destroy(), MAX_RETRY_MS).unref();
    return false;
  }

  /** @returns why the store that the connection leads to cannot be used; `undefined` if it can */
  async #check(): Promise<string | undefined> {
    const client = this.#client as Redis;
    const isCluster = this.#client instanceof Cluster;
    // Otherwise the client goes on with database 0.
    if (!isCluster) await client.select(this.#database);
    if (!isCluster && /^role:slave/m.test(await client.info('replication'))) {
      return 'the store is a replica, which takes no writes; name the address of the primary';
    }
    const own = this.#installation ?? `${LAYOUT} ${newSecret()}`;
    const isKnown = this.#installation === undefined ? 0 : 1;
    const found = String(await client.eval(ADMIT.lua, 1, INSTALLATION, own, isKnown));
    if (found === '') return `database ${this.#database} of the store holds other data; use an empty one`;
    const layout = found.split(' ', 1)[0];
    if (layout !== LAYOUT)
      return `the store has layout ${layout}, and this version needs ${LAYOUT}; use another database`;
    if (isKnown && found !== own) return 'the store holds the sandboxes of another installation; restart the servers';
    this.#installation = found;
    return undefined;
  }

  /** A connection whose other end is gone gives no error. It is closed when it does not reply, and opened again. */
  async #beat(): Promise<void> {
    if (this.#listener.status === 'ready') void closeIfSilent(this.#listener, (client) => client.ping());
    if (!this.#isAdmitted) return;
    const found = await closeIfSilent(this.#client, (client) => client.get(INSTALLATION));
    // All was removed, as by FLUSHALL. Servers that start must find the installation.
    if (found === null) await this.call('SET', INSTALLATION, this.#installation as string, 'NX').catch(() => undefined);
  }
}

/** @returns the reply; `undefined` without one */
async function closeIfSilent<T>(client: Redis | Cluster, ask: (client: Redis) => Promise<T>): Promise<T | undefined> {
  const { stream } = client as Redis;
  try {
    return await ask(client as Redis);
  } catch (error) {
    if ((error as Error).message === TIMED_OUT) stream?.destroy();
    return undefined;
  }
}

/** The message of the client for a command without a reply. */
const TIMED_OUT = 'Command timed out';

const databaseIn = ({ pathname }: URL): number => Number(pathname.slice(1) || 0);

function clientOf(address: string): Redis | Cluster {
  const url = new URL(address);
  const { hostname: host, searchParams } = url;
  const port = Number(url.port || 6379);
  const options: RedisOptions = {
    ...(url.username ? { username: decodeURIComponent(url.username) } : {}),
    ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
    db: databaseIn(url),
    commandTimeout: COMMAND_MS,
    connectTimeout: COMMAND_MS,
    // A command is never sent a second time: it may have been carried out.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    // Commands of one turn of the event loop share a system call.
    enableAutoPipelining: true,
    retryStrategy: (times) => Math.min(50 * times, MAX_RETRY_MS),
    reconnectOnError: isDemoted,
    ...(url.protocol === 'valkeys:' || url.protocol === 'rediss:' ? { tls: { servername: host } } : {}),
  };
  if (searchParams.get('cluster') !== 'true') return new Redis({ ...options, host, port });
  return new Cluster([{ host, port }], {
    redisOptions: options,
    enableOfflineQueue: false,
    clusterRetryStrategy: (times) => Math.min(50 * times, MAX_RETRY_MS),
  });
}
