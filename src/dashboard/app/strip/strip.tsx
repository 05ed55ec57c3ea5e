/** The state of the sandbox in one line, on every page: connection, ends, drill, faults and clock. */

import type { Schema } from '../../../client/routes.ts';
import { endOfUndo } from '../../../client/undo.ts';
import { useAction } from '../kit/action.ts';
import { many, momentUtc, until } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { isUsedUp } from '../setup/fault-rules.ts';
import { isOwnTime, type SandboxState, useSandboxState } from './state.ts';

/** An end this near is a warning. */
const SOON_MS = 10 * 60_000;

export function Strip() {
  const { live, clock, sandbox } = useSandboxState();
  const drill = sandbox.value?.drill ?? null;
  return (
    <section class="strip" aria-label="State of the sandbox">
      <Connection state={live.state} />
      <Ends />
      {drill !== null && (
        <a href={addressOf('drills')} class="drill">
          Drill: {drill}
        </a>
      )}
      <FaultCount />
      <Undo />
      {clock.value && isOwnTime(clock.value) && (
        <a href={addressOf('setup')}>
          Clock: {momentUtc(clock.value.now)}
          {clock.value.frozen && ', frozen'}
        </a>
      )}
    </section>
  );
}

const Connection = ({ state }: Pick<SandboxState['live'], 'state'>) => (
  <span class={`connection ${state}`}>
    {state === 'live' ? 'Connected' : state === 'opening' ? 'Connecting' : 'Not connected'}
  </span>
);

/** When the sandbox ends, and this tab's key where it ends before. */
function Ends() {
  const { sandbox } = useSession();
  const { keys } = useSandboxState();
  const key = keys.value?.find(({ current }) => current);
  const ofSandbox = sandbox.expiresAt;
  const first = key && key.expiresAt !== ofSandbox ? key.expiresAt : null;
  const isSoon = Date.parse(first ?? ofSandbox ?? '') - Date.now() < SOON_MS;
  return (
    <span class={isSoon ? 'soon' : undefined}>
      {first === null
        ? ofSandbox === null
          ? 'The sandbox never ends'
          : `The sandbox ends ${until(ofSandbox)}`
        : `This key ends ${until(first)}, its sandbox ${ofSandbox === null ? 'never' : until(ofSandbox)}`}
    </span>
  );
}

function FaultCount() {
  const rules = useSandboxState().faults.value ?? [];
  const active = rules.filter((rule) => !isUsedUp(rule)).length;
  const usedUp = rules.length - active;
  if (rules.length === 0) return null;
  return (
    <a href={addressOf('setup')} class={active > 0 ? 'on' : undefined}>
      {[...(active > 0 ? [many(active, 'active fault')] : []), ...(usedUp > 0 ? [`${usedUp} used up`] : [])].join(', ')}
    </a>
  );
}

/** Undoes the latest reset. */
function Undo() {
  const session = useSession();
  const { snapshots } = useSandboxState();
  const { run, isBusy, error } = useAction();
  const last = snapshots.value?.findLast(({ name }) => endOfUndo(name) !== undefined);
  if (!last) return null;
  const back = ({ name }: Schema<'Snapshot'>): void =>
    void run(async () => {
      await session.client.request('POST /reset', { body: { snapshot: name } });
      await session.client.request('DELETE /snapshots/{name}', { params: { name } });
      return 'Undone: pets, ids, clock and faults are as before.';
    });
  const end = new Date(endOfUndo(last.name) as number).toISOString();
  return (
    <>
      <button type="button" class="plain" disabled={isBusy} title={`Ends ${until(end)}`} onClick={() => back(last)}>
        Undo the reset
      </button>
      <Trouble error={error} />
    </>
  );
}
