/** Controls: faults, clock, data, saved states and keys. */

import { useState } from 'preact/hooks';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { openClient, type Session, useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import type { Live } from '../traffic/live.ts';
import { ClockCard } from './clock.tsx';
import { FaultsCard } from './faults.tsx';
import { KeysCard } from './keys.tsx';
import { listed, useLoss } from './loss.ts';
import { StatesCard } from './states.tsx';

interface ControlsProps {
  readonly live: Live;
  readonly onOpen: (session: Session) => void;
  readonly onLeave: () => void;
}

export function Controls({ live, onOpen, onLeave }: ControlsProps) {
  return (
    <>
      <header class="view-head">
        <h1>Controls</h1>
      </header>
      <div class="cards">
        <div>
          <FaultsCard />
          <ClockCard live={live} />
        </div>
        <div>
          <DataCard live={live} />
          <StatesCard onOpen={onOpen} />
        </div>
        <div>
          <KeysCard />
          <EndCard live={live} onLeave={onLeave} />
        </div>
      </div>
    </>
  );
}

/** Resets the sandbox to a fixture. */
function DataCard({ live }: { live: Live }) {
  const { client } = useSession();
  const { sandbox } = useSandboxState();
  const announce = useAnnounce();
  const resetting = useAction();
  const fixtures = useLoaded(() => openClient().request('GET /fixtures'), []);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [requestLog, setRequestLog] = useState(false);
  const loss = useLoss(requestLog ? [many(live.total, 'request')] : []);
  const own = sandbox.value?.fixture;
  const name = chosen ?? own;
  const fixture = fixtures.value?.fixtures.find((each) => each.name === name);
  const reset = (): void => {
    void resetting.run(async () => {
      const { sandbox: now } = await client.request('POST /reset', { body: { fixture: chosen, requestLog } });
      announce(`Reset to ${name}: ${many(now?.pets.total ?? 0, 'pet')}.`);
    });
  };
  return (
    <section class="card" aria-labelledby="data">
      <h2 id="data">Data</h2>
      <form onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Fixture</span>
          <select
            value={name}
            onChange={({ currentTarget }) => setChosen(currentTarget.value === own ? undefined : currentTarget.value)}
          >
            {own === 'inline' && <option value="inline">inline (its own)</option>}
            {fixtures.value?.fixtures.map((each) => (
              <option key={each.name} value={each.name}>
                {each.name} ({many(each.pets, 'pet')})
              </option>
            ))}
          </select>
        </label>
        {fixture && <p class="hint">{visible(fixture.description ?? '')}</p>}
        <label class="check">
          <input
            type="checkbox"
            checked={requestLog}
            onChange={({ currentTarget }) => setRequestLog(currentTarget.checked)}
          />
          Clear the traffic, too
        </label>
        <ConfirmButton
          isBusy={resetting.isBusy || name === undefined}
          question={`Reset to ${name}?`}
          loss={`${loss} Snapshots stay.`}
          onConfirm={reset}
        >
          Reset
        </ConfirmButton>
        <Trouble error={resetting.error ?? fixtures.error ?? sandbox.error} />
      </form>
    </section>
  );
}

/** @param onLeave closes the sandbox in this tab */
function EndCard({ live, onLeave }: { live: Live; onLeave: () => void }) {
  const { client, sandbox } = useSession();
  const state = useSandboxState();
  const announce = useAnnounce();
  const ending = useAction();
  const end = (): void =>
    void ending.run(async () => {
      await client.request('DELETE /');
      announce('The sandbox has ended.');
      onLeave();
    });
  const pets = state.sandbox.value?.pets.total ?? 0;
  const keys = state.keys.value?.length ?? 0;
  const lost = [many(pets, 'pet'), 'all snapshots', many(live.total, 'request'), many(keys, 'key')];
  return (
    <section class="card" aria-labelledby="end">
      <h2 id="end">End</h2>
      {sandbox.preconfigured ? (
        <p class="hint">The key of this sandbox is in the server’s settings, so it can be reset, but not ended.</p>
      ) : (
        <>
          <p class="hint">Deletes this sandbox with all its data and keys.</p>
          <ConfirmButton
            isBusy={ending.isBusy}
            question="End sandbox?"
            loss={`You lose ${listed(lost)}. Clients with a key to it get 401. There is no way back.`}
            onConfirm={end}
          >
            End sandbox
          </ConfirmButton>
        </>
      )}
      <Trouble error={ending.error} />
    </section>
  );
}
