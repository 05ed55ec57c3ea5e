import { expect, it } from 'vitest';
import { LiveFaults } from '../../src/sandbox/live-faults.ts';
import type { FaultRecord } from '../../src/store/record.ts';

const REQUEST = { operation: 'getPet', query: [] };
const now = () => 0;
const RULE: FaultRecord = { id: 'flt_1', status: 503, triggered: 0, drawn: 0 };

it('counts of rules that are being replaced never reach the new ones, which may have the same ids', async () => {
  let kept: readonly FaultRecord[] = [RULE];
  const faults = new LiveFaults({
    rules: kept,
    write: async (change) => {
      kept = change(kept);
    },
    now,
  });
  faults.next(REQUEST);
  await faults.flush();
  expect(kept).toMatchObject([{ triggered: 1 }]);

  let arrive: (() => void) | undefined;
  const replaced = faults.replaceBy(async () => {
    // Written at once, answered later, as a disk does it.
    kept = [RULE];
    await new Promise<void>((resolve) => {
      arrive = resolve;
    });
    return kept;
  });
  faults.next(REQUEST);
  await faults.flush();
  expect(kept).toMatchObject([{ triggered: 0 }]);
  arrive?.();
  await replaced;
  await faults.flush();
  expect(kept).toMatchObject([{ triggered: 0 }]);
  expect(faults.rules).toMatchObject([{ triggered: 0 }]);

  faults.next(REQUEST);
  await faults.flush();
  expect(kept).toMatchObject([{ triggered: 1 }]);
});

it('a disk that refuses writes loses no count: the next flush after the next count writes both', async () => {
  let kept: readonly FaultRecord[] = [RULE];
  let rejects = true;
  const faults = new LiveFaults({
    rules: kept,
    write: async (change) => {
      if (rejects) throw new Error('no space left');
      kept = change(kept);
    },
    now,
  });
  faults.next(REQUEST);
  await faults.flush();
  expect(kept).toMatchObject([{ triggered: 0 }]);
  rejects = false;
  faults.next(REQUEST);
  await faults.flush();
  expect(kept).toMatchObject([{ triggered: 2 }]);
});
