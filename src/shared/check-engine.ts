/** Checks at the start whether an engine can keep sandboxes, and says what is missing. */
import type { Log } from '../log.ts';
import { SettingsError } from '../settings.ts';
import type { Engine } from './engine.ts';

/** The oldest versions with the commands that are used, and with the behavior that the tests saw. */
const OLDEST = { redis: 7, valkey: 7 };

/** @throws {SettingsError} for an engine that is too old, or that removes sandboxes by itself */
export async function checkEngine(engine: Engine, log: Log): Promise<void> {
  const about = readInfo(String(await engine.call('INFO')));
  const name = about.get('valkey_version') === undefined ? 'redis' : 'valkey';
  const version = about.get(`${name}_version`) ?? '0';
  if (Number(version.split('.')[0]) < OLDEST[name]) {
    throw new SettingsError(`the store is ${name} ${version}; it must be ${name} ${OLDEST[name]} or later`);
  }
  const policy = about.get('maxmemory_policy') ?? 'noeviction';
  if (policy.startsWith('allkeys')) {
    throw new SettingsError(
      `the store has maxmemory-policy ${policy}, which removes sandboxes when it is full; set it to volatile-lru or noeviction`,
    );
  }
  if (about.get('maxmemory') === '0') {
    log.warn({}, 'the store has no maxmemory; without it the machine may end the store when memory is short');
  }
  if (about.get('aof_enabled') === '0' && about.get('rdb_last_save_time') === undefined) {
    log.warn({}, 'the store keeps nothing on disk; a restart of it loses all sandboxes');
  } else if (about.get('aof_enabled') === '0') {
    log.warn({}, 'the store has no append-only file; a crash of it loses the changes since its last snapshot');
  }
  log.info({ store: name, version }, 'the store is connected');
}

/** The lines `name:value` of `INFO`. */
const readInfo = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\r\n').flatMap((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );
