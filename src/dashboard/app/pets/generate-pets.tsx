/** Generates pets. */
import type { Schema } from '../../../client/routes.ts';
import { petStatuses } from '../../../generated/facts.ts';
import { useAction } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';

export function GeneratePets({ onMade }: { onMade: (made: Schema<'GeneratedPets'>) => void }) {
  const { client } = useSession();
  const making = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const seed = String(fields.get('seed')).trim();
    const status = petStatuses.find((each) => each === fields.get('status'));
    const body = { count: Number(fields.get('count')), seed: seed === '' ? undefined : Number(seed), status };
    void making.run(async () => onMade(await client.request('POST /pets', { body })));
  };
  return (
    <form class="card" onSubmit={submit}>
      <h2>Generate pets</h2>
      <div class="row three">
        <label>
          <span>How many</span>
          <input name="count" type="number" min="1" required defaultValue="50" />
        </label>
        <label>
          <span>Seed</span>
          <input name="seed" type="number" min="0" placeholder="random" />
        </label>
        <label>
          <span>Status</span>
          <select name="status">
            <option value="">Any</option>
            {petStatuses.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </select>
        </label>
      </div>
      <button type="submit" disabled={making.isBusy}>
        Generate
      </button>
      <Trouble error={making.error} />
    </form>
  );
}
