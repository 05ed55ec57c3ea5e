/** The sandbox as a library: a server in the process of your own tests. */
import { readLevel, SETTINGS, type Setting, type Settings, SettingsError, settle } from './config.ts';
import { ApiError } from './errors.ts';
import { type Log, silentLog } from './log.ts';
import { hashOf } from './sandbox/keys.ts';
import { startServer } from './server.ts';

/** Every setting of the program, by its name here. Left out: memory, any free port, and no word in any log. */
export type SandboxOptions = Partial<Settings> & { readonly log?: Log };

/** A key, and the sandbox that it opens. */
export interface SandboxKey {
  readonly key: string;
  readonly sandbox: string;
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
  /** Puts the sandbox of a key, by default the ready one, back to its fixture or another. */
  reset(to?: { key?: string; fixture?: string }): Promise<void>;
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
  const { sandboxes, adminToken } = server;
  const key = server.readyKey as string;
  return {
    url: `${server.url}/v1`,
    key,
    adminToken,
    issueKey: async (ask = {}) => {
      const { secret, sandbox } = await sandboxes.create(ask);
      return { key: secret, sandbox: sandbox.id };
    },
    reset: async ({ key: of = key, fixture } = {}) => {
      const opened = sandboxes.open(hashOf(of));
      if (!opened) throw new ApiError('not_found', 'this key opens no sandbox');
      await sandboxes.reset(opened.sandbox, { fixture: fixture ?? server.store.fixtureOf(opened.sandbox.id) });
    },
    close: () => server.close(),
  };
}

/** Options go through the same checks as flags, which read texts. */
function asTexts(options: Partial<Settings>): Record<string, unknown> {
  const unknown = Object.keys(options).filter((name) => !(name in SETTINGS));
  if (unknown.length > 0)
    throw new SettingsError(`no such option: ${unknown.join(', ')}; there are ${Object.keys(SETTINGS).join(', ')}`);
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );
}

function nameOf(setting: Setting): string {
  return Object.entries(SETTINGS).find(([, each]) => each === setting)?.[0] ?? setting.flag;
}
