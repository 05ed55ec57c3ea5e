/** The contract report: the verdict, the tested operations, and the violations. */
import { useState } from 'preact/hooks';
import type { Report } from '../../../report/report.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { many, moment } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';
import type { Live } from '../traffic/live.ts';
import { Coverage } from './coverage.tsx';
import { Download } from './download.tsx';
import { Issues } from './issues.tsx';

export function Contract({ live }: { live: Live }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const clearing = useAction();
  const [strict, setStrict] = useState(false);
  const { value, error, reload } = useLoaded(
    async () => (await client.request('GET /report', { query: { strict } })) as unknown as Report,
    [client, strict, live.arrived, live.exchanges.length === 0],
  );
  const clear = (): void => {
    void clearing.run(async () => {
      await client.request('DELETE /requests');
      announce('The report begins anew, and so does the traffic.');
      reload();
    });
  };
  return (
    <>
      <header class="view-head">
        <h1>Contract</h1>
        {value && <span class="count">since {moment(value.since)}</span>}
      </header>
      <Trouble error={error ?? clearing.error} retry={reload} />
      {value && (
        <div class="contract">
          <Verdict report={value} isStrict={strict} onStrict={setStrict} isBusy={clearing.isBusy} onClear={clear} />
          <Coverage report={value} />
          <Issues report={value} exchanges={live.exchanges} />
        </div>
      )}
    </>
  );
}

interface VerdictProps {
  readonly report: Report;
  readonly isStrict: boolean;
  readonly onStrict: (isStrict: boolean) => void;
  readonly isBusy: boolean;
  readonly onClear: () => void;
}

const Verdict = ({ report, isStrict, onStrict, isBusy, onClear }: VerdictProps) => (
  <section class="verdict" aria-label="Verdict">
    <p class={`word ${report.verdict}`}>{WORD[report.verdict]}</p>
    <p>
      {many(report.totals.exchanges, 'exchange')}, {report.coverage.seen} of {report.coverage.documented} documented
      responses seen.
    </p>
    {report.reasons.length > 0 && (
      <ul>
        {report.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    )}
    <label class="check">
      <input type="checkbox" checked={isStrict} onChange={({ currentTarget }) => onStrict(currentTarget.checked)} />
      Strict: warnings and deprecated operations fail, too
    </label>
    <div class="buttons">
      <span class="hint">Download the report:</span>
      <Download strict={isStrict} />
      <button type="button" disabled={isBusy} onClick={onClear}>
        Start over
      </button>
    </div>
  </section>
);

const WORD: Record<Report['verdict'], string> = { pass: 'Pass', fail: 'Fail', incomplete: 'Incomplete' };
