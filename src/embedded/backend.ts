/** Sandboxes that this process alone keeps: in memory, or in a directory of JSON files. */
import { collectorOf } from '../garbage.ts';
import type { Log } from '../log.ts';
import type { MemoryPlan } from '../memory-plan.ts';
import { ALWAYS_OPEN, type Backend, NotesInMemory } from '../sandbox/backend.ts';
import type { Fixtures } from '../sandbox/fixtures.ts';
import type { Settings } from '../settings.ts';
import { EmbeddedStore } from '../store/embedded-store.ts';
import { openJsonFileStore } from '../store/json-files.ts';
import type { Store } from '../store/store.ts';
import type { Notice } from '../store/tidy.ts';
import { EmbeddedHistories } from './histories.ts';

export interface EmbeddedOptions {
  readonly settings: Pick<Settings, 'data' | 'maxPets' | 'maxBytes'>;
  readonly memory: MemoryPlan;
  readonly fixtures: Fixtures;
  readonly log: Log;
}

/** @throws {DataFileError} {LockedError} naming the file */
export async function openEmbedded(options: EmbeddedOptions): Promise<Backend> {
  const store = await openStore(options);
  return {
    store,
    door: ALWAYS_OPEN,
    places: undefined,
    notes: new NotesInMemory(),
    trails: undefined,
    unclaimed: undefined,
    engine: undefined,
    historiesOf: (parts) => new EmbeddedHistories(parts),
    close: () => store.close(),
  };
}

async function openStore({ settings, memory, fixtures, log }: EmbeddedOptions): Promise<Store> {
  const { data, maxPets, maxBytes = memory.pets } = settings;
  const limits = { maxPets, maxBytes, maxHeadBytes: memory.heads };
  const options = { fixtures, limits, maxListed: memory.lists, onGivenUp: collectorOf(memory) };
  if (data === undefined) return new EmbeddedStore(options);
  const onLeftOver = (err: unknown) => log.warn({ err }, 'a file that is no longer needed could not be deleted');
  const onNotice = ({ details, message }: Notice) => log.warn(details, message);
  const onWarning = (message: string) => log.warn({}, message);
  return openJsonFileStore({ ...options, directory: data, onLeftOver, onNotice, onWarning });
}
