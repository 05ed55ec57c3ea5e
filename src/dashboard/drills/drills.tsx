/** Drills by hand: choose one, do its task with your own client, and see its checks next to the requests. */
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
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { sentence, visible } from '../kit/visible.tsx';
import { WORD } from '../live/words.tsx';
import { addressOf, usePlace } from '../route.ts';
import { openSession, useSession, useSignIn } from '../session.ts';
import { useLoss, useSandboxState } from '../strip/state.ts';

type Drill = Schema<'Drill'>;
type DrillResult = Schema<'DrillResult'>;
type EndedDrill = Schema<'EndedDrill'>;

export function Drills() {
  const { client } = useSession();
  const { sandbox } = useSandboxState();
  const { drill: wanted } = usePlace();
  const catalog = useLoaded(() => client.request('GET /drills'), [client]);
  const drill = sandbox.value?.drill ?? undefined;
  // The checks change with the traffic, and the state of the sandbox is read again after each reset and each arrival.
  const running = useLoaded(
    async () => (drill === undefined ? undefined : client.request('GET /drill').catch(undefinedWhereNone)),
    [client, sandbox.value],
  );
  const { drillResults = [] } = sandbox.value ?? {};
  const results = useLoaded(
    () =>
      Promise.all(
        drillResults.map(({ drill: ended }) =>
          client.request('GET /drill/results/{drill}', { params: { drill: ended } }),
        ),
      ),
    [client, drillResults.map(({ startedAt }) => startedAt).join()],
  );
  const resultOf = (id: string) => results.value?.find((each) => each.drill === id);
  const drills = catalog.value?.drills ?? [];
  const chosen = drills.find(({ id }) => id === (wanted ?? running.value?.drill));
  const error = catalog.error ?? running.error ?? results.error ?? sandbox.error;
  return (
    <>
      <header class="view-head">
        <h1>Drills</h1>
        {catalog.value && sandbox.value && (
          <span class="count">
            {drillResults.length} of {drills.length} done,{' '}
            {drillResults.filter(({ verdict }) => verdict === 'pass').length} passed
          </span>
        )}
        <p class="hint">
          A drill is a situation in which something goes wrong. Start one, do its task with your client and this key,
          and see how it did. Starting resets this sandbox and clears its request log.
        </p>
      </header>
      <Trouble error={error} />
      {chosen && (
        <DrillView
          key={chosen.id}
          drill={chosen}
          isWanted={wanted !== undefined}
          running={running.value?.drill === chosen.id ? running.value : undefined}
          last={resultOf(chosen.id)}
        />
      )}
      {Object.entries(drills.length > 0 ? GROUPS : {}).map(([group, title]) => (
        <section key={group} class="card drill-group" aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {drills
              .filter((each) => each.group === group)
              .map((each) => (
                <li key={each.id}>
                  <Outcome isRunning={each.id === running.value?.drill} result={resultOf(each.id)} />
                  <a href={addressOf('drills', each.id)} aria-current={each === chosen ? 'true' : undefined}>
                    {each.id}
                  </a>
                  <span>
                    {visible(each.title)} <Reason result={resultOf(each.id)} />
                  </span>
                  {each !== chosen && <Start id={each.id} class="plain" />}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Start({ id, class: look }: { id: string; class: string }) {
  const { client } = useSession();
  const { open } = useSignIn();
  const { live, sandbox } = useSandboxState();
  const { run, isBusy, error } = useAction();
  const lost = useLoss(live.exchanges.length > 0 ? ['the request log'] : []);
  const start = (): void =>
    void run(async () => {
      const task = await client.request('PUT /drill', { body: { drill: id } });
      location.hash = addressOf('drills', id);
      // This drill revokes the key that started it; the page continues with the second one.
      if (task.secondKey !== null) open(await openSession(task.secondKey));
      else sandbox.reload();
      return `The drill ${id} has started.`;
    });
  return (
    <>
      <ConfirmButton
        class={look}
        isBusy={isBusy}
        question={`Start ${id}?`}
        // What a drill leaves behind while it runs is no loss.
        loss={(sandbox.value?.drill ?? null) === null ? lost : undefined}
        onConfirm={start}
      >
        Start <span class="unseen">{id}</span>
      </ConfirmButton>
      <Trouble error={error} />
    </>
  );
}

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
      {sentence(visible(result.reason ?? `${WORDS[result.verdict]}, ${timeOfDay(result.startedAt)}`))}
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

interface DrillViewProps {
  readonly drill: Drill;
  /** Whether it was chosen, and not only runs. */
  readonly isWanted: boolean;
  readonly running: DrillResult | undefined;
  /** Its last result, from before. */
  readonly last: EndedDrill | undefined;
}

/** One drill: what goes wrong, what to do, and what the checks found now or last. */
function DrillView({ drill, isWanted, running, last }: DrillViewProps) {
  const { key, baseUrl, client } = useSession();
  const { sandbox } = useSandboxState();
  const ending = useAction();
  const end = (): void =>
    void ending.run(async () => {
      await client.request('DELETE /drill');
      sandbox.reload();
      return 'The drill has ended. The table below keeps the result.';
    });
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
        {!running && last && <p class="hint">The last result, of {timeOfDay(last.startedAt)}.</p>}
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
        {running?.outcome === null && <AskOutcome />}
        {result?.outcome && (
          <p class="hint">
            Your client said that it {result.outcome.success ? 'succeeded' : 'failed'}
            {result.outcome.missing !== null && `, but it didn’t give back ${visible(result.outcome.missing)}`}.
          </p>
        )}
        <div class="buttons">
          {running ? (
            <button type="button" onClick={end}>
              End the drill
            </button>
          ) : (
            <Start id={drill.id} class="primary" />
          )}
        </div>
        <Trouble error={ending.error} />
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

/** Asks what the client said. */
function AskOutcome() {
  const { client } = useSession();
  const { sandbox } = useSandboxState();
  const { run, error } = useAction();
  const [given, setGiven] = useState('');
  const report = (success: boolean): void =>
    void run(async () => {
      const results = success && given.trim() !== '' ? returnedResults(readJson(given)) : [];
      await client.request('POST /drill/outcome', { body: { success, crashed: false, results } });
      sandbox.reload();
      return `Noted: your client ${success ? 'succeeded' : 'failed'}.`;
    });
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
        <button type="button" onClick={() => report(true)}>
          It succeeded
        </button>
        <button type="button" onClick={() => report(false)}>
          It failed
        </button>
      </div>
      <Trouble error={error} />
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

/** When each came, and what came of it. */
function Requests({ requests, isRunning }: { requests: EndedDrill['requests']; isRunning: boolean }) {
  const { exchanges } = useSandboxState().live;
  const { rows, left } = timeLineOf(requests);
  if (rows.length === 0)
    return <p class="hint">{isRunning ? 'None yet. They appear here as your client sends them.' : 'None.'}</p>;
  return (
    <>
      <ol class="entries" aria-label="Requests of the drill">
        {rows.map(({ request: { id, method, target }, from, outcome, wait }) => (
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
            </span>
            <small>{from === 0 ? 'at the start' : `+${duration(from)}`}</small>
          </li>
        ))}
      </ol>
      {left > 0 && <p class="hint">And {many(left, 'more request')}.</p>}
    </>
  );
}
