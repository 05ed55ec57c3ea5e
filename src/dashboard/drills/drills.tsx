/** Drills by hand: choose one, do its task with your own client, and see its checks next to the requests. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { duration } from '../../base/text.ts';
import { ClientError } from '../../client/errors.ts';
import { readJson } from '../../client/json.ts';
import type { Schema } from '../../client/routes.ts';
import { returnedResults } from '../../client/run-drill.ts';
import { timeLineOf } from '../../verdict/report/formats/time-line.ts';
import { useAction, useLoaded } from '../kit/action.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Paste } from '../kit/copy.tsx';
import { FormField, Pair } from '../kit/form.tsx';
import { many, moment } from '../kit/time.ts';
import { Blank, Trouble } from '../kit/trouble.tsx';
import { sentence, visible } from '../kit/visible.tsx';
import { WORD } from '../live/words.tsx';
import { addressOf, usePlace } from '../route.ts';
import { openSession, type Session, useSession, useSignIn } from '../session.ts';
import { useLoss, useSandboxState } from '../strip/state.ts';

type Drill = Schema<'Drill'>;
type DrillResult = Schema<'DrillResult'>;
type EndedDrill = Schema<'EndedDrill'>;

export function Drills() {
  const { client } = useSession();
  const { open } = useSignIn();
  const { live, sandbox } = useSandboxState();
  const { drill: wanted } = usePlace();
  const acting = useAction();
  const catalog = useLoaded(() => client.request('GET /drills'), [client]);
  const drill = sandbox.value?.drill ?? undefined;
  // The checks change with the traffic, and the state of the sandbox is read again after each reset and each arrival.
  const running = useLoaded(
    async () => (drill === undefined ? undefined : client.request('GET /drill').catch(undefinedWhereNone)),
    [client, sandbox.value],
  );
  const drills = catalog.value?.drills;
  const { drillResults = [] } = sandbox.value ?? {};
  const chosen = drills?.find(({ id }) => id === (wanted ?? running.value?.drill));
  const results = useLoaded(
    () =>
      Promise.all(
        drillResults.map(({ drill: ended }) =>
          client.request('GET /drill/results/{drill}', { params: { drill: ended } }),
        ),
      ),
    [client, drillResults.map(({ startedAt }) => startedAt).join()],
  );
  const resultOf = (id: string | undefined) => results.value?.find((each) => each.drill === id);
  const lost = useLoss(live.exchanges.length > 0 ? ['the request log'] : []);
  const start = (id: string): void =>
    void acting.run(async () => {
      const task = await client.request('PUT /drill', { body: { drill: id } });
      location.hash = addressOf('drills', id);
      // This drill revokes the key that started it; the page continues with the second one.
      if (task.secondKey !== null) open(await openSession(task.secondKey));
      else sandbox.reload();
      return `The drill ${id} has started.`;
    });
  const change = (work: () => Promise<unknown>, message: string): void =>
    void acting.run(async () => {
      await work();
      sandbox.reload();
      return message;
    });
  const startOf = (id: string) => (
    <ConfirmButton
      class={id === chosen?.id ? 'primary' : 'plain'}
      isBusy={acting.isBusy}
      question={`Start ${id}?`}
      // What a drill leaves behind while it runs is no loss.
      loss={drill === undefined ? lost : undefined}
      onConfirm={() => start(id)}
    >
      Start <span class="unseen">{id}</span>
    </ConfirmButton>
  );
  const error = acting.error ?? catalog.error ?? running.error ?? results.error ?? sandbox.error;
  const passed = drillResults.filter(({ verdict }) => verdict === 'pass').length;
  return (
    <>
      <header class="view-head">
        <h1>Drills</h1>
        {drills && sandbox.value && (
          <span class="count">
            {drillResults.length} of {drills.length} done, {passed} passed
          </span>
        )}
        <p class="hint">
          A drill is a situation in which something goes wrong. Start one, do its task with your client and this key,
          and see how it did. Starting resets this sandbox and clears its request log.
        </p>
      </header>
      <Trouble error={error} />
      {chosen ? (
        <DrillView
          key={chosen.id}
          drill={chosen}
          isWanted={wanted !== undefined}
          running={running.value?.drill === chosen.id ? running.value : undefined}
          last={resultOf(chosen.id)}
          start={startOf(chosen.id)}
          onOutcome={(success, given) => change(() => reportOutcome(client, success, given), told(success))}
          onEnd={() =>
            change(() => client.request('DELETE /drill'), 'The drill has ended. The table below keeps the result.')
          }
        />
      ) : (
        error === undefined && drill !== undefined && <Blank />
      )}
      {drills
        ? (Object.keys(GROUPS) as Drill['group'][]).map((group) => (
            <section key={group} class="card drill-group" aria-label={GROUPS[group]}>
              <h2>{GROUPS[group]}</h2>
              <ul>
                {drills
                  .filter((each) => each.group === group)
                  .map(({ id, title }) => (
                    <li key={id}>
                      <Outcome isRunning={id === running.value?.drill} result={resultOf(id)} />
                      <a href={addressOf('drills', id)} aria-current={id === chosen?.id ? 'true' : undefined}>
                        {id}
                      </a>
                      <span>
                        {visible(title)} <Reason result={resultOf(id)} />
                      </span>
                      {id !== chosen?.id && startOf(id)}
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
  const results = given.trim() === '' ? [] : returnedResults(readJson(given));
  return client.request('POST /drill/outcome', { body: { success, crashed: false, results } });
}

const told = (success: boolean): string => `Noted: your client ${success ? 'succeeded' : 'failed'}.`;

/** 404 says that no drill is running. @throws every other error */
function undefinedWhereNone(error: unknown): undefined {
  if (error instanceof ClientError && error.status === 404) return undefined;
  throw error;
}

