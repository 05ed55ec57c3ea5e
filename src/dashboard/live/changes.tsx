/** What to change, the newest failure first; below it, folded: coverage, the day of the next change, address and key. */
import { useMemo } from 'preact/hooks';
import type { Schema } from '../../client/routes.ts';
import { Pair } from '../kit/form.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { addressOf, type Filter, setFilter } from '../route.ts';
import { type Standing, useSandboxState } from '../strip/state.ts';
import { FirstLines } from './empty.tsx';
import { Fixing, Mistake } from './mistake.tsx';
import { CHANGES, hasVerdict, Reasons } from './words.tsx';

/** While no request is open. */
export function WhatToChange({ filter }: { filter: Filter }) {
  const { value, error, reload } = useSandboxState().standing;
  if (!value) return <Trouble error={error} retry={reload} />;
  return (
    <section class="card changes" aria-labelledby="changes">
      {hasVerdict(value) && <Mistakes standing={value} filter={filter} />}
      <Trouble error={error} />
      {hasVerdict(value) && (
        <>
          <Coverage report={value.report} />
          <NextChange preview={value.preview} />
        </>
      )}
      <details class="keyboard">
        <summary>Address and key</summary>
        <FirstLines />
        <h2>Shortcuts</h2>
        <dl class="pairs">
          {KEYS.map(([keys, what]) => (
            <Pair key={keys} name={<kbd class="mark">{keys}</kbd>}>
              {what}
            </Pair>
          ))}
        </dl>
      </details>
    </section>
  );
}

const KEYS = [
  ['j, k', 'open the next or the previous request'],
  ['Esc', 'close the request'],
  ['/', 'search'],
  ['n', 'open the next failure'],
  ['w', 'write a request'],
  ['?', 'show these shortcuts'],
] as const;

interface MistakesProps {
  readonly standing: Standing;
  readonly filter: Filter;
}

function Mistakes({ standing: { issues, report, run }, filter }: MistakesProps) {
  const { exchanges } = useSandboxState().live;
  const { change } = filter;
  const places = useMemo(() => new Map(exchanges.map(({ id }, place) => [id, place])), [exchanges]);
  const placeOf = ({ last }: Schema<'Issue'>): number => places.get(last ?? '') ?? exchanges.length;
  const shown = issues.issues
    .filter((issue) => (change === undefined ? issue.change !== 'fixed' : issue.change === change))
    .sort((a, b) => placeOf(a) - placeOf(b));
  const isFixed = change === 'fixed';
  return (
    <>
      <header>
        <h2 id="changes">
          {isFixed ? `Fixed since ${run?.against}` : shown.length === 0 ? 'Nothing to change' : 'What to change'}
        </h2>
        {change === undefined ? (
          <span class="count">{shown.length > 0 && many(shown.length, 'mistake')}</span>
        ) : (
          <button type="button" class="plain" onClick={() => setFilter({ ...filter, change: '' })}>
            Show all mistakes
          </button>
        )}
      </header>
      {(report.verdict === 'incomplete' || shown.length === 0) && report.reasons.length > 0 && (
        <Reasons reasons={report.reasons} />
      )}
      {shown.map((issue) => (
        <Mistake
          key={[issue.kind, issue.operation, issue.rule, issue.location, issue.message].join('\n')}
          finding={issue}
          mark={
            issue.change !== null && !isFixed && <span class={`mark ${CHANGES[issue.change]}`}>{issue.change}</span>
          }
        >
          {issue.last !== null && <Fixing finding={issue} last={issue.last} isFixed={isFixed} />}
        </Mistake>
      ))}
    </>
  );
}

/** Open where nothing is to be changed. */
const Coverage = ({ report: { coverage, operations, verdict } }: { report: Schema<'Report'> }) => (
  <details key={verdict} open={verdict === 'pass'}>
    <summary>
      {coverage.seen} of {coverage.documented} documented responses seen
    </summary>
    <ul class="operations">
      {operations.map((operation) => (
        <li key={operation.operation}>
          <span>
            {operation.operation} {operation.deprecated && <span class="mark warn">deprecated</span>}
          </span>
          <Chips operation={operation} />
        </li>
      ))}
    </ul>
    {coverage.untested.length > 0 && (
      <details>
        <summary>How to see the {many(coverage.untested.length, 'other response')}</summary>
        <ul>
          {coverage.untested.map(({ operation, status, hint }) => (
            <li key={`${operation} ${status}`}>
              <code>
                {operation} {status}
              </code>{' '}
              {hint}
            </li>
          ))}
        </ul>
      </details>
    )}
  </details>
);

type Operation = Schema<'Report'>['operations'][number];

/** How often each response was seen. */
function Chips({ operation: { responses, otherResponses } }: { operation: Operation }) {
  const chip = (status: number, look: string, title: string, text: string) => (
    <li key={status} class={`chip ${look}`} title={title}>
      <strong>{status === 0 ? 'cut' : status}</strong> {text}
    </li>
  );
  return (
    <ul class="chips">
      {responses.map(({ status, description, seen, unexpected, injectedFaults: injected }) => {
        if (seen > unexpected) return chip(status, 'seen', description, times(seen));
        if (seen > 0)
          return chip(status, 'unexpected', `${description}, which no test expected`, `unexpected ${times(seen)}`);
        return chip(status, '', description, injected > 0 ? 'by fault only' : 'not seen');
      })}
      {otherResponses.map(({ status, seen, injectedFaults: injected }) =>
        chip(status, '', 'Described by default only', seen > 0 ? times(seen) : `fault ${times(injected)}`),
      )}
    </ul>
  );
}

const times = (count: number): string => `× ${count.toLocaleString('en-GB')}`;

/** What becomes of these requests on the day of the next change. */
const NextChange = ({ preview: { date, requests, findings } }: { preview: Schema<'Preview'> }) =>
  date && (
    <details>
      <summary>
        On {date}: {requests.failing.toLocaleString('en-GB')} of {many(requests.total, 'request')} stop working
      </summary>
      {findings.map((finding) => (
        <Mistake key={JSON.stringify(finding)} finding={finding} />
      ))}
      <p class="hint">
        To try that day, set the clock in <a href={addressOf('setup')}>Setup</a>.
      </p>
    </details>
  );
