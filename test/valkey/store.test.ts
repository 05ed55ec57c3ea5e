/** The store on an engine keeps the same promises as those of one process; its engine bounds the memory of all. */
import { afterAll } from 'vitest';
import { openShared } from '../../src/backend/valkey/backend.ts';
import { realClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log.ts';
import { planForProcess } from '../../src/core/memory.ts';
import { conformance } from '../store/conformance.ts';
import { shelf } from '../store/support.ts';
import { startEngine } from '../support/engine.ts';

const engine = await startEngine();
afterAll(() => engine.close());

conformance({ kind: 'valkey', depth: 300, isAlone: false }, async ({ maxPets }) => {
  const backend = await openShared({
    settings: { store: engine.address(), storeWait: 0, maxPets, maxSandboxes: 10_000 },
    memory: planForProcess(1024 * 1024),
    fixtures: await shelf(),
    clock: realClock,
    log: silentLog,
  });
  return backend.store;
});
