/** Fault rules: list, add, delete one or all. */
import type { FaultRecord, NewFault } from '../store/record.ts';
import { type Controls, done, json } from './control.ts';

export const faultControls = (): Controls => ({
  listFaults: (call) => json(200, { faults: call.sandbox().faults.rules.map(shown) }),

  createFault: async (call) => json(201, shown(await call.sandbox().faults.add(call.body as NewFault))),

  clearFaults: async (call) => {
    await call.sandbox().faults.clear();
    return done;
  },

  deleteFault: async (call) => {
    await call.sandbox().faults.remove(call.params['faultId'] as string);
    return done;
  },
});

/** Where the seeded sequence stands is its own affair. */
const shown = ({ drawn: _, ...rule }: FaultRecord) => rule;
