/** The verdict, why it is so, and the coverage that it rests on. */

import type { Schema } from '../../../client/routes.ts';
import { formatExtensions } from '../../../generated/facts.ts';
import { Downloads } from '../kit/form.tsx';
import { many, moment } from '../kit/time.ts';
import { Blank, Trouble } from '../kit/trouble.tsx';
import { sentence } from '../kit/visible.ts';
import { ALL_RUNS, type Filter, setFilter } from '../route.ts';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { FirstLines } from './empty.tsx';
import { WORD } from './words.tsx';

/** The report as a file. */
const FORMS = Object.entries(formatExtensions).map(
  ([format, extension]) => [format as keyof typeof formatExtensions, format, `contract-report.${extension}`] as const,
);

/** While no request is open. */
export function Verdict({ filter }: { filter: Filter }) {
  const { client } = useSession();
  const { value, error, reload } = useSandboxState().standing;
  if (!value) return error === undefined ? <Blank /> : <Trouble error={error} retry={reload} />;
  const { report } = value;
  const run = value.run?.run ?? ALL_RUNS;
  return (
    <section class="card standing" aria-labelledby="verdict">
      <h2 id="verdict">
        <span class={`word ${report.verdict}`}>{WORD[report.verdict]}</span>{' '}
        <span class="hint">
          in {many(report.account.total, 'request')} since {moment(report.since)}
        </span>
      </h2>
      {report.reasons.length > 0 && (
        <ul>
          {report.reasons.map((reason) => (
            <li key={reason}>{sentence(reason)}</li>
          ))}
        </ul>
      )}
      <Coverage report={report} filter={filter} />
      <Downloads
        label="Download the report"
        files={FORMS}
        load={(format) => client.text('GET /report', { query: { run, format } })}
      />
      <Trouble error={error} />
      <details>
        <summary>Address and key</summary>
        <FirstLines />
      </details>
    </section>
  );
}

/** Coverage of documented responses: each operation in one line, with a chip for each response. */
type Operation = Schema<'Report'>['operations'][number];

interface CoverageProps {
  readonly report: Schema<'Report'>;
  readonly filter: Filter;
}

const Coverage = ({ report: { coverage, operations }, filter }: CoverageProps) => (
  <section class="coverage" aria-labelledby="coverage">
    <header>
      <h3 id="coverage">Coverage</h3>
      <p>
        {coverage.seen} of {coverage.documented} documented responses seen
      </p>
    </header>
    <meter value={coverage.seen} max={coverage.documented} aria-labelledby="coverage" />
    <ul class="operations">
      {operations.map((operation) => (
        <li key={operation.operation}>
          <span class="operation">
            {operation.operation}
            {operation.deprecated && <span class="mark warn">deprecated</span>}
          </span>
          <Chips operation={operation} filter={filter} />
        </li>
      ))}
    </ul>
    {coverage.untested.length > 0 && (
      <details>
        <summary>How to see the {many(coverage.untested.length, 'other response')}</summary>
        <ul class="hints">
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
  </section>
);

function Chips({
  operation: { operation, responses, otherResponses },
  filter,
}: {
  operation: Operation;
  filter: Filter;
}) {
  const chip = (status: number, look: string, title: string, text: string) => {
    const isChosen = filter.operation === operation && filter.status === String(status);
    const wanted = isChosen ? { operation: '', status: '' } : { operation, status: String(status) };
    return (
      <li key={status}>
        <button
          type="button"
          class={`chip ${look}`}
          title={title}
          aria-pressed={isChosen}
          onClick={() => setFilter({ ...filter, ...wanted })}
        >
          <strong>{status === 0 ? 'cut' : status}</strong> {text}
        </button>
      </li>
    );
  };
  return (
    <ul class="chips">
      {responses.map(({ status, description, seen, unexpected, injectedFaults: injected }) => {
        if (seen > unexpected) return chip(status, 'seen', description, times(seen));
        if (seen > 0)
          return chip(status, 'unexpected', `${description}, which no test expected`, `unexpected ${times(seen)}`);
        return chip(status, '', description, injected > 0 ? 'by fault only' : 'not seen');
      })}
      {otherResponses.map(({ status, seen, injectedFaults: injected }) =>
        chip(status, 'other', 'Described by default only', seen > 0 ? times(seen) : `fault ${times(injected)}`),
      )}
    </ul>
  );
}

const times = (count: number): string => `× ${count.toLocaleString('en-GB')}`;
