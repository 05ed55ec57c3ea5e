/**
 * Resolves the levels of settings: flags override the environment, which overrides the image's defaults, which override
 * the defaults in the table. Contradictions within one level are rejected.
 */

import { didYouMean } from '../text.ts';
import { SETTINGS, type Setting, type SettingName, type Settings, SettingsError } from './settings.ts';

/** Defaults of the image: it is reached from outside, its data is a volume, and programs read its log. */
const IMAGE_DEFAULTS: Level = { host: '0.0.0.0', data: '/data', logFormat: 'json' };

/** The values of one level, by name in `SETTINGS`; not yet checked against each other. */
export type Level = Partial<Record<SettingName, unknown>>;

/** Variables that other parts read, or that are not settings. */
const OTHER_VARIABLES = [
  'SANDBOX_IMAGE',
  'SANDBOX_URL',
  'SANDBOX_KEY',
  'SANDBOX_REVOKED_KEY',
  'SANDBOX_REPORTS',
  'SANDBOX_CACERT',
];

/**
 * Parses one level from texts. Errors use the name of the setting on this level.
 * @param values texts by setting name; `true` for a switch
 * @param called returns the name of a setting on this level
 * @throws {SettingsError}
 */
export function readLevel(values: Partial<Record<string, unknown>>, called: (setting: Setting) => string): Level {
  const level: Level = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const value = values[name];
    if (value === undefined) continue;
    const setting: Setting = SETTINGS[name];
    try {
      level[name] = readSettingValue(setting, value);
    } catch (cause) {
      throw new SettingsError(`${called(setting)} ${(cause as Error).message}`, { cause });
    }
  }
  if (level.data !== undefined && level.memory === true) {
    const names = [called(SETTINGS.data), called(SETTINGS.memory)].join(' and ');
    throw new SettingsError(`${names} contradict each other; give one of them`);
  }
  rejectHalfOfTls(level, called);
  return level;
}

/** A certificate and its key come together, and a server has one certificate. @throws {SettingsError} */
function rejectHalfOfTls({ tls, tlsCert, tlsKey }: Level, called: (setting: Setting) => string): void {
  const [how, cert, key] = [called(SETTINGS.tls), called(SETTINGS.tlsCert), called(SETTINGS.tlsKey)];
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new SettingsError(`${cert} and ${key} belong together; give both`);
  if (tls !== undefined && tlsCert !== undefined)
    throw new SettingsError(`${how} and ${cert} contradict each other; give one of them`);
}

/** JavaScript callers may pass any value. */
function readSettingValue(setting: Setting, value: unknown): unknown {
  const read = (each: unknown): unknown => {
    if (typeof each === 'object' || typeof each === 'function') throw new Error('is a single value');
    return setting.read(String(each));
  };
  if (!setting.many) return read(value);
  if (!Array.isArray(value)) throw new Error('is a list');
  return value.map(read);
}

/** The environment's level, and warnings about it. Empty variables count as unset. @throws {SettingsError} */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): {
  level: Level;
  warnings: string[];
  image: boolean;
} {
  const given = Object.entries(environment).filter(
    ([name, text]) => name.startsWith('SANDBOX_') && text !== '' && !isServiceLink(name, text),
  );
  const byVariable = new Map(
    Object.entries<Setting>(SETTINGS).map(([name, setting]) => [setting.variable, { name, setting }]),
  );
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

/** Resolves the levels, highest precedence first. */
export function resolveSettings(levels: readonly Level[], { image = false } = {}): Settings {
  const all = [...levels, ...(image ? [IMAGE_DEFAULTS] : [])];
  const settings: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, Setting][]) {
    if (name === 'memory') continue;
    const level = all.find((each) => each[name] !== undefined);
    settings[name] = level ? level[name] : defaultOf(setting);
  }
  // `data` and `memory` are one choice: the first level that sets one of them decides.
  const level = all.find((each) => each.data !== undefined || each.memory === true);
  if (level) settings['data'] = level.memory === true ? undefined : level.data;
  // `tls`, `tlsCert` and `tlsKey` are one choice as well.
  const { tls, tlsCert, tlsKey } = all.find((each) => each.tls !== undefined || each.tlsCert !== undefined) ?? {};
  Object.assign(settings, { tls: tls ?? 'off', tlsCert, tlsKey });
  return rejectSharedSecret(settings as unknown as Settings);
}

const defaultOf = (setting: Setting): unknown =>
  setting.default === undefined ? (setting.many ? [] : undefined) : setting.read(setting.default);

/**
 * Such a key would have the admin's rights on the control API, and the admin token would open a sandbox of the API.
 */
function rejectSharedSecret(settings: Settings): Settings {
  const { keys, adminToken } = settings;
  if (adminToken === undefined || !keys.includes(adminToken)) return settings;
  throw new SettingsError('a preconfigured key and the admin token are the same; choose another for one of them');
}

/** Kubernetes sets such variables for a service named "sandbox"; they are not settings. */
const isServiceLink = (name: string, text: string | undefined): boolean =>
  /^SANDBOX_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_)/.test(name) ||
  (name === 'SANDBOX_PORT' && /^(?:tcp|udp|sctp):\/\//.test(text ?? ''));

function unknownVariable(variable: string, known: readonly string[]): string {
  const suggestion = didYouMean(variable, known);
  const hint = suggestion === undefined ? 'serve --help lists the settings' : `did you mean ${suggestion}?`;
  return `${variable} is not a setting and has no effect; ${hint}`;
}
