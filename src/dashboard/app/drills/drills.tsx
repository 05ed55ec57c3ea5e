/** Drills by hand: choose one, do its task with your own client, and see its checks beside the requests. */
import { ClientError } from '../../../client/errors.ts';
import { readJson } from '../../../client/json.ts';
import type { Schema } from '../../../client/routes.ts';
import { resultsOf } from '../../../client/run-drill.ts';
import { useLoss } from '../controls/loss.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { Blank } from '../kit/blank.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { openSession, type Session, useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import type { Live } from '../traffic/live.ts';
import { type Drill, RunningDrill, WORDS } from './running-drill.tsx';

export function Drills({ live, onOpen }: { live: Live; onOpen: (session: Session) => void }) {
  const { client } = useSession();
  const { sandbox } = useSandboxState();
  const announce = useAnnounce();
  const acting = useAction();
  const catalogue = useLoaded(() => client.request('GET /drills'), [client]);
  const drill = sandbox.value?.drill ?? undefined;
  // The checks change with the traffic, and the state of the sandbox is read again after each reset and each arrival.
  const running = useLoaded(
    async () => (drill === undefined ? undefined : client.request('GET /drill').catch(undefinedWhereNone)),
    [client, sandbox.value],
  );
  const loss = useLoss([`the traffic of ${many(live.total, 'request')}`]);
  const start = (id: string): void =>
    void acting.run(async () => {
      const task = await client.request('PUT /drill', { body: { drill: id } });
      announce(`The drill ${id} has started.`);
      // This drill revokes the key that started it; the page goes on with the second one.
      if (task.secondKey !== null) onOpen(await openSession(task.secondKey));
      else scrollTo(0, 0);
    });
  const change = (work: () => Promise<unknown>, message: string): void =>
    void acting.run(async () => {
      await work();
      announce(message);
      sandbox.reload();
    });
  const error = acting.error ?? catalogue.error ?? running.error ?? sandbox.error;
  return (
    <>
      <Head />
      <Trouble error={error} />
      {running.value ? (
        <RunningDrill
          result={running.value}
          drill={catalogue.value?.drills.find(({ id }) => id === running.value?.drill)}
          onOutcome={(success, given) => change(() => reportOutcome(client, success, given), told(success))}
          onEnd={() => change(() => client.request('DELETE /drill'), 'The drill has ended. Its result stays below.')}
        />
      ) : (
        error === undefined && drill !== undefined && <Blank rows={0} />
      )}
      {catalogue.value ? (
        <Catalogue
          drills={catalogue.value.drills}
          running={running.value?.drill}
          results={sandbox.value?.drillResults ?? []}
          // What a drill leaves behind is no loss.
          loss={drill === undefined && live.total > 0 ? loss : undefined}
          isBusy={acting.isBusy}
          onStart={start}
        />
      ) : (
        error === undefined && <Blank rows={3} />
      )}
    </>
  );
}

const Head = () => (
  <header class="view-head">
    <h1>Drills</h1>
    <p class="hint">
      A drill is a situation in which something goes wrong. Start one, do its task with your client and this key, and
      see how it did. A start resets this sandbox and clears its request log.
    </p>
  </header>
);

/** @throws {JsonError} for a result that is not JSON */
async function reportOutcome(client: Session['client'], success: boolean, given: string): Promise<unknown> {
  const results = given.trim() === '' ? [] : resultsOf(readJson(given));
  return client.request('POST /drill/outcome', { body: { success, crashed: false, results } });
}

const told = (success: boolean): string => `Noted: your client ${success ? 'succeeded' : 'failed'}.`;

/** 404 says that no drill is running. @throws every other error */
function undefinedWhereNone(error: unknown): undefined {
  if (error instanceof ClientError && error.status === 404) return undefined;
  throw error;
}

const COLOURS = { pass: 'good', fail: 'bad', incomplete: 'warn', 'not-graded': '' } as const;

const Badge = ({ isRunning, result }: { isRunning: boolean; result: Schema<'DrillVerdict'> | undefined }) =>
  isRunning ? (
    <span class="mark">running</span>
  ) : (
    result && <span class={`mark ${COLOURS[result.verdict]}`}>{WORDS[result.verdict]}</span>
  );

/** The drills to choose from, as cards by group. */
const GROUPS: Readonly<Record<Drill['group'], string>> = {
  writes: 'Writes: nothing twice, nothing half',
  retries: 'Retries: waits, and gives up',
  compatibility: 'Compatibility: survives the next version',
};

interface CatalogueProps {
  readonly drills: readonly Drill[];
  /** The id of the running drill. */
  readonly running: string | undefined;
  /** The last result of each drill that was tried. */
  readonly results: readonly Schema<'DrillVerdict'>[];
  /** What a start throws away; `undefined` if nothing. */
  readonly loss: string | undefined;
  readonly isBusy: boolean;
  readonly onStart: (id: string) => void;
}

const Catalogue = ({ drills, running, results, loss, isBusy, onStart }: CatalogueProps) => (
  <section aria-label="Catalogue of drills">
    {(Object.keys(GROUPS) as Drill['group'][]).map((group) => (
      <div key={group} class="drill-group">
        <h2>{GROUPS[group]}</h2>
        <ul class="drill-cards">
          {drills
            .filter((drill) => drill.group === group)
            .map(({ id, title }) => (
              <li key={id}>
                <ConfirmButton
                  class="drill-card"
                  isCurrent={id === running}
                  isBusy={isBusy}
                  question={`Start ${id}?`}
                  loss={loss}
                  onConfirm={() => onStart(id)}
                >
                  <strong>
                    {id} <Badge isRunning={id === running} result={results.find(({ drill }) => drill === id)} />
                  </strong>
                  <span class="hint">{visible(title)}</span>
                </ConfirmButton>
              </li>
            ))}
        </ul>
      </div>
    ))}
  </section>
);
