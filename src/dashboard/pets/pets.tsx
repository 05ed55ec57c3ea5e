/** The pets of the sandbox, read through the control API: looking at them takes no part in what the client's tests see. */
import { useState } from 'preact/hooks';
import { basePath, petStatuses, schemas } from '../../base/generated/facts.ts';
import { parseIfJson, writeJson } from '../../base/int64.ts';
import { readJson } from '../../client/json.ts';
import type { Schema } from '../../client/routes.ts';
import { useLoaded, useSettled } from '../kit/action.ts';
import { Choice, Form, FormField, type Given, named } from '../kit/form.tsx';
import { many } from '../kit/time.ts';
import { Blank, Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.tsx';
import { sendDraft } from '../live/draft.tsx';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';

type Schemas = Readonly<
  Record<string, { readonly type?: string | readonly string[]; readonly enum?: readonly unknown[] }>
>;
const NEW_PET: Schemas = schemas.NewPet.properties;
const REQUIRED: readonly string[] = schemas.NewPet.required;
const PET: Schemas = schemas.Pet.properties;

/** A load test must not load the list at each request. */
const CALM_MS = 300;

export function PetsView() {
  const session = useSession();
  const { live } = useSandboxState();
  const { client } = session;
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
  /** Through the API, whose error messages are shown. */
  const add = async (given: Given): Promise<string> => {
    const fields = Object.entries(NEW_PET).flatMap(([name, schema]) => {
      const text = given[name] ?? '';
      return text === '' && !REQUIRED.includes(name) ? [] : [[name, valueOfText(text, schema)]];
    });
    const body = writeJson(Object.fromEntries(fields));
    const headers = 'Content-Type: application/json';
    const answer = await sendDraft({ method: 'POST', target: `${basePath}/pets`, headers, body }, session);
    const pet = readJson(answer.body) as { id?: bigint; message?: string };
    if (answer.status !== 201) throw new Error(pet.message);
    reload();
    return `Added ${visible(given['name'] ?? 'a pet')} as ${pet.id}.`;
  };
  return (
    <div class="pets-view">
      <section class="stream" aria-label="Pets">
        <header class="view-head">
          <h1>Pets</h1>
          {value && <span class="count">{many(value.total, 'pet')} in this sandbox</span>}
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
          <p class="hint">
            The first {value.pets.length.toLocaleString('en-GB')}, by id. Any other is found by its id.
          </p>
        )}
        {/* Beneath an error, no list says that there are none. */}
        {!value && error === undefined && <Blank />}
        {value && error === undefined && value.pets.length > 0 && <PetTable pets={value.pets} />}
        {value && error === undefined && value.pets.length === 0 && (
          <div class="empty">
            <p>{status === '' ? 'No pets here.' : `No pet is ${status}.`}</p>
            <p>Add one, generate some, or reset the sandbox to a fixture that has some.</p>
          </div>
        )}
      </section>
      <aside class="card" aria-label="Add pets">
        <h2>Add a pet</h2>
        <Form button="Add" onSend={add}>
          {Object.entries(NEW_PET).map(([name, schema]) => (
            <FieldOf key={name} name={name} schema={schema} />
          ))}
        </Form>
        <p class="hint">
          It goes through the API, and is marked “this page” in the list. It counts in no report and no drill.
        </p>
      </aside>
    </div>
  );
}

/** A control for a field of a new pet. An array or an object is written as JSON. */
function FieldOf({
  name,
  schema: { type, enum: values },
}: {
  readonly name: string;
  readonly schema: Schemas[string];
}) {
  const label = labelOf(name);
  const choices = values?.map(shownChoice) ?? (type === 'boolean' ? ['true', 'false'] : undefined);
  if (choices)
    return (
      <Choice label={label} name={name} none="None">
        {named(choices)}
      </Choice>
    );
  const isInteger = type === 'integer';
  return (
    <FormField label={label}>
      <input
        name={name}
        autoComplete="off"
        inputMode={isInteger ? 'numeric' : type === 'number' ? 'decimal' : undefined}
        defaultValue={isInteger && REQUIRED.includes(name) ? '1' : undefined}
      />
    </FormField>
  );
}

/** A value of an enumeration, as it is written into the form. */
const shownChoice = (value: unknown): string => (typeof value === 'string' ? value : writeJson(value));

/** Digits stay digits. Text that isn't JSON is sent as text, which the API rejects in its own words. */
function valueOfText(text: string, { type, enum: values }: Schemas[string]): unknown {
  if (values) return values.find((value) => shownChoice(value) === text);
  const types = [type].flat();
  if (text === 'null' && types.includes('null')) return null;
  // `12` is a text where a field is a string or null.
  return types.every((each) => each === 'string' || each === 'null') ? text : (parseIfJson(text) ?? text);
}

/** `Category id`. */
const labelOf = (name: string): string =>
  `${name[0]?.toUpperCase()}${name.slice(1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;

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
          {Object.keys(PET).map((name) => (
            <th key={name} scope="col">
              {labelOf(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pets.map((pet) => (
          <tr key={String(pet.id)}>
            {Object.entries(PET).map(([name, { type, enum: values }]) => {
              const text = shownValue(pet[name as keyof typeof pet]);
              return type === 'string' && values === undefined ? (
                <td key={name} class="name" title={text}>
                  {text}
                </td>
              ) : (
                <td key={name} class="number">
                  {text}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
