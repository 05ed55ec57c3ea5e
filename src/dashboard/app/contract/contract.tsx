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
          <section class="verdict" aria-label="Verdict">
            <p class={`word ${value.verdict}`}>{WORD[value.verdict]}</p>
            <p>
              {many(value.totals.exchanges, 'exchange')}, {value.coverage.seen} of {value.coverage.documented}{' '}
              documented responses seen.
            </p>
            {value.reasons.length > 0 && (
              <ul>
                {value.reasons.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            )}
            <label class="check">
              <input
                type="checkbox"
                checked={strict}
                onChange={({ currentTarget }) => setStrict(currentTarget.checked)}
              />
              Strict: warnings and deprecated operations fail, too
            </label>
            <div class="buttons">
              <span class="hint">Download the report:</span>
              <Download strict={strict} />
              <button type="button" disabled={clearing.isBusy} onClick={clear}>
                Start over
              </button>
            </div>
          </section>
          <Coverage report={value} />
          <Issues report={value} exchanges={live.exchanges} />
        </div>
      )}
    </>
  );
}

const WORD: Record<Report['verdict'], string> = { pass: 'Pass', fail: 'Fail', incomplete: 'Incomplete' };
