/** Drills by hand: choose one, do its task with your own client, and see its checks next to the requests. */
import { useState } from 'preact/hooks';
import { ClientError } from '../../../client/errors.ts';
import { readJson } from '../../../client/json.ts';
import type { Schema } from '../../../client/routes.ts';
import { resultsOf } from '../../../client/run-drill.ts';
import { useAction, useLoaded } from '../kit/action.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Paste } from '../kit/copy.tsx';
import { Field, Pair } from '../kit/form.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Blank, Trouble } from '../kit/trouble.tsx';
import { sentence, visible } from '../kit/visible.ts';
import { Status } from '../live/list.tsx';
import { WORD } from '../live/verdict.tsx';
import { addressOf } from '../route.ts';
import { openSession, type Session, useSession, useSignIn } from '../session.ts';
import { useLoss, useSandboxState } from '../strip/state.ts';

type Drill = Schema<'Drill'>;
type DrillResult = Schema<'DrillResult'>;

export function Drills() {
  const { client } = useSession();
  const { open } = useSignIn();
  const { live, sandbox } = useSandboxState();
  const acting = useAction();
  const catalogue = useLoaded(() => client.request('GET /drills'), [client]);
  const drill = sandbox.value?.drill ?? undefined;
  // The checks change with the traffic, and the state of the sandbox is read again after each reset and each arrival.
  const running = useLoaded(
    async () => (drill === undefined ? undefined : client.request('GET /drill').catch(undefinedWhereNone)),
    [client, sandbox.value],
  );
  const drills = catalogue.value?.drills;
  const resultOf = (id: string) => sandbox.value?.drillResults.find((each) => each.drill === id);
  const loss = useLoss([`the request log of ${many(live.total, 'request')}`]);
  const start = (id: string): void =>
    void acting.run(async () => {
      const task = await client.request('PUT /drill', { body: { drill: id } });
      // This drill revokes the key that started it; the page goes on with the second one.
      if (task.secondKey !== null) open(await openSession(task.secondKey));
      else document.querySelector('main')?.scrollTo(0, 0);
      return `The drill ${id} has started.`;
    });
  const change = (work: () => Promise<unknown>, message: string): void =>
    void acting.run(async () => {
      await work();
      sandbox.reload();
      return message;
    });
  const error = acting.error ?? catalogue.error ?? running.error ?? sandbox.error;
  return (
    <>
      <header class="view-head">
        <h1>Drills</h1>
        {drills && sandbox.value && (
          <span class="count">
            {sandbox.value.drillResults.length} of {drills.length} graded
          </span>
        )}
        <p class="hint">
          A drill is a situation in which something goes wrong. Start one, do its task with your client and this key,
          and see how it did. A start resets this sandbox and clears its request log.
        </p>
      </header>
      <Trouble error={error} />
      {running.value ? (
        <RunningDrill
          result={running.value}
          drill={drills?.find(({ id }) => id === running.value?.drill)}
          onOutcome={(success, given) => change(() => reportOutcome(client, success, given), told(success))}
          onEnd={() => change(() => client.request('DELETE /drill'), 'The drill has ended. Its result stays below.')}
        />
      ) : (
        error === undefined && drill !== undefined && <Blank />
      )}
      {drills
        ? (Object.keys(GROUPS) as Drill['group'][]).map((group) => (
            <section key={group} class="drill-group" aria-label={GROUPS[group]}>
              <h2>{GROUPS[group]}</h2>
              <ul class="drill-cards">
                {drills
                  .filter((each) => each.group === group)
                  .map(({ id, title }) => (
                    <li key={id}>
                      <ConfirmButton
                        class="drill-card"
                        isCurrent={id === running.value?.drill}
                        isBusy={acting.isBusy}
                        question={`Start ${id}?`}
                        // What a drill leaves behind is no loss.
                        loss={drill === undefined && live.total > 0 ? loss : undefined}
                        onConfirm={() => start(id)}
                      >
                        <strong>
                          {id} <Badge isRunning={id === running.value?.drill} result={resultOf(id)} />
                        </strong>
                        <span class="hint">{visible(title)}</span>
                      </ConfirmButton>
                    </li>
                  ))}
              </ul>
            </section>
          ))
        : error === undefined && <Blank />}
    </>
  );
}

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
  writes: 'Writes: nothing twice or halfway',
  retries: 'Retries: waits, then gives up',
  compatibility: 'Compatibility: survives the next version',
};

/** The verdicts of drills in words. */
const WORDS = { ...WORD, 'not-graded': 'Not graded' } as const;

/** The colour of a check's status. */
const MARKS = { pass: 'good', skipped: '', fail: 'bad', incomplete: 'warn', open: 'warn' } as const;

