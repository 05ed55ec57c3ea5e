/** Resets to a fixture or to a snapshot; and the snapshots themselves. */
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { many, moment } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { openClient, useSession } from '../session.ts';
import type { Live } from '../traffic/live.ts';

export function DataCard({ live }: { live: Live }) {
  return (
    <section class="card" aria-labelledby="data">
      <h2 id="data">Data</h2>
      <Reset live={live} />
      <Snapshots />
    </section>
  );
}

function Reset({ live }: { live: Live }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const resetting = useAction();
  const fixtures = useLoaded(() => openClient().request('GET /fixtures'), []);
  const sandbox = useLoaded(() => client.request('GET /'), [client, live.resets]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [journal, setJournal] = useState(false);
  const name = chosen ?? sandbox.value?.fixture;
  const fixture = fixtures.value?.fixtures.find((each) => each.name === name);
  const added = sandbox.value?.pets.added ?? 0;
  const reset = (): void => {
    void resetting.run(async () => {
      const { sandbox: now } = await client.request('POST /reset', { body: { fixture: chosen, journal } });
      announce(`Reset to ${name}: ${many(now?.pets.total ?? 0, 'pet')}.`);
    });
  };
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <label>
        <span>Fixture</span>
        <select
          value={name}
          onChange={({ currentTarget }) =>
            setChosen(currentTarget.value === sandbox.value?.fixture ? undefined : currentTarget.value)
          }
        >
          {sandbox.value?.fixture === 'inline' && <option value="inline">inline (its own)</option>}
          {fixtures.value?.fixtures.map((each) => (
            <option key={each.name} value={each.name}>
              {each.name} ({many(each.pets, 'pet')})
            </option>
          ))}
        </select>
      </label>
      {fixture && <p class="hint">{fixture.description}</p>}
      <label class="check">
        <input type="checkbox" checked={journal} onChange={({ currentTarget }) => setJournal(currentTarget.checked)} />
        Clear the traffic, too
      </label>
      <p class="hint">Pets, ids, clock and faults go back. Snapshots stay.</p>
      <ConfirmButton
        isBusy={resetting.isBusy || name === undefined}
        question={`Reset to ${name}?`}
        loss={`Lost are ${many(added, 'added pet')}, the clock and all faults${journal ? ', and the traffic' : ''}.`}
        onConfirm={reset}
      >
        Reset
      </ConfirmButton>
      <Trouble error={resetting.error ?? fixtures.error ?? sandbox.error} />
    </form>
  );
}

function Snapshots() {
  const { client } = useSession();
  const announce = useAnnounce();
  const acting = useAction();
  const list = useLoaded(() => client.request('GET /snapshots'), [client]);
  const act = (work: () => Promise<unknown>, said: string): Promise<boolean> =>
    acting.run(async () => {
      await work();
      announce(said);
      list.reload();
    });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get('name')).trim();
    void act(() => client.request('POST /snapshots', { body: { name } }), `Saved as ${name}.`).then(
      (done) => done && form.reset(),
    );
  };
  return (
    <>
      <h3>Snapshots</h3>
      <form onSubmit={submit} class="row with-button">
        <label>
          <span>Name of the present state</span>
          <input name="name" autoComplete="off" placeholder="before-checkout" required />
        </label>
        <button type="submit" disabled={acting.isBusy}>
          Save snapshot
        </button>
      </form>
      <Trouble error={acting.error ?? list.error} />
      {list.value && list.value.snapshots.length > 0 && (
        <ul class="entries">
          {list.value.snapshots.map((snapshot) => (
            <SnapshotRow
              key={snapshot.name}
              snapshot={snapshot}
              onRestore={(name) =>
                void act(() => client.request('POST /reset', { body: { snapshot: name } }), `Back at ${name}.`)
              }
              onDelete={(name) =>
                void act(() => client.request('DELETE /snapshots/{name}', { params: { name } }), `Deleted ${name}.`)
              }
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface SnapshotRowProps {
  readonly snapshot: Schema<'Snapshot'>;
  readonly onRestore: (name: string) => void;
  readonly onDelete: (name: string) => void;
}

const SnapshotRow = ({ snapshot: { name, createdAt, pets }, onRestore, onDelete }: SnapshotRowProps) => (
  <li>
    <span class="entry">
      <strong>{name}</strong>
      <small>
        {many(pets, 'pet')}, {moment(createdAt)}
      </small>
    </span>
    <button type="button" class="plain" aria-label={`Restore ${name}`} onClick={() => onRestore(name)}>
      Restore
    </button>
    <ConfirmButton
      isPlain
      name={`Delete ${name}`}
      question={`Delete ${name}?`}
      loss={`The snapshot of ${many(pets, 'pet')} is gone. The present data stay.`}
      onConfirm={() => onDelete(name)}
    >
      Delete
    </ConfirmButton>
  </li>
);
