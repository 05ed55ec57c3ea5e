/** Issues: the verdict with its coverage, the next change of the API, and each problem of the client once. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import type { Report } from '../../../report/report.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { Blank } from '../kit/blank.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { offerFile } from '../kit/download.ts';
import { many, moment, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import type { Live } from '../traffic/live.ts';
import { Verdict } from './verdict.tsx';

type Issue = Schema<'Issue'>;

/** `4 issues, 1 of them fixed since`: never "none open" beside a verdict that fails. */
export function countWords(issues: readonly Issue[]): string {
  const fixed = issues.filter(({ state }) => state === 'fixed').length;
  return `${many(issues.length, 'issue')}${fixed === 0 ? '' : `, ${fixed} fixed since`}`;
}

export function Issues({ live }: { live: Live }) {
  const { client } = useSession();
  const { issues } = useSandboxState();
  const announce = useAnnounce();
  const clearing = useAction();
  const [strict, setStrict] = useState(false);
  const { value, error, reload } = useLoaded(
    async () => (await client.request('GET /report', { query: { strict } })) as unknown as Report,
    [client, strict, issues.value],
  );
  const clear = (): void => {
    void clearing.run(async () => {
      await client.request('DELETE /requests');
      announce('Started over: the report and the traffic are empty.');
      issues.reload();
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
          <NextChange />
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
        error === undefined && <Blank rows={3} />
      )}
    </>
  );
}

/** What stops working for this client on the next date on which the API changes. */
function NextChange() {
  const { client } = useSession();
  const { clock, issues } = useSandboxState();
  const announce = useAnnounce();
  const setting = useAction();
  const { value, error } = useLoaded(
    () => client.request('GET /preview'),
    [client, issues.value, clock.value?.now.slice(0, 10)],
  );
  if (!value) return <Trouble error={error} />;
  const { date, daysLeft, requests, breaks, unused } = value;
  if (date === null) return null;
  const goThere = (): void =>
    void setting.run(async () => {
      await client.request('PUT /clock', { body: { now: `${date}T00:00:00Z` } });
      announce(`The clock of the sandbox shows ${date}.`);
      clock.reload();
    });
  return (
    <section class="card next-change" aria-labelledby="next-change">
      <h2 id="next-change">
        Next change: {date} <span class="hint">{many(daysLeft ?? 0, 'day')} left</span>
      </h2>
      <p>
        {requests.failing === 0
          ? `None of your ${many(requests.total, 'request')} stops working.`
          : `${requests.failing} of your ${many(requests.total, 'request')} ${requests.failing === 1 ? 'stops' : 'stop'} working.`}
      </p>
      <ul class="entries">
        {breaks.map(({ operation, message, instead, count, last }) => (
          <li key={`${operation} ${message}`}>
            <span class="entry">
              <a href={addressOf('traffic', last)}>
                {operation}: {visible(message)}
              </a>
              {instead !== null && (
                <small>
                  Send <code>{visible(instead)}</code>
                </small>
              )}
            </span>
            <span class="mark warn">× {count}</span>
          </li>
        ))}
      </ul>
      {unused.length > 0 && <p class="hint">Not used by your client: {unused.map(visible).join('; ')}</p>}
      <button type="button" disabled={setting.isBusy} onClick={goThere}>
        Set the clock to that day
      </button>
      <Trouble error={setting.error} />
    </section>
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

const STATES = { open: '', 'not-seen': 'not seen since', fixed: 'fixed since' } as const;

function Row({ issue, isFirst }: { issue: Issue; isFirst: boolean }) {
  const { kind, label, operation, location, title, state, count, spans, lastAt } = issue;
  // Set once: from then on the reader opens and closes it.
  const [isOpen] = useState(isFirst);
  return (
    <li class={`issue ${kind} ${state}`}>
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
          <Sparkline counts={spans} />
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

const Pair = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** Counts as bars, without axes: the numbers are told in words beside it. */
const Sparkline = ({ counts }: { counts: readonly number[] }) => {
  const most = Math.max(1, ...counts);
  return (
    <svg class="sparkline" viewBox={`0 0 ${counts.length * 4} 24`} width={96} height={24} aria-hidden="true">
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(3, (count / most) * 24);
        return <rect key={index} x={index * 4} y={24 - height} width={3} height={height} />;
      })}
    </svg>
  );
};

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
      const text = await client.text('GET /report', { query: { strict, format } });
      offerFile(text, `contract-report.${suffix}`);
      announce(`Downloaded contract-report.${suffix}.`);
    });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div class="buttons" role="group" aria-labelledby="downloads">
      <span class="hint" id="downloads">
        Download the report
      </span>
      {FORMS.map(([format, label, suffix]) => (
        <button key={format} type="button" disabled={loading.isBusy} onClick={() => download(format, suffix)}>
          {label}
        </button>
      ))}
      <Trouble error={loading.error} />
    </div>
  );
}
