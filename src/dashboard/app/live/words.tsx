/** The verdict on the selected run, and what changed since the run before. */
import { MAX_EXCHANGES } from '../../../core/limits.ts';
import { useAction } from '../kit/action.ts';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { ALL_RUNS, addressOf, type Filter, setFilter } from '../route.ts';
import { useSession } from '../session.ts';
import { type Standing, useSandboxState } from '../strip/state.ts';
import { FaultLine } from './fault-line.tsx';
import { retriesIn } from './filters.ts';
import type { Summary } from './kept.ts';
import type { Live } from './live.ts';

const number = (count: number): string => count.toLocaleString('en-GB');

export const WORD = { pass: 'Pass', fail: 'Fail', incomplete: 'Incomplete' } as const;

/** @param entries those of the run, newest first */
export function Words({ filter, entries }: { filter: Filter; entries: readonly Summary[] }) {
  const { live, standing } = useSandboxState();
  const { client } = useSession();
  const beginning = useAction();
  const { value } = standing;
  const twice = retriesIn(entries).filter(({ isTwice }) => isTwice);
  const begin = (): void =>
    void beginning.run(async () => {
      await client.request('POST /runs');
      setFilter({ ...filter, run: '' });
      return 'The next request begins a new run. Nothing was deleted.';
    });
  return (
    <header class="over">
      <section class="words" aria-label="The verdict">
        {value && (
          <p>
            <a class={`word ${value.report.verdict}`} href={addressOf('live')}>
              {WORD[value.report.verdict]}
            </a>{' '}
            <RunChoice filter={filter} /> <Base standing={value} live={live} />
            {value.run?.startedAt && <span class="hint"> · {timeOfDay(value.run.startedAt)}</span>}{' '}
            <Changes filter={filter} />{' '}
            {twice.map(({ to, words }) => (
              <a key={to.id} class="chip bad" href={addressOf('live', to.id)}>
                {words}
              </a>
            ))}
          </p>
        )}
      </section>
      <div class="buttons">
        <FaultLine title="Fault on the next…" operation={filter.operation} />
        <button type="button" disabled={beginning.isBusy} onClick={begin}>
          New run
        </button>
      </div>
      <Trouble error={beginning.error} />
    </header>
  );
}

function RunChoice({ filter }: { filter: Filter }) {
  const { value } = useSandboxState().standing;
  if (!value || value.runs.length === 0) return null;
  return (
    <label>
      in{' '}
      <select
        aria-label="Run"
        value={value.run?.run ?? ALL_RUNS}
        onChange={({ currentTarget }) => setFilter({ ...filter, run: currentTarget.value })}
      >
        {value.runs.map(({ run, verdict }) => (
          <option key={run} value={run}>
            {visible(run)} ({WORD[verdict].toLowerCase()})
          </option>
        ))}
        <option value={ALL_RUNS}>all runs</option>
      </select>
    </label>
  );
}

/** `fixed 2`, `new 1`, `still 1`: by issue, against the run before of the same client, or another. */
function Changes({ filter }: { filter: Filter }) {
  const { run, runs = [] } = useSandboxState().standing.value ?? {};
  const others = runs.filter((each) => each.run !== run?.run);
  if (!run || others.length === 0) return null;
  return (
    <>
      <ChangeChips {...run} />{' '}
      <label class="hint">
        against{' '}
        <select
          aria-label="Compared with"
          value={run.against ?? ''}
          onChange={({ currentTarget }) => setFilter({ ...filter, against: currentTarget.value })}
        >
          {run.against === null && <option value="">no other run</option>}
          {others.map(({ run: name }) => (
            <option key={name} value={name}>
              {visible(name)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

/** The counts that are not zero. */
export const ChangeChips = (run: { readonly fixed: number; readonly new: number; readonly still: number }) => (
  <>
    {run.fixed > 0 && <span class="mark good">fixed {number(run.fixed)}</span>}{' '}
    {run.new > 0 && <span class="mark bad">new {number(run.new)}</span>}{' '}
    {run.still > 0 && <span class="mark warn">still {number(run.still)}</span>}
  </>
);

/** Of how many requests the row speaks, and how many of them the page can show. */
const Base = ({ standing: { report }, live: { exchanges, isWhole } }: { standing: Standing; live: Live }) => (
  <span class="account">
    {many(report.account.total, 'request')}
    {report.behavior.dropped > 0 && ` (${number(report.behavior.dropped)} older ones dropped)`}
    {!isWhole && exchanges.length < MAX_EXCHANGES && ` · ${number(exchanges.length)} loaded`}
  </span>
);
