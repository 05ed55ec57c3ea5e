/** The pets of the sandbox, read through the control API: looking at them takes no part in what the client's tests see. */
import { useState } from 'preact/hooks';
import { petStatuses, schemas } from '../../base/generated/facts.ts';
import { writeJson } from '../../base/int64.ts';
import type { Schema } from '../../client/routes.ts';
import { useLoaded, useSettled } from '../kit/action.ts';
import { Choice, Form, FormField, type Given, named } from '../kit/form.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.tsx';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';

const COLUMNS = Object.keys(schemas.Pet.properties) as (keyof Schema<'Pet'>)[];

/** A load test must not load the list at each request. */
const CALM_MS = 300;

export function PetsView() {
  const { client } = useSession();
  const { live } = useSandboxState();
  const [status, setStatus] = useState('');
  const [text, setText] = useState('');
  // A part of an id is no id.
  const id = useSettled(text.trim(), CALM_MS);
  const arrived = useSettled(live.arrived, CALM_MS);
  const query = { status: (status || undefined) as Schema<'PetStatus'> | undefined, id: id || undefined };
  const { value, error, reload } = useLoaded(
    () => client.request('GET /pets', { query }),
    [client, status, id, arrived, live.counts.reset],
  );
  const generate = async ({ count, seed }: Given): Promise<string> => {
    const body = { count: Number(count), seed: seed ? Number(seed) : undefined };
    const made = await client.request('POST /pets', { body });
    reload();
    return `Generated ${many(made.count, 'pet')} with seed ${made.seed}.`;
  };
  return (
    <section class="stream pets-view" aria-label="Pets">
      <header class="view-head">
        <h1>Pets</h1>
        {value && <span class="count">{many(value.total, 'pet')} in this sandbox</span>}
        <a class="button" href={addressOf('live', 'new', 'createPet')}>
          Add a pet
        </a>
      </header>
      <div class="filters">
        <Choice label="Status" none="All" value={status} onChange={setStatus}>
          {named(petStatuses)}
        </Choice>
        <FormField label="Find by id">
          <input
            type="search"
            inputMode="numeric"
            placeholder="Enter an id"
            autoComplete="off"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </FormField>
        <Form button="Generate" class="filters" onSend={generate}>
          <FormField label="How many">
            <input name="count" type="number" min="1" required defaultValue="50" />
          </FormField>
          <FormField label="Seed">
            <input name="seed" type="number" min="0" placeholder="random" />
          </FormField>
        </Form>
      </div>
      <Trouble error={error} retry={reload} />
      {value && value.pets.length < value.total && status === '' && id === '' && (
        <p class="hint">The first {value.pets.length.toLocaleString('en-GB')}, by id. Any other is found by its id.</p>
      )}
      {/* Beneath an error, no list says that there are none. */}
      {value && error === undefined && value.pets.length > 0 && <PetTable pets={value.pets} />}
      {value && error === undefined && value.pets.length === 0 && (
        <div class="empty">
          <p>{status === '' ? 'No pets here.' : `No pet is ${status}.`}</p>
          <p>Add one, generate some, or reset the sandbox to a fixture that has some.</p>
        </div>
      )}
    </section>
  );
}

const shownValue = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? visible(value) : visible(writeJson(value));

/** A column for each field. Ids keep all their digits. */
const PetTable = ({ pets }: { pets: readonly Schema<'Pet'>[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  <div class="table" tabIndex={0} role="group" aria-label="Table of pets">
    <table>
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pets.map((pet) => (
          <tr key={String(pet.id)}>
            {COLUMNS.map((name) => (
              <td key={name} title={shownValue(pet[name])}>
                {shownValue(pet[name])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
