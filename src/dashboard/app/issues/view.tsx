/** Issues: the verdict with its coverage, the downloads, and each problem of the client once. */
import { useState } from 'preact/hooks';
import type { Report } from '../../../report/report.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { Blank } from '../kit/blank.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { offerFile } from '../kit/download.ts';
import { useSettled } from '../kit/settled.ts';
import { many, moment } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';
import type { Live } from '../traffic/live.ts';
import { IssueList } from './issue-list.tsx';
import { Verdict } from './verdict.tsx';

/** A load test must not ask for the report at each request. */
const CALM_MS = 500;

export function Issues({ live }: { live: Live }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const clearing = useAction();
  const [strict, setStrict] = useState(false);
  const arrived = useSettled(live.arrived, CALM_MS);
  const { value, error, reload } = useLoaded(
    async () => (await client.request('GET /report', { query: { strict } })) as unknown as Report,
    [client, strict, arrived, live.exchanges.length === 0],
  );
  const clear = (): void => {
    void clearing.run(async () => {
      await client.request('DELETE /requests');
      announce('Started over: the report and the traffic are empty.');
      reload();
    });
  };
  return (
    <>
      <header class="view-head">
        <h1>Issues</h1>
        {value && <span class="count">since {moment(value.since)}</span>}
      </header>
      <Trouble error={error ?? clearing.error} retry={reload} />
      {value && live.state !== 'opening' ? (
        <>
          <section class="card standing" aria-label="Verdict and coverage">
            <Verdict report={value} isStrict={strict} onStrict={setStrict} />
            <footer>
              <Downloads strict={strict} />
              <ConfirmButton
                isBusy={clearing.isBusy}
                question="Start over?"
                loss={`You lose the report and the traffic: ${many(live.total, 'request')}. Pets, clock and faults stay.`}
                onConfirm={clear}
              >
                Start over
              </ConfirmButton>
            </footer>
          </section>
          <IssueList report={value} exchanges={live.exchanges} />
        </>
      ) : (
        error === undefined && <Blank rows={3} />
      )}
    </>
  );
}

/** The report as a file. */
const FORMS = [
  ['json', 'JSON', 'json'],
  ['junit', 'JUnit', 'xml'],
  ['html', 'HTML', 'html'],
  ['sarif', 'SARIF', 'sarif'],
] as const;

function Downloads({ strict }: { strict: boolean }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const loading = useAction();
  const download = (format: (typeof FORMS)[number][0], suffix: string): void => {
    void loading.run(async () => {
      const query = { strict, format };
      const text = await client.text('GET /report', { query });
      offerFile(text, `contract-report.${suffix}`);
      announce(`Downloaded contract-report.${suffix}.`);
    });
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div class="buttons" role="group" aria-labelledby="downloads">
        <span class="hint" id="downloads">
          Download the report
        </span>
        {FORMS.map(([format, label, suffix]) => (
          <button key={format} type="button" disabled={loading.isBusy} onClick={() => download(format, suffix)}>
            {label}
          </button>
        ))}
      </div>
      <Trouble error={loading.error} />
    </>
  );
}
