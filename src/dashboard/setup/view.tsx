/** Setup: faults, clock, data, saved states and keys. */
import { useState } from 'preact/hooks';
import { useAction, useLoaded } from '../kit/action.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Choice, Form, FormField } from '../kit/form.tsx';
import { many, momentUtc } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.tsx';
import { openClient, useSession, useSignIn } from '../session.ts';
import { listed, useSandboxState } from '../strip/state.ts';
import { useLossBeforeUndo, withUndo } from '../strip/undo.ts';
import { FaultsCard } from './faults.tsx';
import { KeysCard } from './keys.tsx';
import { StatesCard } from './states.tsx';

export const Setup = () => (
  <>
    <header class="view-head">
      <h1>Setup</h1>
    </header>
    <div class="cards">
      <div>
        <FaultsCard />
        <ClockCard />
      </div>
      <div>
        <DataCard />
        <StatesCard />
      </div>
      <div>
        <KeysCard />
        <RequestLogCard />
        <EndCard />
      </div>
    </div>
  </>
);

const STEPS = [
  ['+ 1 hour', 'PT1H'],
  ['+ 1 day', 'P1D'],
  ['+ 30 days', 'P30D'],
] as const;

/** The sandbox's own clock. All times are in UTC, as in the API. */
function ClockCard() {
  const { client } = useSession();
  const { clock } = useSandboxState();
  const acting = useAction();
  const { value } = clock;
  const set = async (work: () => ReturnType<typeof client.request<'GET /clock'>>): Promise<string> => {
    const { now, frozen } = await work();
    return `The clock shows ${momentUtc(now)}${frozen ? ', and stands still' : ''}.`;
  };
  const act = (work: Parameters<typeof set>[0]): void => void acting.run(() => set(work));
  return (
    <section class="card" aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      {value && (
        <p>
          <time>{momentUtc(value.now)}</time> {value.frozen && <span class="mark warn">stands still</span>}
        </p>
      )}
      <p class="hint">Only the API follows it.</p>
      <Trouble error={acting.error ?? clock.error} />
      <div class="buttons">
        {STEPS.map(([label, duration]) => (
          <button
            key={label}
            type="button"
            onClick={() => act(() => client.request('POST /clock/advance', { body: { duration } }))}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={value?.frozen ?? false}
          onClick={() => act(() => client.request('PUT /clock', { body: { frozen: !value?.frozen } }))}
        >
          Freeze
        </button>
        <button type="button" onClick={() => act(() => client.request('DELETE /clock'))}>
          Real time
        </button>
      </div>
      <Form
        button="Set"
        class="row with-button"
        onSend={({ now = '' }) =>
          set(() => client.request('PUT /clock', { body: { now: `${now}${now.length === 16 ? ':00' : ''}Z` } }))
        }
      >
        <FormField label="Date and time, UTC">
          <input name="now" type="datetime-local" step="1" required />
        </FormField>
      </Form>
    </section>
  );
}

/** Deletes the requests, and with them what the report counts. */
function RequestLogCard() {
  const { client } = useSession();
  const clearing = useAction();
  const clear = (): void =>
    void clearing.run(async () => {
      await client.request('DELETE /requests');
      return 'The request log is empty.';
    });
  return (
    <section class="card" aria-labelledby="request-log">
      <h2 id="request-log">Request log</h2>
      <p class="hint">To start over without deleting anything, choose “New run” in Live.</p>
      <Trouble error={clearing.error} />
      <ConfirmButton
        isBusy={clearing.isBusy}
        question="Clear the request log?"
        loss="You lose all requests, the runs and their reports. Pets, clock and faults stay."
        onConfirm={clear}
      >
        Clear the request log
      </ConfirmButton>
    </section>
  );
}

/** Resets the sandbox to a fixture. */
function DataCard() {
  const session = useSession();
  const { sandbox } = useSandboxState();
  const resetting = useAction();
  const fixtures = useLoaded(() => openClient().request('GET /fixtures'), []);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const loss = useLossBeforeUndo();
  const own = sandbox.value?.fixture;
  const name = chosen ?? own;
  const all = fixtures.value?.fixtures ?? [];
  const reset = (): void => {
    void resetting.run(() =>
      withUndo(session, async () => {
        const { sandbox: now } = await session.client.request('POST /reset', { body: { fixture: chosen } });
        return `Reset to ${name}: ${many(now?.pets.total ?? 0, 'pet')}.`;
      }),
    );
  };
  return (
    <section class="card" aria-labelledby="data">
      <h2 id="data">Data</h2>
      <Choice label="Fixture" value={name} onChange={(each) => setChosen(each === own ? undefined : each)}>
        {[
          ...(own === 'inline' ? [['inline', 'inline (its own)'] as const] : []),
          ...all.map((each) => [each.name, `${each.name} (${many(each.pets, 'pet')})`] as const),
        ]}
      </Choice>
      <p class="hint">{visible(all.find((each) => each.name === name)?.description ?? '')}</p>
      <ConfirmButton
        isBusy={resetting.isBusy || name === undefined}
        question={`Reset to ${name}?`}
        loss={`${loss} Snapshots and the request log stay.`}
        onConfirm={reset}
      >
        Reset
      </ConfirmButton>
      <Trouble error={resetting.error ?? fixtures.error ?? sandbox.error} />
    </section>
  );
}

function EndCard() {
  const { client, sandbox } = useSession();
  const { signOut } = useSignIn();
  const { keys, sandbox: now } = useSandboxState();
  const ending = useAction();
  const end = (): void =>
    void ending.run(async () => {
      await client.request('DELETE /');
      signOut();
      return 'The sandbox has ended.';
    });
  const pets = many(now.value?.pets.total ?? 0, 'pet');
  const lost = [pets, 'all snapshots', 'all requests', many(keys.value?.length ?? 0, 'key')];
  return (
    <section class="card" aria-labelledby="end">
      <h2 id="end">End</h2>
      {sandbox.preconfigured ? (
        <p class="hint">
          The key of this sandbox is in the server’s settings, so you can reset the sandbox, but not end it.
        </p>
      ) : (
        <ConfirmButton
          isBusy={ending.isBusy}
          question="End sandbox?"
          loss={`You lose ${listed(lost)}. Clients with a key to it get 401. There is no way back.`}
          onConfirm={end}
        >
          End sandbox
        </ConfirmButton>
      )}
      <Trouble error={ending.error} />
    </section>
  );
}
