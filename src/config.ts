/**
 * All settings: one table of what there is, and the rule which level wins. Flags beat the environment, which beats the
 * image's defaults, which beat the defaults. Within one level contradictions are refused.
 */
import { boolean, directory, integer, matching, oneOf, origin, secret, size, url } from './setting-values.ts';
import { didYouMean } from './wording.ts';

/** Everything that a server can be told. */
export interface Settings {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** The server's address as clients see it, when it is not what their `Host` says. */
  readonly publicUrl: string | undefined;
  /** The data directory; `undefined`: in memory only. */
  readonly data: string | undefined;
  /** A directory of fixtures beside the shipped ones. */
  readonly fixtures: string | undefined;
  /** The fixture of a sandbox that asks for none. */
  readonly fixture: string;
  /** Fixed keys, each with its own sandbox. */
  readonly keys: readonly string[];
  /** `undefined`: made at start. */
  readonly adminToken: string | undefined;
  readonly keyTtlSeconds: number;
  readonly keyIssuing: 'open' | 'admin';
  readonly allowOrigins: readonly string[];
  readonly allowHosts: readonly string[];
  readonly maxSandboxes: number;
  readonly maxPets: number;
  /** Bytes of memory that all added pets take, over all sandboxes; `undefined`: what the memory there is allows. */
  readonly maxBytes: number | undefined;
  /** Bytes of one request's body. */
  readonly maxBody: number;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  readonly logFormat: 'pretty' | 'json';
}

/** A setting that cannot be: the program ends with code 2. */
export class SettingsError extends Error {}

/** One setting: how it is called on each level, and how its text is read. */
export interface Setting {
  /** With its argument, as help shows it: `--port <port>`. Without one it is a switch. */
  readonly flag: string;
  readonly variable: string;
  readonly help: string;
  /** May be given several times as a flag; in the environment its values are separated by commas. */
  readonly many?: boolean;
  /** What help says of the default. */
  readonly default?: string;
  read(text: string): unknown;
}

type SettingName = Exclude<keyof Settings, 'data'> | 'data' | 'memory';

/** The table, in the order in which help shows it. */
export const SETTINGS: Readonly<Record<SettingName, Setting>> = {
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
  publicUrl: {
    flag: '--public-url <url>',
    variable: 'SANDBOX_PUBLIC_URL',
    help: 'address that clients see',
    default: "the request's Host",
    read: url,
  },
  data: {
    flag: '--data <dir>',
    variable: 'SANDBOX_DATA',
    help: 'keep everything in JSON files here',
    default: './data',
    read: directory,
  },
  memory: {
    flag: '--memory',
    variable: 'SANDBOX_MEMORY',
    help: 'keep everything in memory, nothing on disk',
    read: boolean,
  },
  fixtures: {
    flag: '--fixtures <dir>',
    variable: 'SANDBOX_FIXTURES',
    help: 'directory with fixtures of your own',
    default: 'the shipped ones only',
    read: directory,
  },
  fixture: {
    flag: '--fixture <name>',
    variable: 'SANDBOX_FIXTURE',
    help: 'what a new sandbox starts with',
    default: 'default',
    read: matching(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'a name like [a-z0-9][a-z0-9_-]{0,63}'),
  },
  keys: {
    flag: '--key <key>',
    variable: 'SANDBOX_API_KEYS',
    help: 'fixed key with a sandbox of its own; may be repeated',
    many: true,
    default: 'none',
    read: secret,
  },
  adminToken: {
    flag: '--admin-token <token>',
    variable: 'SANDBOX_ADMIN_TOKEN',
    help: 'token for the operator',
    default: 'made at start',
    read: secret,
  },
  keyTtlSeconds: {
    flag: '--key-ttl <seconds>',
    variable: 'SANDBOX_KEY_TTL',
    help: 'how long a new key opens its sandbox',
    default: '86400',
    read: integer(1, 31_536_000),
  },
  keyIssuing: {
    flag: '--key-issuing <who>',
    variable: 'SANDBOX_KEY_ISSUING',
    help: 'who may make keys: open or admin',
    default: 'open',
    read: oneOf('open', 'admin'),
  },
  allowOrigins: {
    flag: '--allow-origin <origin>',
    variable: 'SANDBOX_ALLOW_ORIGIN',
    help: 'site whose pages may use the controls; may be repeated',
    many: true,
    default: 'none',
    read: origin,
  },
  allowHosts: {
    flag: '--allow-host <host>',
    variable: 'SANDBOX_ALLOW_HOST',
    help: "further name of this server's; may be repeated",
    many: true,
    default: 'none',
    read: matching(/^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/, 'a host name'),
  },
  maxSandboxes: {
    flag: '--max-sandboxes <n>',
    variable: 'SANDBOX_MAX_SANDBOXES',
    help: 'sandboxes at a time',
    default: '10000',
    read: integer(1, 1_000_000),
  },
  maxPets: {
    flag: '--max-pets <n>',
    variable: 'SANDBOX_MAX_PETS',
    help: 'pets in one sandbox',
    default: '1000000',
    read: integer(1, 100_000_000),
  },
  maxBytes: {
    flag: '--max-bytes <size>',
    variable: 'SANDBOX_MAX_BYTES',
    help: 'memory for all pets that were added, in bytes, KiB, MiB or GiB',
    default: '512MiB, or what fits into the memory there is',
    read: size(1024, 2 ** 40),
  },
  maxBody: {
    flag: '--max-body <size>',
    variable: 'SANDBOX_MAX_BODY',
    help: "one request's body",
    default: '1MiB',
    read: size(64, 64 * 2 ** 20),
  },
  logLevel: {
    flag: '--log-level <level>',
    variable: 'SANDBOX_LOG_LEVEL',
    help: 'fatal, error, warn, info, debug or silent',
    default: 'info',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  },
  logFormat: {
    flag: '--log-format <format>',
    variable: 'SANDBOX_LOG_FORMAT',
    help: 'pretty or json',
    default: 'pretty',
    read: oneOf('pretty', 'json'),
  },
};

