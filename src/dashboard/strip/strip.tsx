/** What needs attention, in one line on every page: a lost connection, a near end, a drill, faults, the clock, an undo. */

import type { Schema } from '../../client/routes.ts';
import { endOfUndo } from '../../client/undo.ts';
import { useAction } from '../kit/action.ts';
import { many, momentUtc, until } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { isUsedUp } from '../setup/fault-rules.ts';
import { isOwnTime, useSandboxState } from './state.ts';

/** An end this near is a warning. */
const SOON_MS = 60 * 60_000;

export function Strip() {
  const { live, clock, sandbox, faults, snapshots } = useSandboxState();
  const end = useEnd();
  const drill = sandbox.value?.drill ?? null;
  const active = faults.value?.filter((rule) => !isUsedUp(rule)).length ?? 0;
  const undo = snapshots.value?.findLast(({ name }) => endOfUndo(name) !== undefined);
  const own = clock.value && isOwnTime(clock.value) ? clock.value : undefined;
  const isSoon = end !== null && Date.parse(end) - Date.now() < SOON_MS;
  if (live.state !== 'broken' && !isSoon && drill === null && active === 0 && !undo && !own) return null;
  return (
    <section class="strip" aria-label="Needs attention">
      {live.state === 'broken' && <span class="broken">Not connected</span>}
      {isSoon && <span class="soon">Ends {until(end)}</span>}
      {drill !== null && <a href={addressOf('drills')}>Drill: {drill}</a>}
      {active > 0 && (
        <a href={addressOf('setup')} class="on">
          {many(active, 'active fault')}
        </a>
      )}
      {undo && <Undo snapshot={undo} />}
      {own && (
        <a href={addressOf('setup')}>
          Clock: {momentUtc(own.now)}
          {own.frozen && ', frozen'}
        </a>
      )}
    </section>
  );
}

/** When this tab's key ends, or its sandbox before; null for never. */
export function useEnd(): string | null {
  const { sandbox } = useSession();
  const key = useSandboxState().keys.value?.find(({ current }) => current);
  return key?.expiresAt ?? sandbox.expiresAt;
}

/** Undoes the latest reset. */
function Undo({ snapshot: { name } }: { snapshot: Schema<'Snapshot'> }) {
  const { client } = useSession();
  const { run, isBusy, error } = useAction();
  const back = (): void =>
    void run(async () => {
      await client.request('POST /reset', { body: { snapshot: name } });
      await client.request('DELETE /snapshots/{name}', { params: { name } });
      return 'Undone: pets, ids, clock and faults are as before.';
    });
  const end = new Date(endOfUndo(name) as number).toISOString();
  return (
    <>
      <button type="button" class="plain" disabled={isBusy} title={`Ends ${until(end)}`} onClick={back}>
        Undo the reset
      </button>
      <Trouble error={error} />
    </>
  );
}
