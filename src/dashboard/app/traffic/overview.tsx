/** The traffic at a glance, while no exchange is open. */
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { Report } from '../../../report/report.ts';
import { describeRule, isUsedUp, triggeredWords } from '../controls/fault-rules.ts';
import { AddressAndKey } from '../first-lines.tsx';
import { WORD } from '../issues/verdict.tsx';
import { useLoaded } from '../kit/async.ts';
import { useSettled } from '../kit/settled.ts';
import { duration, timeOfDay } from '../kit/time.ts';
import { ReachContext } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import type { Summary } from './kept.ts';
import type { Live } from './live.ts';
import { figuresOf, type Span } from './outcomes.ts';
import { remarksOn } from './row-words.ts';

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
            name="Responses seen"
            value={report.value ? `${report.value.coverage.seen} of ${report.value.coverage.documented}` : '–'}
          />
        </dl>
      </section>
      <div class="row">
        <Contract report={report.value} failure={failure} />
        <ActiveFaults />
      </div>
      <details class="snippets">
        <summary>Address and key</summary>
        <AddressAndKey />
      </details>
    </div>
  );
}

const Contract = ({ report, failure }: { report: Report | undefined; failure: Summary | undefined }) => (
  <section class="card" aria-labelledby="contract">
    <h3 id="contract">Contract</h3>
    {report && (
      <p>
        <a class={`word ${report.verdict}`} href={addressOf('issues')}>
          {WORD[report.verdict]}
        </a>
      </p>
    )}
    {report && report.reasons.length > 0 && (
      <div class="hint">
        {report.reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
      </div>
    )}
    {failure && (
      <div class="entry">
        <small>Last failure, {timeOfDay(failure.at)}</small>
        <a class="target" href={addressOf('traffic', failure.id)}>
          {failure.method} {visible(failure.target)}
        </a>
        <span>{remarksOn(failure)[0]?.text}</span>
      </div>
    )}
  </section>
);

/** The rules that may still act; those that are used up stand in the control API. */
function ActiveFaults() {
  const { value, error } = useSandboxState().faults;
  const isReached = useContext(ReachContext);
  const active = value?.filter((rule) => !isUsedUp(rule));
  return (
    <section class="card" aria-labelledby="active-faults">
      <h3 id="active-faults">Active faults</h3>
      {active && active.length > 0 && (
        <ul class="entries">
          {active.map((rule) => (
            <li key={rule.id}>
              <span class="entry">{describeRule(rule)}</span>
              <span class="mark fault">{triggeredWords(rule)}</span>
            </li>
          ))}
        </ul>
      )}
      {active?.length === 0 && error === undefined && isReached && (
        <p class="hint">None. Every request gets its own response.</p>
      )}
      <p>
        <a href={addressOf('controls')}>{active?.length === 0 ? 'Inject a fault' : 'Change faults'}</a>
      </p>
    </section>
  );
}

const Figure = ({ name, value }: { name: string; value: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** Requests over time as stacked bars: clean, with a fault, with a violation. */
const WIDTH = 480;
const HEIGHT = 96;
const KINDS = [
  ['good', 'clean'],
  ['fault', 'with a fault'],
  ['bad', 'with a violation'],
] as const;

function OutcomeChart({ spans }: { spans: readonly Span[] }) {
  const most = Math.max(1, ...spans.map(({ good, bad, fault }) => good + bad + fault));
  const sum = (kind: 'good' | 'bad' | 'fault'): number => spans.reduce((all, span) => all + span[kind], 0);
  const said = KINDS.map(([kind, words]) => `${sum(kind)} ${words}`).join(', ');
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={`Requests: ${said}`}>
        {spans.flatMap((span, index) => bars(span, index, { step: WIDTH / spans.length, most }))}
      </svg>
      <figcaption>
        <span>{timeOfDay(new Date(spans[0]?.start ?? 0).toISOString())}</span>
        <span class="legend">
          {KINDS.map(([kind, words]) => (
            <span key={kind} class={kind}>
              {sum(kind).toLocaleString('en-GB')} {words}
            </span>
          ))}
        </span>
      </figcaption>
    </figure>
  );
}

function bars(span: Span, index: number, { step, most }: { step: number; most: number }) {
  let top = HEIGHT;
  return KINDS.filter(([kind]) => span[kind] > 0).map(([kind]) => {
    const height = Math.max(3, (span[kind] / most) * HEIGHT);
    top -= height;
    return <rect key={`${index} ${kind}`} class={kind} x={index * step} y={top} width={step - 2} height={height} />;
  });
}