const DEFAULTS: Settings = {
  port: 4020,
  host: '127.0.0.1',
  publicUrl: undefined,
  data: './data',
  fixtures: undefined,
  fixture: 'default',
  keys: [],
  adminToken: undefined,
  keyTtlSeconds: 86_400,
  keyIssuing: 'open',
  allowOrigins: [],
  allowHosts: [],
  maxSandboxes: 10_000,
  maxPets: 1_000_000,
  maxBytes: undefined,
  maxBody: 2 ** 20,
  logLevel: 'info',
  logFormat: 'pretty',
};

/** What the image says where nobody else does: everyone may reach it, its data is a volume, programs read its log. */
const IMAGE_DEFAULTS: Level = { host: '0.0.0.0', data: '/data', logFormat: 'json' };

/** The values of one level, by the names of `SETTINGS`; still to be checked against each other. */
export type Level = Partial<Record<SettingName, unknown>>;

/** Variables that other parts read, or that are no setting. */
const OTHER_VARIABLES = ['SANDBOX_IMAGE', 'SANDBOX_URL', 'SANDBOX_KEY'];

/**
 * Reads one level from texts, naming what is wrong by how it was called there.
 *
 * @param values texts by setting name; `true` for a switch
 * @param called how a setting is called on this level
 * @throws {SettingsError}
 */
export function readLevel(values: Partial<Record<string, unknown>>, called: (setting: Setting) => string): Level {
  const level: Level = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const value = values[name];
    if (value === undefined) continue;
    const setting = SETTINGS[name];
    try {
      level[name] = readValue(setting, value);
    } catch (cause) {
      throw new SettingsError(`${called(setting)} must be ${(cause as Error).message}`, { cause });
    }
  }
  if (level.memory === true && level.data !== undefined) {
    throw new SettingsError(
      `${called(SETTINGS.data)} and ${called(SETTINGS.memory)} contradict each other; give one of them`,
    );
  }
  return level;
}

/** From JavaScript anything may come. */
function readValue(setting: Setting, value: unknown): unknown {
  const read = (each: unknown): unknown => {
    if (typeof each === 'object' || typeof each === 'function') throw new Error('a single value');
    return setting.read(String(each));
  };
  if (!setting.many) return read(value);
  if (!Array.isArray(value)) throw new Error('a list');
  return value.map(read);
}

/** The environment's level, and what to warn of. Empty variables count as unset. @throws {SettingsError} */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): {
  level: Level;
  warnings: string[];
  image: boolean;
} {
  const given = Object.entries(environment).filter(
    ([name, text]) => name.startsWith('SANDBOX_') && text !== '' && !isServiceLink(name, text),
  );
  const byVariable = new Map(Object.entries(SETTINGS).map(([name, setting]) => [setting.variable, { name, setting }]));
  const values: Record<string, unknown> = {};
  const warnings: string[] = [];
  for (const [variable, text = ''] of given) {
    const known = byVariable.get(variable);
    if (known)
      values[known.name] = known.setting.many
        ? text
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean)
        : text;
    else if (!OTHER_VARIABLES.includes(variable)) warnings.push(unknownVariable(variable, [...byVariable.keys()]));
  }
  return {
    level: readLevel(values, (setting) => setting.variable),
    warnings,
    image: environment['SANDBOX_IMAGE'] === '1',
  };
}

/** The settings that levels amount to, the strongest first. */
export function settle(levels: readonly Level[], { image = false } = {}): Settings {
  const all = [...levels, ...(image ? [IMAGE_DEFAULTS] : [])];
  const settled: Record<string, unknown> = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof Settings)[]) {
    if (name === 'data') continue;
    const level = all.find((each) => each[name] !== undefined);
    if (level) settled[name] = level[name];
  }
  // Data and memory are one question: the strongest level that says anything about it decides.
  const level = all.find((each) => each.data !== undefined || each.memory === true);
  if (level) settled['data'] = level.memory === true ? undefined : level.data;
  return refuseSharedSecret(settled as unknown as Settings);
}

/** The controls would take such a key for the admin's token, and the interface would open its sandbox with it. */
function refuseSharedSecret(settings: Settings): Settings {
  const { keys, adminToken } = settings;
  if (adminToken === undefined || !keys.includes(adminToken)) return settings;
  throw new SettingsError('a fixed key and the admin token are the same; choose another for one of them');
}

/** What Kubernetes sets for a service named "sandbox" is no setting. */
const isServiceLink = (name: string, text: string | undefined): boolean =>
  /^SANDBOX_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_)/.test(name) ||
  (name === 'SANDBOX_PORT' && /^(?:tcp|udp|sctp):\/\//.test(text ?? ''));

function unknownVariable(variable: string, known: readonly string[]): string {
  const meant = didYouMean(variable, known);
  const hint = meant === undefined ? 'serve --help lists the settings' : `did you mean ${meant}?`;
  return `${variable} is no setting and has no effect; ${hint}`;
}
