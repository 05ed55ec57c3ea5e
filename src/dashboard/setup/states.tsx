/** Save and restore: snapshots, copies with a key, and the sandbox as a file. */
import { useState } from 'preact/hooks';
import type { Schema } from '../../client/routes.ts';
import { endOfUndo } from '../../client/undo.ts';
import { useAction } from '../kit/action.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { download, Form, FormField, ListItem } from '../kit/form.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.tsx';
import { openSession, type Session, useSession, useSignIn } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { useLossBeforeUndo, withUndo } from '../strip/undo.ts';
import { IssuedKey } from './keys.tsx';

/** What can be saved as a file. The key is sent in a header, which a link cannot do: the page fetches them. */
const FILES = [
  ['Recording', 'recording.jsonl', (client) => client.text('GET /export', { query: { format: 'recording' } })],
  ['HTTP Archive', 'requests.har', (client) => client.text('GET /export', { query: { format: 'har' } })],
  ['curl script', 'requests.sh', (client) => client.text('GET /export', { query: { format: 'curl' } })],
  ['Fixture', 'pets.json', (client) => client.text('GET /export', { query: { format: 'fixture' } })],
  ['Report', 'contract-report.html', (client) => client.text('GET /report', { query: { format: 'html' } })],
] as const satisfies readonly (readonly [string, string, (client: Session['client']) => Promise<string>])[];

export function StatesCard() {
  const session = useSession();
  const { client } = session;
  const { open } = useSignIn();
  const { snapshots: list } = useSandboxState();
  const [forked, setForked] = useState<Schema<'IssuedKey'> | undefined>(undefined);
  const acting = useAction();
  const loss = useLossBeforeUndo();
  const saved = list.value?.filter(({ name }) => endOfUndo(name) === undefined) ?? [];
  const act = (work: () => Promise<string>): void => void acting.run(work);
  const save = async (name = ''): Promise<string> => {
    await client.request('POST /snapshots', { body: { name } });
    return `Saved as ${name}.`;
  };
  const fork = async (label = ''): Promise<string> => {
    setForked(await client.request('POST /fork', { body: label === '' ? {} : { label } }));
    return 'Forked. The new key is shown once.';
  };
  return (
    <section class="card" aria-labelledby="states">
      <h2 id="states">Save and restore</h2>
      <ul class="entries">
        {saved.map(({ name, fixture, pets, createdAt }) => (
          <ListItem
            key={name}
            name={visible(name)}
            detail={`snapshot of ${fixture}, ${many(pets, 'pet')}, ${timeOfDay(createdAt)}`}
          >
            <ConfirmButton
              class="plain"
              name={`Restore ${name}`}
              question={`Restore ${name}?`}
              loss={loss}
              onConfirm={() =>
                act(() =>
                  withUndo(session, async () => {
                    await client.request('POST /reset', { body: { snapshot: name } });
                    return `Back at ${name}.`;
                  }),
                )
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
                act(async () => {
                  await client.request('DELETE /snapshots/{name}', { params: { name } });
                  return `Deleted ${name}.`;
                })
              }
            >
              Delete
            </ConfirmButton>
          </ListItem>
        ))}
      </ul>
      <Form button="Save snapshot" class="row with-button" onSend={({ name }) => save(name)}>
        <FormField label="Name of the present state">
          <input name="name" autoComplete="off" required />
        </FormField>
      </Form>
      <Form button="Fork" class="row with-button" onSend={({ label }) => fork(label)}>
        <FormField label="Label of a copy with its own key">
          <input name="label" autoComplete="off" />
        </FormField>
      </Form>
      {forked && (
        <IssuedKey issued={forked}>
          <button
            type="button"
            class="plain"
            onClick={() => void acting.run(async () => open(await openSession(forked.key)))}
          >
            Open the fork here
          </button>
        </IssuedKey>
      )}
      <Trouble error={acting.error ?? list.error} />
      <details>
        <summary>Download, without secrets…</summary>
        <div class="buttons">
          {FILES.map(([label, name, load]) => (
            <button
              key={name}
              type="button"
              class="plain"
              onClick={() => act(async () => download(await load(client), name))}
            >
              {label}
            </button>
          ))}
        </div>
      </details>
    </section>
  );
}
