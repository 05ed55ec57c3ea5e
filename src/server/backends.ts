/** Chooses where sandboxes are kept. What a shared store needs is loaded only where there is one. */
import type { Clock } from '../core/clock.ts';
import type { Backend } from '../sandbox/backend.ts';
import { type EmbeddedOptions, openEmbedded } from '../store/embedded-backend.ts';
import type { Settings } from './settings.ts';

export interface BackendOptions extends EmbeddedOptions {
  readonly settings: Settings;
  readonly clock: Clock;
}

/** @throws {SettingsError} {DataFileError} {LockedError} naming what cannot be used */
export async function openBackend(options: BackendOptions): Promise<Backend> {
  const { settings } = options;
  if (settings.store === undefined) return openEmbedded(options);
  const { openShared } = await import('../store/valkey/backend.ts');
  return openShared({ ...options, settings: { ...settings, store: settings.store } });
}
