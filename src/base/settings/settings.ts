/** The table of all settings: their names on each level, help, defaults, and how their texts are read. */
import { SERVER_NAME } from '../ids.ts';
import { MAX_CONTROL_BODY } from '../limits.ts';
import { isAndGiven, suggestionFor } from '../text.ts';

/** An invalid setting. The program exits with code 2. */
export class SettingsError extends Error {}

/** One setting: its name on each level, and how its text is read. */
export interface Setting {
  /** With its argument, as in the help: `--port <port>`. Without an argument it is a switch. */
  readonly flag: string;
  readonly variable: string;
  readonly help: string;
  /** May be repeated as a flag; in the environment its values are separated by commas. */
  readonly many?: boolean;
  /** The default value, as text. */
  readonly default?: string;
  /** What the help shows if there is no default value. */
  readonly whenUnset?: string;
  /** All values, where there are a few. */
  readonly choices?: readonly string[];
  read(text: string): unknown;
}

// Each reader returns the value, or throws an error that states the valid form.

/** An integer in plain digits. */
function integer(from: number, to: number) {
  return (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw new Error(isAndGiven(`an integer from ${from} to ${to}`, text, 20));
  };
}

/** A size in bytes: `1048576`, `1MiB`. */
function size(from: number, to: number) {
  return (text: string): number => {
    const parts = /^(\d{1,15})(KiB|MiB|GiB)?$/.exec(text);
    const value =
      Number(parts?.[1] ?? Number.NaN) * ({ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }[parts?.[2] ?? ''] ?? 1);
    if (value >= from && value <= to) return value;
    throw new Error(isAndGiven(`a size from ${from} to ${to} bytes, like 1048576 or 1MiB`, text, 20));
  };
}

/** Text that matches a pattern; `what` names the form. */
function matching(pattern: RegExp, what: string) {
  return (text: string): string => {
    if (pattern.test(text)) return text;
    throw new Error(isAndGiven(what, text));
  };
}

/** `true`, `1`, `yes` and their opposites. */
function boolean(text: string): boolean {
  if (/^(?:1|true|yes)$/i.test(text)) return true;
  if (/^(?:0|false|no)$/i.test(text)) return false;
  throw new Error(isAndGiven('true or false', text, 20));
}

/** A path. A flag with its value missing takes the next flag instead: `--data --memory`. */
const path = (what: string) => matching(/^(?!--).*\S/s, what);

/** An http or https URL; a trailing slash is removed. */
function url(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.search + parsed.hash + parsed.username === '')
    return text.replace(/\/+$/, '');
  throw new Error(isAndGiven('an http or https address without user name, password or query', text));
}

/** An origin, as browsers send it. */
function origin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new Error(isAndGiven('an origin like http://localhost:3000', text));
}

/** A header that carries a credential would put it into the request log. */
const OF_CREDENTIALS = /auth|cookie|key|token|secret|passw|credential|session|signature|jwt/i;

/** Headers of a connection or of the form of a message, which say nothing of a client. */
const OF_TRANSMISSION =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*|proxy-.*)$/i;

/** The name of a header that the request log may keep. */
export function headerName(text: string): string {
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i.test(text))
    throw new Error(isAndGiven('the name of a header like X-Tenant-Id', text));
  if (text.toLowerCase() !== 'idempotency-key' && OF_CREDENTIALS.test(text))
    throw new Error(isAndGiven('a header that carries no credential', text));
  if (OF_TRANSMISSION.test(text)) throw new Error(isAndGiven('a header of the client, not of the connection', text));
  return text;
}

/** The value is a secret, so the message must not repeat it. */
export function secret(text: string): string {
  if (/^[A-Za-z0-9\-._~+/]{16,256}={0,2}$/.test(text)) return text;
  throw new Error('is 16 to 256 characters of A-Z a-z 0-9 - . _ ~ + /');
}

/** The members of a setting with a few values. */
const choice = <const Value extends string>(...choices: readonly Value[]) => ({
  choices,
  read: (text: string): Value => {
    const value = choices.find((choice) => choice === text);
    if (value !== undefined) return value;
    throw new Error(`${isAndGiven(`one of ${choices.join(', ')}`, text, 20)}${suggestionFor(text, choices)}`);
  },
});

