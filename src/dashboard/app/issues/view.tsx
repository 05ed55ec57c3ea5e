/** Issues: the verdict with its coverage, the next change of the API, and each problem of the client once. */
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { formatExtensions } from '../../../generated/facts.ts';
import type { Report } from '../../../report/report.ts';
import { useAction, useLoaded } from '../kit/action.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Downloads, Pair } from '../kit/form.tsx';
import { many, moment, timeOfDay } from '../kit/time.ts';
import { Blank, Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { countWords } from '../traffic/overview.tsx';
import { FromFile, NextChange } from './preview.tsx';
import { Verdict } from './verdict.tsx';

type Issue = Schema<'Issue'>;

/** The report as a file. */
const FORMS = Object.entries(formatExtensions).map(
  ([format, extension]) => [format as keyof typeof formatExtensions, format, `contract-report.${extension}`] as const,
);

export function Issues() {
  const { client } = useSession();
  const { live, issues } = useSandboxState();
  const clearing = useAction();
  const [strict, setStrict] = useState(false);
  const { value, error, reload } = useLoaded(
    async () => (await client.request('GET /report', { query: { strict } })) as unknown as Report,
    [client, strict, issues.value],
  );
  const clear = (): void => {
    void clearing.run(async () => {
      await client.request('DELETE /requests');
      issues.reload();
      return 'Started over: the report and the traffic are empty.';
    });
  };
  return (
    <>
      <header class="view-head">
        <h1>Issues</h1>
        {value && <span class="count">since {moment(value.since)}</span>}
      </header>
      <Trouble error={error ?? clearing.error ?? issues.error} retry={reload} />
      {value && issues.value ? (
        <>
          <section class="card standing" aria-label="Verdict and coverage">
            <Verdict report={value} isStrict={strict} onStrict={setStrict} />
            <footer>
              <Downloads
                label="Download the report"
                files={FORMS}
                load={(format) => client.text('GET /report', { query: { strict, format } })}
              />
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
          <NextChange />
          <FromFile />
          {issues.value.issues.length === 0 ? (
            <Nothing sent={value.totals.exchanges} />
          ) : (
            <Rows title={countWords(issues.value.issues)} issues={issues.value.issues} opensFirst />
          )}
          {issues.value.notes.length > 0 && (
            <Rows title="On purpose" hint="They do not change the verdict." issues={issues.value.notes} />
          )}
        </>
      ) : (
        error === undefined && <Blank />
      )}
    </>
  );
}

const Nothing = ({ sent }: { sent: number }) => (
  <div class="empty">
    {sent === 0 ? (
      <>
        <p>Issues appear here once your client sends requests.</p>
        <a href={addressOf('traffic')}>Send the first one</a>
      </>
    ) : (
      <p>No issues in {many(sent, 'request')}.</p>
    )}
  </div>
);

interface RowsProps {
  readonly title: string;
  readonly hint?: string;
  readonly issues: readonly Issue[];
  readonly opensFirst?: boolean;
}

const Rows = ({ title, hint, issues, opensFirst = false }: RowsProps) => (
  <section class="issues" aria-label={title}>
    <h2>
      {title} {hint && <span class="hint">{hint}</span>}
    </h2>
    <ul>
      {issues.map((issue, index) => (
        <Row
          key={[issue.label, issue.operation, issue.location, issue.title].join(' ')}
          issue={issue}
          isFirst={opensFirst && index === 0}
        />
      ))}
    </ul>
  </section>
);

const STATES = {
  open: '',
  'not-seen': 'not seen since',
  'also-valid': 'also sent correctly since',
  fixed: 'fixed since',
} as const;

function Row({ issue, isFirst }: { issue: Issue; isFirst: boolean }) {
  const { kind, label, operation, location, title, state, count, lastAt } = issue;
  // Set once: from then on the reader opens and closes it.
  const [isOpen] = useState(isFirst);
  return (
    <li class={`issue ${state}`}>
      <details open={isOpen}>
        <summary>
          <span class="problem">
            <strong>{visible(title)}</strong>
            <small>
              <span class={`mark ${kind}`}>{label}</span>
              {kind !== 'fault' && state !== 'open' && (
                <span class={state === 'fixed' ? 'mark good' : 'mark'}>{STATES[state]}</span>
              )}
              <span>{visible(operation)}</span>
              {location !== null && <code>{visible(location)}</code>}
            </small>
          </span>
          <span class="count">
            {count.toLocaleString('en-GB')} {count === 1 ? 'time' : 'times'}
          </span>
          <span class="count">{lastAt !== null && timeOfDay(lastAt)}</span>
        </summary>
        <Details issue={issue} />
      </details>
    </li>
  );
}

function Details({ issue: { sent, instead, count, firstAt, lastAt, requests, last, pointer } }: { issue: Issue }) {
  const ids = [...new Set([last, ...requests])];
  return (
    <dl class="pairs">
      {instead !== null && (
        <Pair name="Send instead">
          <span class="mend">
            <ins>
              <code>{visible(instead)}</code>
            </ins>
            {/* Where something is missing, the sample is the whole body. */}
            {sent !== null && !sent.startsWith('{') && sent !== instead && (
              <del>
                <code>{visible(sent)}</code>
              </del>
            )}
          </span>
        </Pair>
      )}
      {count > 1 && lastAt !== null && (
        <Pair name="Seen">
          {firstAt === null ? 'first before the request log begins' : `first ${timeOfDay(firstAt)}`}, last{' '}
          {timeOfDay(lastAt)}
        </Pair>
      )}
      <Pair name="Requests">
        <span class="mend">
          {ids.map((id, index) => (
            <a key={id} href={addressOf('traffic', id)}>
              {index === 0 ? 'Last request' : id}
            </a>
          ))}
          {count > ids.length && <span class="hint">and {(count - ids.length).toLocaleString('en-GB')} more</span>}
        </span>
      </Pair>
      {pointer !== null && <Pair name="Specification">{pointer}</Pair>}
    </dl>
  );
}
