/** Save and restore: snapshots, copies with a key, and the sandbox as a file. */
import type { Schema } from '../../../client/routes.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { offerFile } from '../kit/download.ts';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { RecordingPicker } from '../recordings/recording-picker.tsx';
import { openSession, type Session, useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { IssuedKey } from './keys.tsx';
import { useLoss } from './loss.ts';

/** The forms of the sandbox as a file. */
const FORMS = [
  ['recording', 'Recording', 'recording.jsonl'],
  ['har', 'HTTP Archive', 'requests.har'],
  ['curl', 'curl script', 'requests.sh'],
  ['fixture', 'Fixture', 'pets.json'],
] as const;

export function StatesCard({ onOpen }: { onOpen: (session: Session) => void }) {
  const { client } = useSession();
  const { forks, addFork } = useSandboxState();
  const announce = useAnnounce();
  const acting = useAction();
  const loss = useLoss();
  const list = useLoaded(async () => (await client.request('GET /snapshots')).snapshots, [client]);
  const act = (work: () => Promise<unknown>, said: string): Promise<boolean> =>
    acting.run(async () => {
      await work();
      announce(said);
      list.reload();
    });
  const save = ([format, , name]: (typeof FORMS)[number]): Promise<boolean> =>
    act(async () => offerFile(await client.text('GET /export', { query: { format } }), name), `Downloaded ${name}.`);
  return (
    <section class="card" aria-labelledby="states">
      <h2 id="states">Save and restore</h2>
      <ul class="entries">
        {list.value?.map(({ name, fixture, pets, createdAt }) => (
          <li key={name}>
            <span class="entry">
              <strong>{visible(name)}</strong>
              <small>
                snapshot of {fixture}, {many(pets, 'pet')}, {timeOfDay(createdAt)}
              </small>
            </span>
            <ConfirmButton
              class="plain"
              name={`Restore ${name}`}
              question={`Restore ${name}?`}
              loss={`${loss} A snapshot of the present state would keep it.`}
              onConfirm={() =>
                void act(() => client.request('POST /reset', { body: { snapshot: name } }), `Back at ${name}.`)
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
                void act(() => client.request('DELETE /snapshots/{name}', { params: { name } }), `Deleted ${name}.`)
              }
            >
              Delete
            </ConfirmButton>
          </li>
        ))}
        {forks.map(({ id, key, label, sandbox, createdAt }) => (
          <li key={id}>
            <span class="entry">
              <strong>{visible(label ?? sandbox)}</strong>
              <small>fork, {timeOfDay(createdAt)}</small>
            </span>
            <button
              type="button"
              class="plain"
              aria-label={`Open ${visible(label ?? sandbox)} here`}
              onClick={() => void acting.run(async () => onOpen(await openSession(key)))}
            >
              Open here
            </button>
          </li>
        ))}
      </ul>
      <NameForm
        label="Name of the present state"
        isRequired
        onName={(name) => act(() => client.request('POST /snapshots', { body: { name } }), `Saved as ${name}.`)}
      >
        Save snapshot
      </NameForm>
      <NameForm
        label="Label of a copy with its own key"
        onName={(label) =>
          act(
            async () => addFork(await client.request('POST /fork', { body: label === '' ? {} : { label } })),
            'Forked. The new key is shown once.',
          )
        }
      >
        Fork
      </NameForm>
      {forks.length > 0 && <IssuedKey issued={forks.at(-1) as Schema<'IssuedKey'>} />}
      <Trouble error={acting.error ?? list.error} />
      <h3>As a file, without secrets</h3>
      <div class="buttons">
        {FORMS.map((form) => (
          <button key={form[0]} type="button" disabled={acting.isBusy} onClick={() => void save(form)}>
            {form[1]}
          </button>
        ))}
      </div>
      <RecordingPicker onOpen={onOpen} />
    </section>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly isRequired?: boolean;
  /** Resolves to whether it was accepted. */
  readonly onName: (name: string) => Promise<boolean>;
  readonly children: string;
}

function NameForm({ label, isRequired = false, onName, children }: NameFormProps) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void onName(String(new FormData(form).get('name')).trim()).then((done) => done && form.reset());
  };
  return (
    <form onSubmit={submit} class="row with-button">
      <label>
        <span>{label}</span>
        <input name="name" autoComplete="off" required={isRequired} />
      </label>
      <button type="submit">{children}</button>
    </form>
  );
}
