/** The pets of the sandbox, read through the control API: looking at them takes no part in what the client's tests see. */
import { useRef, useState } from 'preact/hooks';
import { readJson } from '../../../client/json.ts';
import type { Schema } from '../../../client/routes.ts';
import { writeJson } from '../../../core/int64.ts';
import { basePath, petStatuses } from '../../../generated/facts.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { Blank } from '../kit/blank.tsx';
import { useSettled } from '../kit/settled.ts';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { useSession } from '../session.ts';
import { sendDraft } from '../traffic/draft.ts';
import type { Live } from '../traffic/live.ts';
import { PetTable } from './pet-table.tsx';

type PetStatus = Schema<'PetStatus'>;

/** A load test must not load the list at each request. */
const CALM_MS = 300;

export function Pets({ live }: { live: Live }) {
  const { client } = useSession();
  const [status, setStatus] = useState<PetStatus | undefined>(undefined);
  const [id, setId] = useState('');
  const arrived = useSettled(live.arrived, CALM_MS);
  const list = useLoaded(
    () => client.request('GET /pets', { query: { status, id: id || undefined } }),
    [client, status, id, arrived, live.resets],
  );
  const { value } = list;
  return (
    <div class="pets-view">
      <section class="collection" aria-label="Pets">
        <header class="view-head">
          <h1>Pets</h1>
          {value && <span class="count">{many(value.total, 'pet')} in this sandbox</span>}
        </header>
        <div class="filters">
          <StatusSelect
            first="All"
            value={status}
            onChange={(name) => setStatus(petStatuses.find((each) => each === name))}
          />
          <IdForm onId={setId} />
          <Generate onMade={list.reload} />
        </div>
        <Trouble error={list.error} retry={list.reload} />
        {value && value.pets.length < value.total && status === undefined && id === '' && (
          <p class="hint">
            The first {value.pets.length.toLocaleString('en-GB')}, by id. Any other is found by its id.
          </p>
        )}
        {/* Beneath an error, no list says that there are none. */}
        {!value && list.error === undefined && <Blank rows={6} />}
        {value && list.error === undefined && value.pets.length > 0 && <PetTable pets={value.pets} />}
        {value && list.error === undefined && value.pets.length === 0 && (
          <div class="empty">
            <p>{status === undefined ? 'No pets here.' : `No pet is ${status}.`}</p>
            <p>Add one, generate some, or reset the sandbox to a fixture that has some.</p>
          </div>
        )}
      </section>
      <aside aria-label="Add pets">
        <AddPet onAdded={list.reload} />
      </aside>
    </div>
  );
}

interface StatusSelectProps {
  readonly name?: string;
  /** For no status. */
  readonly first: string;
  readonly value?: string | undefined;
  readonly onChange?: (value: string) => void;
}

const StatusSelect = ({ name, first, value, onChange }: StatusSelectProps) => (
  <label>
    <span>Status</span>
    <select
      name={name}
      {...(onChange && {
        value: value ?? '',
        onChange: (event: Event) => onChange((event.currentTarget as HTMLSelectElement).value),
      })}
    >
      <option value="">{first}</option>
      {petStatuses.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  </label>
);

/** Only digits are looked up: a part of an id is no id. */
const IdForm = ({ onId }: { onId: (id: string) => void }) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onId(String(new FormData(event.currentTarget as HTMLFormElement).get('id')).trim());
    }}
  >
    <label>
      <span>Find by id</span>
      <input name="id" type="search" inputMode="numeric" placeholder="Enter an id" autoComplete="off" />
    </label>
  </form>
);

function Generate({ onMade }: { onMade: () => void }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const { run, isBusy, error } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const seed = String(fields.get('seed')).trim();
    const body = { count: Number(fields.get('count')), seed: seed === '' ? undefined : Number(seed) };
    void run(async () => {
      const made = await client.request('POST /pets', { body });
      announce(`Generated ${many(made.count, 'pet')} with seed ${made.seed}.`);
      onMade();
    });
  };
  return (
    <form onSubmit={submit} class="generate">
      <label>
        <span>How many</span>
        <input name="count" type="number" min="1" required defaultValue="50" />
      </label>
      <label>
        <span>Seed</span>
        <input name="seed" type="number" min="0" placeholder="random" />
      </label>
      <button type="submit" disabled={isBusy}>
        Generate
      </button>
      <Trouble error={error} />
    </form>
  );
}

/** Adds a pet through the API, and shows its error messages. */
function AddPet({ onAdded }: { onAdded: () => void }) {
  const session = useSession();
  const announce = useAnnounce();
  const { run, isBusy, error } = useAction();
  const name = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const categoryId = String(fields.get('categoryId')).trim();
    const status = String(fields.get('status'));
    const pet = {
      name: String(fields.get('name')),
      // Text that is not an integer is sent unchanged: the response reports the mistake.
      categoryId: /^-?\d+$/.test(categoryId) ? BigInt(categoryId) : categoryId,
      ...(status === '' ? {} : { status }),
    };
    void run(async () => {
      const draft = { method: 'POST', target: `${basePath}/pets`, headers: 'Content-Type: application/json' };
      const { status: code, body } = await sendDraft({ ...draft, body: writeJson(pet) }, session);
      const answer = readJson(body) as { id?: bigint; message?: string };
      if (code !== 201) throw new Error(answer.message);
      announce(`Added ${visible(pet.name)} as ${answer.id}.`);
      onAdded();
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
      <label>
        <span>Category id</span>
        <input name="categoryId" inputMode="numeric" autoComplete="off" defaultValue="1" />
      </label>
      <StatusSelect name="status" first="None" />
      <button type="submit" disabled={isBusy}>
        Add
      </button>
      <Trouble error={error} />
      <p class="hint">
        It goes through the API, and is marked “this page” in the traffic. It counts in no report and no drill.
      </p>
    </form>
  );
}
