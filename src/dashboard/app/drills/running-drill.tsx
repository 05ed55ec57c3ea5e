/** The running drill: its task, its checks so far, and the requests that they are about. */
import { many, timeOfDay } from '../kit/time.ts';
import { addressOf } from '../route.ts';
import { Status } from '../traffic/marks.tsx';
import type { Drill, DrillResult } from './types.ts';

/** The colour of a verdict and of a check's status. */
const MARKS = { pass: '', skipped: '', fail: 'bad', incomplete: 'warn', open: 'warn' } as const;

const TASKS: Readonly<Record<DrillResult['task'], string>> = {
  list: 'List the pets',
  'list-at-once': 'List the pets, all requests at once',
  create: 'Create the pet',
  get: 'Get the pet',
  'list-and-get': 'List the pets, then get the named one by its id in the list',
  all: 'List the pets, create the named pet, and get the pet with the id',
};

interface RunningDrillProps {
  readonly result: DrillResult;
  readonly drill: Drill | undefined;
  /** Called with whether the client says that it succeeded. */
  readonly onOutcome: (success: boolean) => void;
  readonly onEnd: () => void;
}

export function RunningDrill({ result, drill, onOutcome, onEnd }: RunningDrillProps) {
  const { petName, petId } = result;
  return (
    <section class="card running" aria-labelledby="running-drill">
      <h2 id="running-drill">
        {result.drill} <span class={`mark ${MARKS[result.verdict]}`}>{result.verdict}</span>
      </h2>
      <p>{result.title}</p>
      <dl class="pairs">
        <dt>Task</dt>
        <dd>
          {TASKS[result.task]}
          {drill && drill.times > 1 && `, ${many(drill.times, 'time')}`}
        </dd>
        {petName !== null && <Fact name="Pet name" value={petName} />}
        {petId !== null && <Fact name="Pet id" value={petId} />}
      </dl>
      <Outcome outcome={result.outcome} onOutcome={onOutcome} />
      {result.reason !== null && <p class="hint">{result.reason}</p>}
      <h3>Checks</h3>
      <ol class="entries" aria-label="Checks">
        {result.checks.map((check) => (
          <CheckRow key={check.id} check={check} />
        ))}
      </ol>
      <h3>Requests</h3>
      <Requests requests={result.requests} />
      <button type="button" onClick={onEnd}>
        End the drill
      </button>
    </section>
  );
}

/** Asks what the client said, and then shows it. */
function Outcome({ outcome, onOutcome }: { outcome: DrillResult['outcome']; onOutcome: (success: boolean) => void }) {
  if (outcome !== null) return <p class="hint">Your client said that it {outcome.success ? 'succeeded' : 'failed'}.</p>;
  return (
    <>
      <p>When your client is done, did it say that it succeeded?</p>
      <div class="buttons">
        <button type="button" onClick={() => onOutcome(true)}>
          It succeeded
        </button>
        <button type="button" onClick={() => onOutcome(false)}>
          It failed
        </button>
      </div>
    </>
  );
}

const CheckRow = ({ check }: { check: DrillResult['checks'][number] }) => (
  <li>
    <span class="entry">
      <strong>
        {check.title} <span class={`mark ${MARKS[check.status]}`}>{check.status}</span>
      </strong>
      <small>
        {check.level}: {check.words} · {check.source}
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
  </li>
);

function Requests({ requests }: { requests: DrillResult['requests'] }) {
  if (requests.length === 0) return <p class="hint">None yet.</p>;
  return (
    <ol class="entries" aria-label="Requests of the drill">
      {requests.map(({ id, at, method, target, status, injected }) => (
        <li key={id}>
          <a class="entry" href={addressOf('traffic', id)}>
            <span>
              <Status status={status} /> {method} {target}
            </span>
            <small>
              {timeOfDay(at)}
              {injected !== null && `, fault: ${injected}`}
            </small>
          </a>
        </li>
      ))}
    </ol>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <code>{value}</code>
    </dd>
  </>
);
