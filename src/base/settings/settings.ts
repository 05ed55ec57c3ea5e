/** The table of all settings: their names on each level, help, defaults, and readers. */
import { SERVER_NAME } from '../ids.ts';
import { MAX_CONTROL_BODY } from '../limits.ts';
import {
  boolean,
  choice,
  headerName,
  integer,
  matching,
  origin,
  path,
  type Setting,
  secret,
  size,
  url,
} from './setting-values.ts';

export type { Setting } from './setting-values.ts';

/** An invalid setting. The program exits with code 2. */
export class SettingsError extends Error {}

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
