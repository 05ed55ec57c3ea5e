/** The verdict, why it is so, and the coverage that it rests on. */
import type { Report } from '../../../report/report.ts';
import { many } from '../kit/time.ts';
import { sentence } from '../kit/visible.ts';

interface VerdictProps {
  readonly report: Report;
  readonly isStrict: boolean;
  readonly onStrict: (isStrict: boolean) => void;
}

export const Verdict = ({ report, isStrict, onStrict }: VerdictProps) => (
  <>
    <div class="verdict">
      <p class={`word ${report.verdict}`}>{WORD[report.verdict]}</p>
      {report.reasons.length === 0 ? (
        <p>No violations in {many(report.totals.exchanges, 'request')}.</p>
      ) : (
        <ul>
          {report.reasons.map((reason) => (
            <li key={reason}>{sentence(reason)}</li>
          ))}
        </ul>
      )}
      {report.totals.exchanges > 0 && report.reasons.length > 0 && (
        <p class="hint">In {many(report.totals.exchanges, 'request')} of your client.</p>
      )}
      <label class="check">
        <input type="checkbox" checked={isStrict} onChange={({ currentTarget }) => onStrict(currentTarget.checked)} />
        Strict: warnings and deprecated operations fail, too
      </label>
    </div>
    <Coverage report={report} />
  </>
);

export const WORD: Record<Report['verdict'], string> = { pass: 'Pass', fail: 'Fail', incomplete: 'Incomplete' };

/** Coverage of documented responses: each operation in one line, with a chip for each response. */
type Operation = Report['operations'][number];

const Coverage = ({ report: { coverage, operations } }: { report: Report }) => (
  <section class="coverage" aria-labelledby="coverage">
    <header>
      <h2 id="coverage">Coverage</h2>
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
          <Chips operation={operation} />
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

const Chips = ({ operation: { responses, otherResponses } }: { operation: Operation }) => (
  <ul class="chips">
    {responses.map(({ status, description, seen, injectedFaults: injected }) => (
      <li key={status} class={seen > 0 ? 'chip seen' : 'chip'} title={description}>
        <strong>{status}</strong> {seen > 0 ? times(seen) : injected > 0 ? 'by fault only' : 'not seen'}
      </li>
    ))}
    {otherResponses.map(({ status, seen, injectedFaults: injected }) => (
      <li key={status} class="chip other" title="Described by default only">
        <strong>{status === 0 ? 'cut' : status}</strong> {seen > 0 ? times(seen) : `fault ${times(injected)}`}
      </li>
    ))}
  </ul>
);

const times = (count: number): string => `× ${count.toLocaleString('en-GB')}`;
