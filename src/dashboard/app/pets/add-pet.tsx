/** Adds a pet through the interface, and shows its error messages. */
import { useRef } from 'preact/hooks';
import { petStatuses } from '../../../generated/facts.ts';
import type { Pet } from '../interface.ts';
import { useAction } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';

export function AddPet({ onAdded }: { onAdded: (pet: Pet) => void }) {
  const { pets } = useSession();
  const adding = useAction();
  const name = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const categoryId = String(fields.get('categoryId')).trim();
    const status = String(fields.get('status'));
    void adding.run(async () => {
      onAdded(
        await pets.create({
          name: String(fields.get('name')),
          // Text that is not an integer is sent unchanged: the response reports the mistake.
          categoryId: /^-?\d+$/.test(categoryId) ? BigInt(categoryId) : categoryId,
          ...(status === '' ? {} : { status }),
        }),
      );
      form.reset();
      name.current?.focus();
    });
  };
  return (
    <form class="card" onSubmit={submit}>
      <h2>Add a pet</h2>
      <label>
        <span>Name</span>
        <input ref={name} name="name" autoComplete="off" />
      </label>
      <div class="row">
        <label>
          <span>Category id</span>
          <input name="categoryId" inputMode="numeric" autoComplete="off" defaultValue="1" />
        </label>
        <label>
          <span>Status</span>
          <select name="status">
            <option value="">None</option>
            {petStatuses.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </select>
        </label>
      </div>
      <button type="submit" disabled={adding.isBusy}>
        Add
      </button>
      <Trouble error={adding.error} />
    </form>
  );
}
