/** The pets of the sandbox, as returned by the interface. */
import { useEffect, useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { petStatuses } from '../../../generated/facts.ts';
import { MAX_LISTED, type Pet, type PetStatus } from '../interface.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useLoaded } from '../kit/async.ts';
import { Blank } from '../kit/blank.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { useSession } from '../session.ts';
import type { Live } from '../traffic/live.ts';
import { AddPet } from './add-pet.tsx';
import { FindPet } from './find-pet.tsx';
import { GeneratePets } from './generate-pets.tsx';
import { PetTable } from './pet-table.tsx';
import { useCreations } from './use-creations.ts';

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
      Listing, adding and looking up go through the interface itself, with your key: they show up in the traffic, marked
      “this page”, and do not count in the contract report.
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

/** Sorted by id, as the interface lists them; each pet once. */
function withPets(old: readonly Pet[], fresh: readonly Pet[], status: PetStatus | undefined): Pet[] {
  const known = new Set(old.map(({ id }) => String(id)));
  const added = fresh.filter((pet) => !known.has(String(pet.id)) && (status === undefined || pet.status === status));
  return [...old, ...added].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, MAX_LISTED);
}

/** The scope of the table: the interface lists at most a hundred pets and has no pages. */
function scopeOf(pets: readonly Pet[] | undefined, status: PetStatus | undefined, total: number | undefined): string {
  if (!pets) return '';
  if (pets.length < MAX_LISTED) return `${many(pets.length, 'pet')}, by id`;
  const of =
    status === undefined ? (total === undefined ? '' : ` of ${total.toLocaleString('en-GB')}`) : ` that are ${status}`;
  return `The first ${MAX_LISTED}${of}, by id: the interface lists no more. Look up any other by its id.`;
}