const TASKS: Readonly<Record<DrillResult['task'], string>> = {
  list: 'List the pets',
  'list-at-once': 'List the pets, all requests at once',
  create: 'Create the pet',
  get: 'Get the pet',
  'list-and-get': 'List the pets, then get the named one by its id in the list',
  all: 'List the pets, create the named pet, and get the pet with the id',
};

/** Called with whether the client says that it succeeded, and with the JSON that it gave back. */
type OnOutcome = (success: boolean, given: string) => void;

interface RunningDrillProps {
  readonly result: DrillResult;
  readonly drill: Drill | undefined;
  readonly onOutcome: OnOutcome;
  readonly onEnd: () => void;
}

function RunningDrill({ result, drill, onOutcome, onEnd }: RunningDrillProps) {
  const { key, baseUrl } = useSession();
  const isFresh = result.requests.length === 0 && result.outcome === null;
  return (
    <section class="card running" aria-labelledby="running-drill">
      <div>
        <h2 id="running-drill">
          {result.drill}{' '}
          {isFresh ? (
            <span class="mark">Waiting for your client</span>
          ) : (
            <span class={`word ${result.verdict}`}>{WORDS[result.verdict]}</span>
          )}
        </h2>
        {result.reason !== null && !isFresh && <p>{sentence(visible(result.reason))}</p>}
        <dl class="pairs">
          <Pair name="Situation">{visible(result.title)}</Pair>
          <Pair name="Task">
            {TASKS[result.task]}
            {drill && drill.times > 1 && `, ${many(drill.times, 'time')}`}
          </Pair>
          {result.petName !== null && (
            <Pair name="Pet name">
              <code>{visible(result.petName)}</code>
            </Pair>
          )}
          {result.petId !== null && (
            <Pair name="Pet id">
              <code>{result.petId}</code>
            </Pair>
          )}
        </dl>
        {isFresh && (
          <Paste
            title="Run your client with the address and the key"
            what="command"
            text={`SANDBOX_URL=${baseUrl} SANDBOX_KEY=${key} your-client`}
          />
        )}
        <Outcome outcome={result.outcome} onOutcome={onOutcome} />
        <div class="buttons">
          <button type="button" onClick={onEnd}>
            End the drill
          </button>
        </div>
      </div>
      <div>
        <h3>Checks</h3>
        <ol class="entries" aria-label="Checks">
          {result.checks.map((check) => (
            <CheckRow key={check.id} check={check} />
          ))}
        </ol>
        <h3>Requests</h3>
        <Requests requests={result.requests} />
      </div>
    </section>
  );
}

/** Asks what the client said, and then shows it. */
function Outcome({ outcome, onOutcome }: { outcome: DrillResult['outcome']; onOutcome: OnOutcome }) {
  const [given, setGiven] = useState('');
  if (outcome !== null) return <p class="hint">Your client said that it {outcome.success ? 'succeeded' : 'failed'}.</p>;
  return (
    <>
      <p>When your client is done, did it report success? A success only counts with its result.</p>
      <Field label="The pet or the list that it gave back, as JSON">
        <textarea
          class="code"
          rows={2}
          value={given}
          spellcheck={false}
          onInput={({ currentTarget }) => setGiven(currentTarget.value)}
        />
      </Field>
      <div class="buttons">
        <button type="button" onClick={() => onOutcome(true, given)}>
          It succeeded
        </button>
        <button type="button" onClick={() => onOutcome(false, '')}>
          It failed
        </button>
      </div>
    </>
  );
}

const CheckRow = ({ check }: { check: DrillResult['checks'][number] }) => (
  <li>
    <span class="entry">
      <strong>{visible(check.title)}</strong>
      <small>
        {check.level}: {visible(check.words)} · {check.source}
        {check.status === 'fail' && ` · ${visible(check.fix)}`}
        {check.requests.map((id) => (
          <>
            {' '}
            <a key={id} href={addressOf('live', id)}>
              {id}
            </a>
          </>
        ))}
      </small>
    </span>
    <span class={`mark ${MARKS[check.status]}`}>{check.status}</span>
  </li>
);

function Requests({ requests }: { requests: DrillResult['requests'] }) {
  if (requests.length === 0) return <p class="hint">None yet. They appear here as your client sends them.</p>;
  return (
    <ol class="entries" aria-label="Requests of the drill">
      {requests.map(({ id, at, method, target, status, injectedFault: injected }) => (
        <li key={id}>
          <Status status={status} />
          <span class="entry">
            <a class="target" href={addressOf('live', id)}>
              {method} {visible(target)}
            </a>
            {injected !== null && <small>fault: {visible(injected)}</small>}
          </span>
          <small>{timeOfDay(at)}</small>
        </li>
      ))}
    </ol>
  );
}
