/** The traffic at a glance, while no request is open: the first lines to send, or figures with the top issues. */

import type { Schema } from '../../../client/routes.ts';
import { duration } from '../../../core/text.ts';
import { describeRule, isUsedUp, triggeredWords } from '../controls/fault-rules.ts';
import { CopyButton, Paste } from '../kit/copy.tsx';
import { Pair } from '../kit/form.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';

type Figures = Schema<'Issues'>['figures'];

/** `4 issues, 1 of them fixed since`: never "none open" beside a verdict that fails. */
export function countWords(issues: readonly Schema<'Issue'>[]): string {
  const fixed = issues.filter(({ state }) => state === 'fixed').length;
  return `${many(issues.length, 'issue')}${fixed === 0 ? '' : `, ${fixed} fixed since`}`;
}

/** Issues that stand in the overview. */
const TOP = 3;

export function Overview() {
  const { issues, faults } = useSandboxState();
  const active = faults.value?.filter((rule) => !isUsedUp(rule)) ?? [];
  const { value } = issues;
  return (
    <div class="overview">
      <h2>Overview</h2>
      <Trouble error={issues.error} retry={issues.reload} />
      {value && (
        <>
          <section class="card" aria-label="Requests over time">
            <dl class="figures">
              <Figure name="Error rate" value={rateOf(value.figures)} />
              <Figure name="Median" value={timeOf(value.figures.medianMs)} />
              <Figure name="95th percentile" value={timeOf(value.figures.p95Ms)} />
              <Figure name="Requests" value={value.figures.requests.toLocaleString('en-GB')} />
            </dl>
            <Chart spans={value.figures.spans} />
          </section>
          <section class="card" aria-labelledby="top-issues">
            <h3 id="top-issues">
              <a href={addressOf('issues')}>{countWords(value.issues)}</a>
            </h3>
            <ol class="entries">
              {value.issues.slice(0, TOP).map(({ title, operation, kind, label, last, count }) => (
                <li key={`${label} ${operation} ${title}`}>
                  <a class="entry" href={addressOf('traffic', last)}>
                    {visible(title)}
                    <small>{visible(operation)}</small>
                  </a>
                  <span class={`mark ${kind}`}>× {count.toLocaleString('en-GB')}</span>
                </li>
              ))}
            </ol>
          </section>
        </>
      )}
      {active.length > 0 && (
        <section class="card" aria-labelledby="active-faults">
          <h3 id="active-faults">Active faults</h3>
          <ul class="entries">
            {active.map((rule) => (
              <li key={rule.id}>
                <span class="entry">{describeRule(rule)}</span>
                <span class="mark fault">{triggeredWords(rule)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <details>
        <summary>Address and key</summary>
        <AddressAndKey />
      </details>
    </div>
  );
}

const rateOf = ({ failed, kept }: Figures): string => (kept === 0 ? '–' : `${Math.round((failed / kept) * 100)} %`);

const timeOf = (ms: number | null): string => (ms === null ? '–' : duration(ms));

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** Requests over time as stacked bars. */
const WIDTH = 480;
const HEIGHT = 64;
const KINDS = [
  ['good', 'clean'],
  ['fault', 'with a fault'],
  ['bad', 'with a violation'],
] as const;

function Chart({ spans }: Pick<Figures, 'spans'>) {
  const most = Math.max(1, ...spans.map(({ good, bad, fault }) => good + bad + fault));
  const sums = KINDS.map(([kind, words]) => {
    const sum = spans.reduce((all, span) => all + span[kind], 0);
    return { kind, text: `${sum.toLocaleString('en-GB')} ${words}` };
  });
  const step = WIDTH / Math.max(1, spans.length);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Requests: ${sums.map(({ text }) => text).join(', ')}`}
      >
        {spans.flatMap((span, index) => {
          let top = HEIGHT;
          return KINDS.filter(([kind]) => span[kind] > 0).map(([kind]) => {
            const height = Math.max(3, (span[kind] / most) * HEIGHT);
            top -= height;
            return (
              <rect key={`${index} ${kind}`} class={kind} x={index * step} y={top} width={step - 2} height={height} />
            );
          });
        })}
      </svg>
      <figcaption>
        <span>{spans[0] && timeOfDay(spans[0].at)}</span>
        <span class="legend">
          {sums.map(({ kind, text }) => (
            <span key={kind} class={kind}>
              {text}
            </span>
          ))}
        </span>
      </figcaption>
    </figure>
  );
}

/** Three commands that work when pasted, including the key. */
export function FirstLines({ isFirst }: { isFirst: boolean }) {
  const { key, baseUrl } = useSession();
  const lines = [
    ['curl', `curl -H 'Authorization: Bearer ${key}' ${baseUrl}/pets`],
    [
      'JavaScript',
      `console.log(await (await fetch('${baseUrl}/pets', { headers: { Authorization: 'Bearer ${key}' } })).json())`,
    ],
    [
      'Python',
      `import json, urllib.request as r; print(json.load(r.urlopen(r.Request('${baseUrl}/pets', headers={'Authorization': 'Bearer ${key}'}))))`,
    ],
  ] as const;
  return (
    <div class="overview">
      <h2>{isFirst ? 'Send your first request' : 'Send a request'}</h2>
      <p>Base address and key are already in these lines. Point your own client at the same two.</p>
      {lines.map(([language, text]) => (
        <Paste key={language} title={language} text={text} what={`${language} line`} />
      ))}
      <AddressAndKey />
    </div>
  );
}

/** What a client is set up with. */
function AddressAndKey() {
  const { key, baseUrl } = useSession();
  return (
    <dl class="pairs">
      {Object.entries({ 'Base address': baseUrl, Key: key }).map(([name, text]) => (
        <Pair key={name} name={name}>
          <code>{text}</code> <CopyButton text={text} what={name.toLowerCase()} />
        </Pair>
      ))}
    </dl>
  );
}
