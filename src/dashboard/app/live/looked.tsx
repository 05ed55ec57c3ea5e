/** What a later day or a draft means for the client's requests, and the findings of a HAR. */
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
import { type Foreign, failingWords } from './future.ts';

/** What is looked at instead of now, and the way there and back. */
export function Looked() {
  const { client } = useSession();
  const { clock, future } = useSandboxState();
  const { run, isBusy, error } = useAction();
  const { looked, look } = future;
  const set = (now: string | undefined): void =>
    void run(async () => {
      if (now === undefined) await client.request('DELETE /clock');
      else await client.request('PUT /clock', { body: { now: `${now}T00:00:00Z` } });
      look(undefined);
      return now === undefined ? 'The clock shows real time again.' : `The clock of the sandbox shows ${now}.`;
    });
  const isAway = clock.value !== undefined && isOwnTime(clock.value);
  if (!looked && !isAway) return null;
  return (
    <section class="notice looked" aria-label="Another time">
      {looked ? (
        <>
          <p>
            <strong>
              {visible(looked.name)}: {failingWords(looked.preview)}.
            </strong>{' '}
            Nothing is changed: these are your own requests as they would go then.
          </p>
          {looked.preview.date !== null && (
            <button type="button" disabled={isBusy} onClick={() => set(looked.name)}>
              Go there
            </button>
          )}
          <button type="button" onClick={() => look(undefined)}>
            Back to now
          </button>
          <Breaks preview={looked.preview} />
        </>
      ) : (
        <>
          <p>The clock of the sandbox isn’t at real time.</p>
          <button type="button" disabled={isBusy} onClick={() => set(undefined)}>
            Back to real time
          </button>
        </>
      )}
      <Trouble error={error} />
    </section>
  );
}

const Breaks = ({
  preview: { breaks, unknown, warnings, incompleteReasons, unused, notes },
}: {
  preview: Schema<'Preview'>;
}) => (
  <ul>
    {breaks.map(({ operation, message, instead, count, last }) => (
      <li key={`${operation} ${message}`}>
        <a href={addressOf('live', last)}>
          {count}× {operation}: {visible(message)}
        </a>
        {instead !== null && (
          <>
            {' '}
            Send <code>{visible(instead)}</code>
          </>
        )}
      </li>
    ))}
    {[...unknown, ...warnings].map((notice) => (
      <li key={`${notice.operation} ${notice.location} ${notice.message}`}>
        {unknown.includes(notice) ? 'Look at this' : 'Also'}: {notice.operation} {visible(notice.location)}:{' '}
        {visible(notice.message)}
      </li>
    ))}
    {incompleteReasons
      .filter((reason) => !unknown.some(({ message }) => reason.includes(message)))
      .map((reason) => (
        <li key={reason}>Not known: {visible(reason)}</li>
      ))}
    {unused.length > 0 && <li>Not used by your client: {unused.map(visible).join('; ')}</li>}
    {notes.map((note) => (
      <li key={note}>{visible(note)}</li>
    ))}
  </ul>
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
      <ol class="entries">
        {findings.map(({ kind, operation, rule, location, message, count, sample, fix }) => (
          <li key={`${kind} ${operation} ${rule} ${location} ${message}`}>
            <span class="entry">
              <strong>
                <Prose text={message} />
              </strong>
              <small>
                {visible(subjectOf({ kind, operation }))} <code>{visible(location)}</code> <Prose text={fix} />
              </small>
              {sample !== null && sample.instead !== null && (
                <span class="mend">
                  {sample.sent !== null && <del>{visible(sample.sent)}</del>}
                  <ins>{visible(sample.instead)}</ins>
                </span>
              )}
            </span>
            <span class="mark">{count}×</span>
          </li>
        ))}
      </ol>
      {findings.length === 0 && <p>No findings.</p>}
      <button type="button" onClick={() => future.showHar(undefined)}>
        Close
      </button>
    </section>
  );
}
