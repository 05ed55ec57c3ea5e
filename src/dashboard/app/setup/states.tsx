/** Save and restore: snapshots, copies with a key, and the sandbox as a file. */
import type { Schema } from '../../../client/routes.ts';
import { RecordingPicker } from '../files.tsx';
import { useAction, useLoaded } from '../kit/action.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Downloads, Field, Form, ListItem } from '../kit/form.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { openSession, useSession, useSignIn } from '../session.ts';
import { NO_LOSS, useLoss, useSandboxState } from '../strip/state.ts';
import { IssuedKey } from './keys.tsx';

/** The forms of the sandbox as a file. */
const FORMS = [
  ['recording', 'Recording', 'recording.jsonl'],
  ['har', 'HTTP Archive', 'requests.har'],
  ['curl', 'curl script', 'requests.sh'],
  ['fixture', 'Fixture', 'pets.json'],
] as const;

export function StatesCard() {
  const { client } = useSession();
  const { open } = useSignIn();
  // The rules are read again every few seconds: another tab may save a state meanwhile.
  const { forks, addFork, faults } = useSandboxState();
  const acting = useAction();
  const loss = useLoss();
  const list = useLoaded(async () => (await client.request('GET /snapshots')).snapshots, [client, faults.value]);
  const act = (work: () => Promise<unknown>, said: string): void =>
    void acting.run(async () => {
      await work();
      list.reload();
      return said;
    });
  const save = async (name = ''): Promise<string> => {
    await client.request('POST /snapshots', { body: { name } });
    list.reload();
    return `Saved as ${name}.`;
  };
  const fork = async (label = ''): Promise<string> => {
    addFork(await client.request('POST /fork', { body: label === '' ? {} : { label } }));
    return 'Forked. The new key is shown once.';
  };
  return (
    <section class="card" aria-labelledby="states">
      <h2 id="states">Save and restore</h2>
      <ul class="entries">
        {list.value?.map(({ name, fixture, pets, createdAt }) => (
          <ListItem
            key={name}
            name={visible(name)}
            detail={`snapshot of ${fixture}, ${many(pets, 'pet')}, ${timeOfDay(createdAt)}`}
          >
            <ConfirmButton
              class="plain"
              name={`Restore ${name}`}
              question={`Restore ${name}?`}
              loss={`${loss ?? NO_LOSS} A snapshot of the present state would keep it.`}
              onConfirm={() =>
                act(() => client.request('POST /reset', { body: { snapshot: name } }), `Back at ${name}.`)
              }
            >
              Restore
            </ConfirmButton>
            <ConfirmButton
              class="plain danger"
              name={`Delete ${name}`}
              question={`Delete ${name}?`}
              loss={`You lose the snapshot of ${many(pets, 'pet')}. The present state stays.`}
              onConfirm={() =>
                act(() => client.request('DELETE /snapshots/{name}', { params: { name } }), `Deleted ${name}.`)
              }
            >
              Delete
            </ConfirmButton>
          </ListItem>
        ))}
        {forks.map(({ id, key, label, sandbox, createdAt }) => (
          <ListItem key={id} name={visible(label ?? sandbox)} detail={`fork, ${timeOfDay(createdAt)}`}>
            <button
              type="button"
              class="plain"
              aria-label={`Open ${visible(label ?? sandbox)} here`}
              onClick={() => void acting.run(async () => open(await openSession(key)))}
            >
              Open here
            </button>
          </ListItem>
        ))}
      </ul>
      <Form button="Save snapshot" class="row with-button" onSend={({ name }) => save(name)}>
        <Field label="Name of the present state">
          <input name="name" autoComplete="off" required />
        </Field>
      </Form>
      <Form button="Fork" class="row with-button" onSend={({ label }) => fork(label)}>
        <Field label="Label of a copy with its own key">
          <input name="label" autoComplete="off" />
        </Field>
      </Form>
      {forks.length > 0 && <IssuedKey issued={forks.at(-1) as Schema<'IssuedKey'>} />}
      <Trouble error={acting.error ?? list.error} />
      <Downloads
        label="As a file, without secrets"
        files={FORMS}
        load={(format) => client.text('GET /export', { query: { format } })}
      />
      <RecordingPicker />
    </section>
  );
}