/** The table, in the order in which help shows it. */
export const SETTINGS = {
  port: {
    flag: '--port <port>',
    variable: 'SANDBOX_PORT',
    help: 'port to listen on; 0 takes any free one',
    default: '4020',
    read: integer(0, 65_535),
  },
  host: {
    flag: '--host <address>',
    variable: 'SANDBOX_HOST',
    help: 'address to listen on',
    default: '127.0.0.1',
    read: matching(/^[A-Za-z0-9.:_-]{1,253}$/, 'an address or a host name'),
  },
  name: {
    flag: '--name <name>',
    variable: 'SANDBOX_NAME',
    help: 'name of this server, one of several behind a balancer; its ids and keys carry it',
    whenUnset: 'none',
    read: matching(SERVER_NAME, '1 to 8 of a-z and 0-9, such as a'),
  },
  tls: {
    flag: '--tls <how>',
    variable: 'SANDBOX_TLS',
    help: 'HTTPS: off, or self-signed (creates a certificate)',
    default: 'off',
    ...choice('off', 'self-signed'),
  },
  tlsCert: {
    flag: '--tls-cert <file>',
    variable: 'SANDBOX_TLS_CERT',
    help: 'certificate for HTTPS, in PEM, followed by intermediate certificates',
    whenUnset: 'none',
    read: path('a file'),
  },
  tlsKey: {
    flag: '--tls-key <file>',
    variable: 'SANDBOX_TLS_KEY',
    help: 'private key of that certificate, in PEM',
    whenUnset: 'none',
    read: path('a file'),
  },
  publicUrl: {
    flag: '--public-url <url>',
    variable: 'SANDBOX_PUBLIC_URL',
    help: "the server's address as clients see it",
    whenUnset: "the request's Host",
    read: url,
  },
  data: {
    flag: '--data <dir>',
    variable: 'SANDBOX_DATA',
    help: 'directory for all data, as JSON files',
    default: './data',
    read: path('a directory'),
  },
  memory: {
    flag: '--memory',
    variable: 'SANDBOX_MEMORY',
    help: 'keep all data in memory, nothing on disk',
    read: boolean,
  },
  fixtures: {
    flag: '--fixtures <dir>',
    variable: 'SANDBOX_FIXTURES',
    help: 'directory with fixtures of your own',
    whenUnset: 'none',
    read: path('a directory'),
  },
  fixture: {
    flag: '--fixture <name>',
    variable: 'SANDBOX_FIXTURE',
    help: 'fixture of a new sandbox',
    default: 'default',
    read: matching(
      /^[a-z0-9][a-z0-9_-]{0,63}$/,
      'a name of 1 to 64 of a-z, 0-9, _ and -, beginning with a letter or a digit',
    ),
  },
  keys: {
    flag: '--api-key <key>',
    variable: 'SANDBOX_API_KEYS',
    help: 'preconfigured key with its own sandbox; may be repeated',
    many: true,
    whenUnset: 'none',
    read: secret,
  },
  adminToken: {
    flag: '--admin-token <token>',
    variable: 'SANDBOX_ADMIN_TOKEN',
    help: "the operator's token",
    whenUnset: 'generated at start',
    read: secret,
  },
  keyTtlSeconds: {
    flag: '--key-ttl <seconds>',
    variable: 'SANDBOX_KEY_TTL',
    help: 'lifetime of a new key',
    default: '86400',
    read: integer(1, 31_536_000),
  },
  keyIssuing: {
    flag: '--key-issuing <who>',
    variable: 'SANDBOX_KEY_ISSUING',
    help: 'who may create keys: open (anyone) or admin',
    default: 'open',
    ...choice('open', 'admin'),
  },
  logHeaders: {
    flag: '--log-header <name>',
    variable: 'SANDBOX_LOG_HEADER',
    help: 'another request header for the request log to keep; may be repeated',
    many: true,
    whenUnset: 'none',
    read: headerName,
  },
  allowOrigins: {
    flag: '--allow-origin <origin>',
    variable: 'SANDBOX_ALLOW_ORIGIN',
    help: 'origin whose pages may use the control API; may be repeated',
    many: true,
    whenUnset: 'none',
    read: origin,
  },
  allowHosts: {
    flag: '--allow-host <host>',
    variable: 'SANDBOX_ALLOW_HOST',
    help: 'another host name of this server; may be repeated',
    many: true,
    whenUnset: 'none',
    read: matching(/^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/, 'a host name'),
  },
  maxSandboxes: {
    flag: '--max-sandboxes <n>',
    variable: 'SANDBOX_MAX_SANDBOXES',
    help: 'maximum number of sandboxes',
    default: '10000',
    read: integer(1, 1_000_000),
  },
  maxPets: {
    flag: '--max-pets <n>',
    variable: 'SANDBOX_MAX_PETS',
    help: 'maximum number of pets in a sandbox',
    default: '1000000',
    read: integer(1, 100_000_000),
  },
  maxBytes: {
    flag: '--max-bytes <size>',
    variable: 'SANDBOX_MAX_BYTES',
    help: 'memory for all added pets, in bytes, KiB, MiB or GiB',
    whenUnset: '512MiB, less if memory is short',
    read: size(1024, 2 ** 40),
  },
  maxBody: {
    flag: '--max-body <size>',
    variable: 'SANDBOX_MAX_BODY',
    help: 'maximum size of a request body of the petstore API, up to 1MiB',
    default: '100KiB',
    read: size(64, MAX_CONTROL_BODY),
  },
  logLevel: {
    flag: '--log-level <level>',
    variable: 'SANDBOX_LOG_LEVEL',
    help: 'fatal, error, warn, info, debug or silent',
    default: 'info',
    ...choice('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  },
  logFormat: {
    flag: '--log-format <format>',
    variable: 'SANDBOX_LOG_FORMAT',
    help: 'pretty or json',
    default: 'pretty',
    ...choice('pretty', 'json'),
  },
  quiet: {
    flag: '--quiet',
    variable: 'SANDBOX_QUIET',
    help: 'print no line per request on a terminal',
    read: boolean,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

/** The value that a row leads to: what its reader returns, and `undefined` where it has no default. */
type SettingValue<Row extends Setting> = Row extends { readonly many: true }
  ? readonly ReturnType<Row['read']>[]
  : ReturnType<Row['read']> | (Row extends { readonly default: string } ? never : undefined);

/** All settings of a server. `memory` follows from `data`. */
export type Settings = {
  readonly [Name in SettingName as Exclude<Name, 'memory' | 'data'>]: SettingValue<(typeof SETTINGS)[Name]>;
} & {
  /** The data directory; `undefined`: in memory only. */
  readonly data: string | undefined;
};

/** The default of a setting as the help shows it. */
export const defaultInHelp = (setting: Setting): string | undefined => setting.default ?? setting.whenUnset;
