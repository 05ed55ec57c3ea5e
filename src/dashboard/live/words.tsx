/** The one line of Live: the verdict, the run, when, how many requests, and what changed since the run before. */
import { OpenFile } from '../files.tsx';
import { useAction } from '../kit/action.ts';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { sentence, visible } from '../kit/visible.tsx';
import { ALL_RUNS, addressOf, type Filter, setFilter } from '../route.ts';
import { useSession } from '../session.ts';
import { type Standing, useSandboxState } from '../strip/state.ts';
import type { Live } from './live.ts';

export const WORD = { pass: 'Pass', fail: 'Fail', incomplete: 'Incomplete' } as const;

/** How a mistake differs from the run before, in the order of the line. */
export const CHANGES = { fixed: 'good', new: 'bad', still: 'warn' } as const;

/** `…` where there is none yet. */
export const VerdictWord = ({ verdict }: { verdict: keyof typeof WORD | undefined }) => (
  <span class={`word ${verdict ?? ''}`}>{verdict === undefined ? '…' : WORD[verdict]}</span>
);

/** Why a verdict is no pass. */
export const Reasons = ({ reasons }: { reasons: readonly string[] }) => (
  <ul>
    {reasons.map((reason) => (
      <li key={reason}>{sentence(visible(reason))}</li>
    ))}
  </ul>
);

/** Whether the client sent something that a verdict can be about. What this page sent is nothing. */
export const hasVerdict = ({ run, runs }: Standing): boolean => runs.length > 0 && run?.requests !== 0;

export function Words({ filter }: { filter: Filter }) {
  const session = useSession();
  const { live, standing, showHar } = useSandboxState();
  const beginning = useAction();
  const { value } = standing;
  const isJudged = value !== undefined && hasVerdict(value);
  const begin = (): void =>
    void beginning.run(async () => {
      await session.client.request('POST /runs');
      setFilter({ ...filter, run: '', change: '' });
      return 'The next request begins a new run. Nothing was deleted.';
    });
  return (
    <header class="over">
      <section class="words" aria-label="The verdict">
        <VerdictWord verdict={isJudged ? value.report.verdict : undefined} />
        {value && value.runs.length > 0 && <RunChoice filter={filter} standing={value} />}
        {isJudged ? (
          <>
            {value.run?.startedAt && <span>{timeOfDay(value.run.startedAt)}</span>}
            <span class="account" role="status">
              {countWords(value, live)}
            </span>
            {value.run && <Changes filter={filter} run={value.run} />}
          </>
        ) : (
          <span>{live.state === 'opening' ? '' : 'waiting for the next run'}</span>
        )}
      </section>
      <div class="buttons">
        <button type="button" disabled={beginning.isBusy} onClick={begin}>
          New run
        </button>
        <OpenFile at={{ session, showHar }} />
        <a class="button" href={addressOf('live', 'new')}>
          Send a request
        </a>
      </div>
      <Trouble error={beginning.error} />
    </header>
  );
}

/** `1 request`; of all runs, how many the page lists. */
function countWords({ report: { account }, run }: Standing, { exchanges }: Live): string {
  const listed = run === undefined && exchanges.length < account.total ? exchanges.length : undefined;
  const words = many(account.total, 'request');
  return listed === undefined ? words : `${words} · the last ${listed.toLocaleString('en-GB')} listed`;
}

const RunChoice = ({ filter, standing: { run, runs } }: { filter: Filter; standing: Standing }) => (
  <select
    aria-label="Run"
    value={run?.run ?? ALL_RUNS}
    onChange={({ currentTarget }) => setFilter({ ...filter, run: currentTarget.value, change: '' })}
  >
    {runs.map(({ run: name, requests, verdict }) => (
      <option key={name} value={name}>
        {requests === 0 ? 'next run' : `${visible(name)} (${WORD[verdict].toLowerCase()})`}
      </option>
    ))}
    <option value={ALL_RUNS}>all runs</option>
  </select>
);

/** `1 fixed`, `1 new`, `1 still`: each shows these mistakes alone. */
function Changes({ filter, run }: { filter: Filter; run: Standing['runs'][number] }) {
  if (run.against === null) return null;
  return (
    <>
      {(Object.keys(CHANGES) as (keyof typeof CHANGES)[])
        .filter((change) => run[change] > 0)
        .map((change) => (
          <button
            key={change}
            type="button"
            class={`mark ${CHANGES[change]}`}
            aria-pressed={filter.change === change}
            onClick={() => setFilter({ ...filter, change: filter.change === change ? '' : change })}
          >
            {run[change].toLocaleString('en-GB')} {change}
          </button>
        ))}
      <span class="hint">since {visible(run.against)}</span>
    </>
  );
}
