/** Finds a pet by its id, with the deprecated operation. */
import { useState } from 'preact/hooks';
import type { Pet } from '../interface.ts';
import { useAction } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { useSession } from '../session.ts';
import { PetStatusMark } from './pet-table.tsx';

export function FindPet() {
  const { pets } = useSession();
  const finding = useAction();
  const [found, setFound] = useState<Pet | undefined>(undefined);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget as HTMLFormElement).get('id')).trim();
    setFound(undefined);
    void finding.run(async () => setFound(await pets.get(id)));
  };
  return (
    <form class="card" onSubmit={submit}>
      <h2>Find by id</h2>
      <div class="row with-button">
        <label>
          <span>Id</span>
          <input name="id" inputMode="numeric" autoComplete="off" required />
        </label>
        <button type="submit" disabled={finding.isBusy}>
          Find
        </button>
      </div>
      <Trouble error={finding.error} />
      <div role="status">
        {found && (
          <dl class="pairs">
            <dt>Id</dt>
            <dd>{String(found.id)}</dd>
            <dt>Name</dt>
            <dd>{visible(found.name)}</dd>
            <dt>Status</dt>
            <dd>{found.status ? <PetStatusMark status={found.status} /> : 'none'}</dd>
            <dt>Category</dt>
            <dd>{String(found.categoryId)}</dd>
          </dl>
        )}
      </div>
    </form>
  );
}
