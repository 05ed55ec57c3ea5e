/** What a draft means for the client's requests, and the findings of a HAR. */
import type { Schema } from '../../../client/routes.ts';
import { subjectOf } from '../../../report/kinds.ts';
import { useAction } from '../kit/action.ts';
import { Prose } from '../kit/prose.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { isOwnTime, useSandboxState } from '../strip/state.ts';
import type { Foreign } from './future.ts';

/** What is looked at instead of now, and the way there and back. */
export function Looked() {
  const { client } = useSession();
  const { clock, future } = useSandboxState();
  const { run, isBusy, error } = useAction();
  const { draft, showDraft } = future;
  const backToRealTime = (): void =>
    void run(async () => {
      await client.request('DELETE /clock');
      return 'The clock shows real time again.';
    });
  const isAway = clock.value !== undefined && isOwnTime(clock.value);
  if (!draft && !isAway) return null;
  const { failing = 0, total = 0 } = draft?.preview.requests ?? {};
  return (
    <section class="notice looked" aria-label="Another time">
      {draft ? (
        <>
          <p>
            <strong>
              {visible(draft.name)}: {failing.toLocaleString('en-GB')} of {total.toLocaleString('en-GB')} fail.
            </strong>{' '}
            Nothing is changed: these are your own requests as they would go then.
          </p>
          <button type="button" onClick={() => showDraft(undefined)}>
            Back to now
          </button>
          <Findings findings={draft.preview.findings} isLinked />
        </>
      ) : (
        <>
          <p>The clock of the sandbox isn’t at real time.</p>
          <button type="button" disabled={isBusy} onClick={backToRealTime}>
            Back to real time
          </button>
        </>
      )}
      <Trouble error={error} />
    </section>
  );
}

interface FindingsProps {
  readonly findings: readonly Schema<'Finding'>[];
  /** Whether their requests are in the log. */
  readonly isLinked?: boolean;
}

const Findings = ({ findings, isLinked = false }: FindingsProps) => (
  <ol class="entries">
    {findings.map(({ kind, level, operation, rule, location, message, count, sample, fix, last }) => {
      const subject = visible(subjectOf({ kind, operation }));
      return (
        <li key={`${kind} ${operation} ${rule} ${location} ${message}`}>
          <span class="entry">
            <strong>
              <Prose text={message} />
            </strong>
            <small>
              {level}: {subject} <code>{visible(location)}</code> <Prose text={fix} />
            </small>
            {sample !== null && sample.instead !== null && (
              <span class="mend">
                {sample.sent !== null && <del>{visible(sample.sent)}</del>}
                <ins>{visible(sample.instead)}</ins>
              </span>
            )}
          </span>
          {isLinked && last !== null ? (
            <a class="mark" href={addressOf('live', last)} aria-label={`${count}× ${subject}`}>
              {count}×
            </a>
          ) : (
            <span class="mark">{count}×</span>
          )}
        </li>
      );
    })}
  </ol>
);

/** The findings of a report about a HAR, as issues. */
export function HarReport({ har: { name, report } }: { har: Foreign }) {
  const { future } = useSandboxState();
  const { findings } = report;
  return (
    <section class="card" aria-label={`Report on ${visible(name)}`}>
      <h2>
        {visible(name)} <span class={`word ${report.verdict}`}>{report.verdict}</span>
      </h2>
      <p class="hint">
        {many(report.account.total, 'request')}; nothing of the file is kept. {report.reasons.map(visible).join('; ')}
      </p>
      <Findings findings={findings} />
      {findings.length === 0 && <p>No findings.</p>}
      <button type="button" onClick={() => future.showHar(undefined)}>
        Close
      </button>
    </section>
  );
}
