/** Snapshots and forks as a tree: each state below the fixture that it began with. */
import type { ComponentChildren } from 'preact';
import type { Schema } from '../../../client/routes.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { openSession, type Session, useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { IssuedKey } from './keys.tsx';
import { useLoss } from './loss.ts';

type Fork = Schema<'IssuedKey'>;
type Snapshot = Schema<'Snapshot'>;

export function StatesCard({ onOpen }: { onOpen: (session: Session) => void }) {
  const { client } = useSession();
  const { forks, addFork } = useSandboxState();
  const announce = useAnnounce();
  const acting = useAction();
  const list = useLoaded(async () => (await client.request('GET /snapshots')).snapshots, [client]);
  const act: Act = (work, said) =>
    acting.run(async () => {
      await work();
      announce(said);
      list.reload();
    });
  const save = (name: string): Promise<boolean> =>
    act(() => client.request('POST /snapshots', { body: { name } }), `Saved as ${name}.`);
  const fork = (label: string): Promise<boolean> =>
    acting.run(async () => {
      addFork(await client.request('POST /fork', { body: label === '' ? {} : { label } }));
      announce('Forked. The new key is shown once.');
    });
  return (
    <section class="card" aria-labelledby="states">
      <h2 id="states">Snapshots and forks</h2>
      <Tree
        snapshots={list.value ?? []}
        act={act}
        onOpenFork={({ key }) => void acting.run(async () => onOpen(await openSession(key)))}
      />
      <NameForm
        label="Name of the present state"
        placeholder="before-checkout"
        isRequired
        isBusy={acting.isBusy}
        onName={save}
      >
        Save snapshot
      </NameForm>
      <NameForm label="Label of the copy" placeholder="optional" isBusy={acting.isBusy} onName={fork}>
        Fork
      </NameForm>
      <p class="hint">A fork is a copy with its own key. Neither sees what the other does.</p>
      <Trouble error={acting.error ?? list.error} />
      {forks.length > 0 && <IssuedKey issued={forks.at(-1) as Fork} />}
    </section>
  );
}

type Act = (work: () => Promise<unknown>, said: string) => Promise<boolean>;

interface TreeProps {
  readonly snapshots: readonly Snapshot[];
  readonly act: Act;
  readonly onOpenFork: (fork: Fork) => void;
}

function Tree({ snapshots, act, onOpenFork }: TreeProps) {
  const { sandbox, forks } = useSandboxState();
  const own = sandbox.value?.fixture;
  const fixtures = [...new Set([...snapshots.map(({ fixture }) => fixture), ...(own ? [own] : [])])];
  return (
    <ul class="tree">
      {fixtures.map((fixture) => (
        <Node key={fixture} name={fixture} about="fixture">
          {snapshots
            .filter((each) => each.fixture === fixture)
            .map((snapshot) => (
              <SnapshotNode key={snapshot.name} snapshot={snapshot} act={act} />
            ))}
          {fixture === own && sandbox.value && (
            <Node
              isPresent
              name="Now"
              about={`${many(sandbox.value.pets.total, 'pet')}, ${sandbox.value.pets.added} added`}
            >
              {forks.length > 0 &&
                forks.map((each) => <ForkNode key={each.id} fork={each} onOpen={() => onOpenFork(each)} />)}
            </Node>
          )}
        </Node>
      ))}
    </ul>
  );
}

interface NodeProps {
  readonly name: string;
  readonly about: string;
  readonly isPresent?: boolean;
  readonly actions?: ComponentChildren;
  /** The states below it. */
  readonly children?: ComponentChildren;
}

const Node = ({ name, about, isPresent = false, actions, children }: NodeProps) => (
  <li>
    <div class={isPresent ? 'node present' : 'node'}>
      <span class="entry">
        <strong>{name}</strong>
        <small>{about}</small>
      </span>
      {actions}
    </div>
    {children && <ul>{children}</ul>}
  </li>
);

interface SnapshotNodeProps {
  readonly snapshot: Snapshot;
  readonly act: Act;
}

function SnapshotNode({ snapshot: { name, createdAt, pets }, act }: SnapshotNodeProps) {
  const { client } = useSession();
  const loss = useLoss();
  const restore = (): void =>
    void act(() => client.request('POST /reset', { body: { snapshot: name } }), `Back at ${name}.`);
  const drop = (): void =>
    void act(() => client.request('DELETE /snapshots/{name}', { params: { name } }), `Deleted ${name}.`);
  return (
    <Node
      name={visible(name)}
      about={`${many(pets, 'pet')}, ${timeOfDay(createdAt)}`}
      actions={
        <>
          <ConfirmButton
            class="plain"
            name={`Restore ${name}`}
            question={`Restore ${name}?`}
            loss={`${loss} A snapshot of the present state would keep it.`}
            onConfirm={restore}
          >
            Restore
          </ConfirmButton>
          <ConfirmButton
            class="plain danger"
            name={`Delete ${name}`}
            question={`Delete ${name}?`}
            loss={`You lose the snapshot of ${many(pets, 'pet')}. The present state stays.`}
            onConfirm={drop}
          >
            Delete
          </ConfirmButton>
        </>
      }
    />
  );
}

const ForkNode = ({ fork: { label, sandbox, createdAt }, onOpen }: { fork: Fork; onOpen: () => void }) => (
  <Node
    name={visible(label ?? sandbox)}
    about={`fork, ${timeOfDay(createdAt)}`}
    actions={
      <button type="button" class="plain" aria-label={`Open ${visible(label ?? sandbox)} here`} onClick={onOpen}>
        Open here
      </button>
    }
  />
);

interface NameFormProps {
  readonly label: string;
  readonly placeholder: string;
  readonly isRequired?: boolean;
  readonly isBusy: boolean;
  /** Resolves to whether it was accepted. */
  readonly onName: (name: string) => Promise<boolean>;
  readonly children: string;
}

function NameForm({ label, placeholder, isRequired = false, isBusy, onName, children }: NameFormProps) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void onName(String(new FormData(form).get('name')).trim()).then((done) => done && form.reset());
  };
  return (
    <form onSubmit={submit} class="row with-button">
      <label>
        <span>{label}</span>
        <input name="name" autoComplete="off" placeholder={placeholder} required={isRequired} />
      </label>
      <button type="submit" disabled={isBusy}>
        {children}
      </button>
    </form>
  );
}
