/** A copy of the sandbox, with its own key. */
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import { openSession, type Session, useSession } from '../session.ts';
import { IssuedKey } from './issued-key.tsx';

export function ForkCard({ onOpen }: { onOpen: (session: Session) => void }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const forking = useAction();
  const [issued, setIssued] = useState<Schema<'IssuedKey'> | undefined>(undefined);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const label = String(new FormData(event.currentTarget as HTMLFormElement).get('label')).trim();
    void forking.run(async () => {
      setIssued(await client.request('POST /fork', { body: label === '' ? {} : { label } }));
      announce('Forked. The new key is shown once.');
    });
  };
  return (
    <section class="card" aria-labelledby="fork">
      <h2 id="fork">Fork</h2>
      <form onSubmit={submit} class="row with-button">
        <label>
          <span>Label of the copy</span>
          <input name="label" autoComplete="off" placeholder="optional" />
        </label>
        <button type="submit" disabled={forking.isBusy}>
          Fork
        </button>
      </form>
      <p class="hint">A copy with pets, ids, clock and faults as they are now. Neither sees the other.</p>
      <Trouble error={forking.error} />
      {issued && (
        <IssuedKey issued={issued}>
          <button
            type="button"
            class="plain"
            onClick={() => void forking.run(async () => onOpen(await openSession(issued.key)))}
          >
            Open here
          </button>
        </IssuedKey>
      )}
    </section>
  );
}