/** Sign and color of a verdict. */
const SIGNS = { pass: '✓', fail: '✗', incomplete: '?', 'not-applicable': '–' } as const;

const Outcome = ({ isRunning, result }: { isRunning: boolean; result: EndedDrill | undefined }) => (
  <span class={isRunning ? 'fault' : (result?.verdict ?? 'hint')}>
    <span aria-hidden="true">{isRunning ? '▸' : result ? SIGNS[result.verdict] : ''}</span>
    <span class="unseen">{isRunning ? 'running' : result ? WORDS[result.verdict] : 'not done'}</span>
  </span>
);

/** What the last result says: the reason, or that it passed. */
const Reason = ({ result }: { result: EndedDrill | undefined }) =>
  result && (
    <small class={`word-of ${result.verdict}`}>
      {sentence(visible(result.reason ?? `${WORDS[result.verdict]}, ${moment(result.startedAt)}`))}
    </small>
  );

/** The drills to choose from, by group. */
const GROUPS: Readonly<Record<Drill['group'], string>> = {
  writes: 'Writes: nothing twice or halfway',
  retries: 'Retries: waits, then gives up',
  compatibility: 'Compatibility: survives the next version',
};

/** The verdicts of drills in words. */
const WORDS = { ...WORD, 'not-applicable': 'Not applicable' } as const;

/** The color of a check's status. */
const MARKS = { pass: 'good', skipped: '', fail: 'bad', open: 'warn' } as const;

const TASKS: Readonly<Record<DrillResult['task'], string>> = {
  list: 'List the pets',
  'list-at-once': 'List the pets, all requests at once',
  create: 'Create the pet',
  get: 'Get the pet',
  'list-and-get': 'List the pets, then get the named one by its id in the list',
  all: 'List the pets, create the named pet, and get the pet with the id',
};

/** Called with whether the client says that it succeeded, and with the JSON that it returned. */
type OnOutcome = (success: boolean, given: string) => void;

interface DrillViewProps {
  readonly drill: Drill;
  /** Whether it was chosen, and not only runs. */
  readonly isWanted: boolean;
  readonly running: DrillResult | undefined;
  /** Its last result, from before. */
  readonly last: EndedDrill | undefined;
  readonly start: ComponentChildren;
  readonly onOutcome: OnOutcome;
  readonly onEnd: () => void;
}

/** One drill: what goes wrong, what to do, and what the checks found now or last. */
function DrillView({ drill, isWanted, running, last, start, onOutcome, onEnd }: DrillViewProps) {
  const { key, baseUrl } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isWanted) heading.current?.focus();
  }, [isWanted]);
  const isFresh = running !== undefined && running.requests.length === 0 && running.outcome === null;
  const result = running ?? last;
  const found = isFresh ? undefined : result;
  const checks = drill.checks.map((check) => ({ check, found: found?.checks.find(({ id }) => id === check.id) }));
  return (
    <section class="card running" aria-labelledby="drill">
      <div>
        <h2 id="drill" ref={heading} tabIndex={-1}>
          {drill.id} {isFresh && <span class="mark">Waiting for your client</span>}
          {found && <span class={`word ${found.verdict}`}>{WORDS[found.verdict]}</span>}
        </h2>
        {!running && last && <p class="hint">The last result, of {moment(last.startedAt)}.</p>}
        {found && found.reason !== null && <p>{sentence(visible(found.reason))}</p>}
        <dl class="pairs">
          <Pair name="Situation">{visible(drill.title)}</Pair>
          <Pair name="Task">
            {TASKS[drill.task]}
            {drill.times > 1 && `, ${many(drill.times, 'time')}`}
          </Pair>
          {Object.entries({ 'Pet name': running?.petName ?? null, 'Pet id': running?.petId ?? null }).map(
            ([name, text]) =>
              text !== null && (
                <Pair key={name} name={name}>
                  <code>{visible(text)}</code>
                </Pair>
              ),
          )}
        </dl>
        {isFresh && (
          <Paste
            title="Run your client with the address and the key"
            what="command"
            text={`SANDBOX_URL=${baseUrl} SANDBOX_KEY=${key} your-client`}
          />
        )}
        {running && running.outcome === null ? (
          <AskOutcome onOutcome={onOutcome} />
        ) : (
          <Said outcome={result?.outcome} />
        )}
        <div class="buttons">
          {running && (
            <button type="button" onClick={onEnd}>
              End the drill
            </button>
          )}
          {!running && start}
        </div>
      </div>
      <div>
        <h3>Checks</h3>
        <ol class="entries" aria-label="Checks">
          {checks.map((each) => (
            <CheckRow key={each.check.id} {...each} />
          ))}
        </ol>
        <h3>Requests</h3>
        <Requests requests={result?.requests ?? []} isRunning={running !== undefined} />
      </div>
    </section>
  );
}

