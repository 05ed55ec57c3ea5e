/** The running drill: its verdict and task, its checks so far, and the requests that they are about. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { WORD } from '../issues/verdict.tsx';
import { Paste } from '../kit/copy.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { Status } from '../traffic/marks.tsx';

/** The verdicts of drills in words. */
export const WORDS = { ...WORD, 'not-graded': 'Not graded' } as const;

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

export function RunningDrill({ result, drill, onOutcome, onEnd }: RunningDrillProps) {
  const { key, baseUrl } = useSession();
  const isFresh = result.requests.length === 0 && result.outcome === null;
  return (
    <section class="card running" aria-labelledby="running-drill">
      <div>
        <h2 id="running-drill">
          {result.drill}{' '}
          {isFresh ? (
            <span class="word">Waiting for your client</span>
          ) : (
            <span class={`word ${result.verdict}`}>{WORDS[result.verdict]}</span>
          )}
        </h2>
        {result.reason !== null && !isFresh && <p>{sentence(visible(result.reason))}</p>}
        <dl class="pairs">
          <Fact name="Situation">{visible(result.title)}</Fact>
          <Fact name="Task">
            {TASKS[result.task]}
            {drill && drill.times > 1 && `, ${many(drill.times, 'time')}`}
          </Fact>
          {result.petName !== null && (
            <Fact name="Pet name">
              <code>{visible(result.petName)}</code>
            </Fact>
          )}
          {result.petId !== null && (
            <Fact name="Pet id">
              <code>{result.petId}</code>
            </Fact>
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

const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;

/** Asks what the client said, and then shows it. */
function Outcome({ outcome, onOutcome }: { outcome: DrillResult['outcome']; onOutcome: OnOutcome }) {
  const [given, setGiven] = useState('');
  if (outcome !== null) return <p class="hint">Your client said that it {outcome.success ? 'succeeded' : 'failed'}.</p>;
  return (
    <>
      <p>When your client is done, did it say that it succeeded? A success counts only with its result.</p>
      <label>
        <span>The pet or the list that it gave back, as JSON</span>
        <textarea
          class="code"
          rows={2}
          value={given}
          spellcheck={false}
          onInput={({ currentTarget }) => setGiven(currentTarget.value)}
        />
      </label>
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
        {check.requests.map((id) => (
          <>
            {' '}
            <a key={id} href={addressOf('traffic', id)}>
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
            <a class="target" href={addressOf('traffic', id)}>
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

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** The shapes of the control API for drills. */
export type Drill = Schema<'Drill'>;
export type DrillResult = Schema<'DrillResult'>;
