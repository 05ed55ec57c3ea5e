/** The pets of the sandbox, as returned by the API. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ControlsClient } from '../../../client/client.ts';
import { readJson } from '../../../client/json.ts';
import type { Schema } from '../../../client/routes.ts';
import { petStatuses } from '../../../generated/facts.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { Blank } from '../kit/blank.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { MAX_LISTED, type Pet, type PetStatus } from '../petstore-api.ts';
import { useSession } from '../session.ts';
import type { Summary } from '../traffic/kept.ts';
import type { Live } from '../traffic/live.ts';
import { PetStatusMark, PetTable } from './pet-table.tsx';

type Generated = Schema<'GeneratedPets'>;

export function Pets({ live }: { live: Live }) {
  const { pets, client } = useSession();
  const announce = useAnnounce();
  const [status, setStatus] = useState<PetStatus | undefined>(undefined);
  const [generated, setGenerated] = useState<Generated | undefined>(undefined);
  const list = useLoaded(() => pets.list(status), [pets, status, live.resets]);
  const sandbox = useLoaded(() => client.request('GET /'), [client, live.resets]);
  useEffect(() => setGenerated(undefined), [live.resets]);

  const include = (fresh: readonly Pet[]): void => list.change((old) => withPets(old, fresh, status));
  const added = (pet: Pet): void => {
    announce(`Added ${visible(pet.name)} as ${pet.id}.`);
    sandbox.reload();
    // Known already: another request would only add traffic.
    include([pet]);
  };
  useCreations(live, (created) => {
    sandbox.reload();
    if (created === undefined) list.reload();
    else include(created);
  });
  const made = (response: Generated): void => {
    announce(`Generated ${many(response.count, 'pet')}.`);
    setGenerated(response);
    sandbox.reload();
    list.reload();
  };
  const total = sandbox.value?.pets.total;
  return (
    <div class="pets-view">
      <section class="collection" aria-label="Pets">
        <header class="view-head">
          <h1>Pets</h1>
          {total !== undefined && <span class="count">{many(total, 'pet')} in this sandbox</span>}
        </header>
        {generated ? (
          <p class="scope">
            The {many(generated.count, 'pet')} just generated, with seed <code>{generated.seed}</code>.
            <button type="button" class="plain" onClick={() => setGenerated(undefined)}>
              Show the list
            </button>
          </p>
        ) : (
          <Filters
            status={status}
            onStatus={setStatus}
            onReload={list.reload}
            scope={scopeOf(list.value, status, total)}
          />
        )}
        <Trouble error={list.error} retry={list.reload} />
        {/* Beneath an error, no list says that there are none. */}
        {(list.error === undefined || (list.value?.length ?? 0) > 0) && (
          <Rows pets={generated?.pets ?? list.value} status={generated ? undefined : status} />
        )}
      </section>
      <Tools onAdded={added} onMade={made} />
    </div>
  );
}

interface ToolsProps {
  readonly onAdded: (pet: Pet) => void;
  readonly onMade: (made: Generated) => void;
}

const Tools = ({ onAdded, onMade }: ToolsProps) => (
  <aside class="tools-column" aria-label="Add and find pets">
    <AddPet onAdded={onAdded} />
    <GeneratePets onMade={onMade} />
    <FindPet />
    <p class="hint">
      Listing, adding and looking up go through the API itself, with your key: they show up in the traffic, marked “this
      page”, and do not count in the contract report.
    </p>
  </aside>
);

interface FiltersProps {
  readonly status: PetStatus | undefined;
  readonly onStatus: (status: PetStatus | undefined) => void;
  readonly onReload: () => void;
  readonly scope: string;
}

const Filters = ({ status, onStatus, onReload, scope }: FiltersProps) => (
  <div class="filters">
    <label>
      <span>Status</span>
      <select
        value={status ?? ''}
        onChange={({ currentTarget }) => onStatus(petStatuses.find((each) => each === currentTarget.value))}
      >
        <option value="">All</option>
        {petStatuses.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
    <button type="button" class="plain" onClick={onReload}>
      Reload
    </button>
    <p class="hint">{scope}</p>
  </div>
);

function Rows({ pets, status }: { pets: readonly Pet[] | undefined; status: PetStatus | undefined }) {
  if (!pets) return <Blank rows={6} />;
  if (pets.length > 0) return <PetTable pets={pets} />;
  return (
    <div class="empty">
      <p>{status === undefined ? 'No pets here.' : `No pet is ${status}.`}</p>
      <p>Add one, generate some, or reset the sandbox to a fixture that has some.</p>
    </div>
  );
}

/** Sorted by id, as the API lists them; each pet once. */
function withPets(old: readonly Pet[], fresh: readonly Pet[], status: PetStatus | undefined): Pet[] {
  const known = new Set(old.map(({ id }) => String(id)));
  const added = fresh.filter((pet) => !known.has(String(pet.id)) && (status === undefined || pet.status === status));
  return [...old, ...added].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, MAX_LISTED);
}

/** The scope of the table: the API lists at most a hundred pets and has no pages. */
function scopeOf(pets: readonly Pet[] | undefined, status: PetStatus | undefined, total: number | undefined): string {
  if (!pets) return '';
  if (pets.length < MAX_LISTED) return `${many(pets.length, 'pet')}, by id`;
  const of =
    status === undefined ? (total === undefined ? '' : ` of ${total.toLocaleString('en-GB')}`) : ` that are ${status}`;
  return `The first ${MAX_LISTED}${of}, by id: the API lists no more. Look up any other by its id.`;
}

/** Adds a pet through the API, and shows its error messages. */
function AddPet({ onAdded }: { onAdded: (pet: Pet) => void }) {
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

/** Finds a pet by its id, with the deprecated operation. */
function FindPet() {
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

/** Generates pets. */
function GeneratePets({ onMade }: { onMade: (made: Schema<'GeneratedPets'>) => void }) {
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

/** Of more pets at once, the table is loaded again. */
const MAX_READ = 10;

/** @param onCreated called with the pets; with `undefined` if they have to be loaded */
function useCreations({ arrived, exchanges }: Live, onCreated: (pets: readonly Pet[] | undefined) => void): void {
  const { client } = useSession();
  const seen = useRef(arrived);
  const told = useRef(onCreated);
  told.current = onCreated;
  useEffect(() => {
    const fresh = exchanges.slice(0, arrived - seen.current).filter(({ changes: effect }) => effect !== null);
    seen.current = arrived;
    if (fresh.length === 0) return;
    const reading = fresh.length > MAX_READ ? Promise.reject() : Promise.all(fresh.map((each) => petOf(client, each)));
    reading.then(
      (pets) => told.current(pets),
      () => told.current(undefined),
    );
  }, [arrived]);
}

/** From the request log: another list request would only add traffic. @throws when it is not there as a whole */
async function petOf(client: ControlsClient, { id, changes: effect }: Summary): Promise<Pet> {
  const { request } = await client.request('GET /requests/{requestId}', { params: { requestId: id } });
  if (request.body === null || request.truncated || effect?.created.length !== 1)
    throw new Error('it has to be loaded');
  const { name, categoryId, status } = readJson(request.body) as Pet;
  return { id: BigInt(effect.created[0] as string), name, categoryId, ...(status === undefined ? {} : { status }) };
}