const Said = ({ outcome }: { outcome: DrillResult['outcome'] | undefined }) =>
  outcome ? (
    <p class="hint">
      Your client said that it {outcome.success ? 'succeeded' : 'failed'}
      {outcome.missing !== null && `, but it didn’t give back ${visible(outcome.missing)}`}.
    </p>
  ) : null;

/** Asks what the client said. */
function AskOutcome({ onOutcome }: { onOutcome: OnOutcome }) {
  const [given, setGiven] = useState('');
  return (
    <>
      <p>When your client is done, did it report success? A success only counts with its result.</p>
      <FormField label="The pet or the list that it gave back, as JSON">
        <textarea
          class="code"
          rows={2}
          value={given}
          spellcheck={false}
          onInput={({ currentTarget }) => setGiven(currentTarget.value)}
        />
      </FormField>
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

interface CheckRowProps {
  readonly check: Drill['checks'][number];
  /** Nothing where no client did the drill. */
  readonly found: EndedDrill['checks'][number] | undefined;
}

/** What has to hold, what was found, and how to fix a client that fails it. */
const CheckRow = ({ check: { title, level, source, fix }, found }: CheckRowProps) => (
  <li>
    <span class="entry">
      <strong>{visible(title)}</strong>
      <small>
        {level}, by {source}
      </small>
      {found && (
        <span>
          {sentence(visible(found.words))} <RequestLinks ids={found.requests} />
        </span>
      )}
      {found?.status === 'fail' && (
        <span>
          <strong>Fix:</strong> {visible(fix)}
        </span>
      )}
    </span>
    {found && <span class={`mark ${MARKS[found.status]}`}>{found.status}</span>}
  </li>
);

/** Links to those that the request log still has. */
function RequestLinks({ ids }: { ids: readonly string[] }) {
  const { exchanges } = useSandboxState().live;
  const known = exchanges.filter(({ id }) => ids.includes(id)).reverse();
  return (
    <>
      {known.map(({ id, method, status }) => (
        <small key={id}>
          <a href={addressOf('live', id)}>
            {method} {status || 'cut'}
          </a>{' '}
        </small>
      ))}
    </>
  );
}

/** When each came and how long it took, as a line and in words. */
function Requests({ requests, isRunning }: { requests: EndedDrill['requests']; isRunning: boolean }) {
  const { exchanges } = useSandboxState().live;
  const { rows, left } = timeLineOf(requests);
  if (rows.length === 0)
    return <p class="hint">{isRunning ? 'None yet. They appear here as your client sends them.' : 'None.'}</p>;
  const end = Math.max(1, ...rows.map(({ to }) => to));
  const percent = (ms: number): string => `${(100 * ms) / end}%`;
  return (
    <>
      <ol class="entries" aria-label="Requests of the drill">
        {rows.map(({ request: { id, method, target, injectedFault, status }, from, to, outcome, wait }) => (
          <li key={id}>
            <span class="entry">
              <span class="target">
                {exchanges.some((each) => each.id === id) ? (
                  <a href={addressOf('live', id)}>
                    {method} {visible(target)}
                  </a>
                ) : (
                  `${method} ${visible(target)}`
                )}
              </span>
              <small>
                {visible(outcome)}
                {wait && ` · ${wait}`}
              </small>
              <span class="track" aria-hidden="true">
                <span
                  class={injectedFault === null ? `s${String(status)[0]}` : 'fault'}
                  style={{ marginInlineStart: `min(${percent(from)}, 100% - 2px)`, width: percent(to - from) }}
                />
              </span>
            </span>
            <small>{from === 0 ? 'at the start' : `+${duration(from)}`}</small>
          </li>
        ))}
      </ol>
      {left > 0 && <p class="hint">And {many(left, 'more request')}.</p>}
    </>
  );
}
