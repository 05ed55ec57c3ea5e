/** The traffic at a glance, while no exchange is open. */
import type { ComponentChildren } from 'preact';
import type { Report } from '../../../report/report.ts';
import { FirstLines } from '../first-lines.tsx';
import { WORD } from '../issues/verdict.tsx';
import { useLoaded } from '../kit/async.ts';
import { useSettled } from '../kit/settled.ts';
import { duration, timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { OutcomeChart } from './chart.tsx';
import type { Live } from './live.ts';
import { figuresOf } from './outcomes.ts';
import { findingOf } from './row-words.ts';

const CALM_MS = 1000;

export function Overview({ live }: { live: Live }) {
  const { client } = useSession();
  const arrived = useSettled(live.total, CALM_MS);
  const report = useLoaded(
    async () => (await client.request('GET /report')) as unknown as Report,
    [client, arrived, live.exchanges.length === 0],
  );
  const { spans, p50, p95, failure, kept } = figuresOf(live.exchanges);
  return (
    <div class="overview">
      <h2>Overview</h2>
      <section class="card" aria-label="Requests over time">
        <OutcomeChart spans={spans} />
        <dl class="figures">
          <Figure name="Requests of the client" value={kept.toLocaleString('en-GB')} />
          <Figure name="Median" value={p50 === undefined ? '–' : duration(p50)} />
          <Figure name="95th percentile" value={p95 === undefined ? '–' : duration(p95)} />
          <Figure
            name="Responses covered"
            value={report.value ? `${report.value.coverage.seen} of ${report.value.coverage.documented}` : '–'}
          />
        </dl>
      </section>
      <section class="card" aria-label="Contract">
        <p class="verdict-line">
          <span>Contract</span>{' '}
          {report.value && (
            <a class={`word ${report.value.verdict}`} href={addressOf('issues')}>
              {WORD[report.value.verdict]}
            </a>
          )}
        </p>
        {report.value?.reasons.map((reason) => (
          <p key={reason} class="hint">
            {reason}
          </p>
        ))}
        {failure && (
          <p>
            Last violation, {timeOfDay(failure.at)}:{' '}
            <a href={addressOf('traffic', failure.id)}>
              {failure.method} {visible(failure.target)}
            </a>{' '}
            <span class="hint">{findingOf(failure)}</span>
          </p>
        )}
      </section>
      <details class="snippets">
        <summary>Address, key and snippets</summary>
        <FirstLines isFirst={false} />
      </details>
    </div>
  );
}

const Figure = ({ name, value }: { name: string; value: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
