/** Sandboxes that several servers share, in Valkey or Redis. */
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { MemoryPlan } from '../memory-plan.ts';
import type { Backend, HistoryParts, OpenSandboxes } from '../sandbox/backend.ts';
import type { Fixtures } from '../sandbox/fixtures.ts';
import type { Settings } from '../settings.ts';
import { checkEngine } from './check-engine.ts';
import { SharedDoor } from './door.ts';
import { Engine } from './engine.ts';
import { Families } from './families.ts';
import { SharedFixtures } from './fixtures.ts';
import { SharedHistories } from './histories.ts';
import { KeyIndex } from './key-index.ts';
import { SharedNotes } from './notes.ts';
import { SharedPlaces } from './places.ts';
import { SharedStore } from './store.ts';
import { SharedTrails } from './trails.ts';
import { SharedUnclaimed } from './unclaimed.ts';

export interface SharedOptions {
  readonly settings: Pick<Settings, 'maxPets' | 'maxSandboxes' | 'storeWait'> & { readonly store: string };
  readonly memory: MemoryPlan;
  readonly fixtures: Fixtures;
  readonly clock: Clock;
  readonly log: Log;
}

/** @throws {SettingsError} if the engine cannot be reached or used */
export async function openShared({ settings, memory, fixtures, clock, log }: SharedOptions): Promise<Backend> {
  const engine = await Engine.connect({ address: settings.store, waitFor: settings.storeWait, log });
  try {
    await checkEngine(engine, log);
  } catch (error) {
    await engine.close();
    throw error;
  }
  let open: (() => OpenSandboxes) | undefined;
  let histories: SharedHistories | undefined;
  const sandboxes = (): OpenSandboxes => (open as () => OpenSandboxes)();
  const families = new Families({
    engine,
    maxBytes: memory.pets,
    isHeld: (family) => histories?.isHeard(family) ?? false,
    follow: (id, present) => {
      if (!open) return;
      if (present) sandboxes().take(present.record, present.start);
      else {
        sandboxes().drop(id);
        histories?.drop(id);
      }
    },
  });
  const keys = new KeyIndex(engine);
  const unclaimed = new SharedUnclaimed(engine);
  const places = new SharedPlaces({ engine, families, clock, log, sandboxes, maxSandboxes: settings.maxSandboxes });
  const close = async (): Promise<void> => {
    places.close();
    await histories?.close();
    await unclaimed.close();
    await engine.close();
  };
  const limits = { maxPets: settings.maxPets, maxBytes: Number.POSITIVE_INFINITY };
  return {
    store: new SharedStore({
      engine,
      families,
      keys,
      fixtures: new SharedFixtures(fixtures, engine),
      limits,
      maxListed: memory.lists,
      close,
    }),
    door: new SharedDoor({ engine, families, keys, onNumbers: (...numbers) => histories?.take(...numbers) }),
    places,
    notes: new SharedNotes(families),
    trails: new SharedTrails(families),
    unclaimed,
    engine: engine.figures,
    historiesOf: (parts: HistoryParts) => {
      open = parts.sandboxes;
      const enter = (id: string, numbers: number) => families.of(id).enter(id, numbers);
      histories = new SharedHistories({ engine, log, enter }, parts);
      return histories;
    },
    close,
  };
}
