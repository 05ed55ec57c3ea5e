/** Resets the sandbox to a fixture. */
import { useState } from 'preact/hooks';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { openClient, useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import type { Live } from '../traffic/live.ts';
import { useLoss } from './loss.ts';

export function DataCard({ live }: { live: Live }) {
  const { client } = useSession();
  const { sandbox } = useSandboxState();
  const announce = useAnnounce();
  const resetting = useAction();
  const fixtures = useLoaded(() => openClient().request('GET /fixtures'), []);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [journal, setJournal] = useState(false);
  const loss = useLoss(journal ? [many(live.total, 'request')] : []);
  const own = sandbox.value?.fixture;
  const name = chosen ?? own;
  const fixture = fixtures.value?.fixtures.find((each) => each.name === name);
  const reset = (): void => {
    void resetting.run(async () => {
      const { sandbox: now } = await client.request('POST /reset', { body: { fixture: chosen, journal } });
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
            checked={journal}
            onChange={({ currentTarget }) => setJournal(currentTarget.checked)}
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
