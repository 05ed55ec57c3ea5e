/** One exchange: the request line and the verdict stay in sight; below them request, response or timeline. */
import { useEffect, useRef } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { useLoaded } from '../kit/async.ts';
import { duration, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf, referenceOf, type Tab } from '../route.ts';
import { useSession } from '../session.ts';
import { Acting } from './acting.tsx';
import type { Live } from './live.ts';
import { Method, Status } from './marks.tsx';
import { findingsIn, isOfResponse, RequestMessage, ResponseMessage } from './sides.tsx';
import { Timeline } from './timeline.tsx';
import { Tools } from './tools.tsx';
import { verdictsOn } from './verdict.ts';
import { readSpecification } from './words.ts';

type Exchange = Schema<'Exchange'>;

const ACTS: ReadonlySet<Tab> = new Set(['compare', 'edit', 'correct']);

interface ExchangeViewProps {
  readonly id: string;
  readonly tab: Tab | undefined;
  readonly live: Live;
}

export function ExchangeView({ id, tab, live }: ExchangeViewProps) {
  const { client } = useSession();
  const { value, error, reload } = useLoaded(
    () => client.request('GET /requests/{requestId}', { params: { requestId: id } }),
    [client, id],
  );
  const specification = useLoaded(readSpecification, []);
  const heading = useRef<HTMLHeadingElement>(null);
  const exchange = value?.id === id ? value : undefined;
  // Moves the focus, so that a keyboard user continues there.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [exchange?.id]);
  const chosen = tab ?? (exchange && firstTab(exchange)) ?? 'request';
  return (
    <article class="exchange-view" aria-label="Exchange">
      <nav class="back">
        <a href={addressOf('traffic')}>← All traffic</a>
      </nav>
      <Trouble error={error} retry={reload} />
      {exchange && (
        <>
          <header class="pinned">
            <h2 ref={heading} tabIndex={-1}>
              <Method method={exchange.method} /> <span class="target">{visible(exchange.target)}</span>{' '}
              <Status status={exchange.status} />
            </h2>
            {verdictsOn(exchange).map(({ kind, text }) => (
              <p key={text} class={`outcome ${kind}`}>
                {text}
              </p>
            ))}
            <Tabs exchange={exchange} chosen={chosen} />
          </header>
          <Facts exchange={exchange} />
          <Tools exchange={exchange} />
          {chosen === 'request' && <RequestMessage exchange={exchange} specification={specification.value} />}
          {chosen === 'response' && <ResponseMessage exchange={exchange} specification={specification.value} />}
          {chosen === 'timeline' && <Timeline exchange={exchange} later={live.exchanges} />}
          {ACTS.has(chosen) && <Acting tab={chosen} exchange={exchange} live={live} />}
        </>
      )}
    </article>
  );
}

/** The side with the findings. */
function firstTab(exchange: Exchange): Tab {
  const findings = findingsIn(exchange);
  return findings.length > 0 && findings.every(isOfResponse) ? 'response' : 'request';
}

function Tabs({ exchange, chosen }: { exchange: Exchange; chosen: Tab }) {
  const findings = findingsIn(exchange);
  const ofResponse = findings.filter(isOfResponse).length;
  const tabs: readonly (readonly [Tab, string, number])[] = [
    ['request', 'Request', findings.length - ofResponse],
    ['response', 'Response', ofResponse],
    ['timeline', 'Timeline', 0],
    ['compare', 'Compare', 0],
    ['edit', 'Resend', 0],
  ];
  return (
    <nav class="tabs" aria-label="Sides of the exchange">
      {tabs.map(([name, label, count]) => (
        <a
          key={name}
          href={addressOf('traffic', exchange.id, name)}
          aria-current={name === chosen || (name === 'edit' && chosen === 'correct') ? 'page' : undefined}
        >
          {label}
          {count > 0 && (
            <>
              {' '}
              <span class="mark">
                {count}
                <span class="unseen"> findings</span>
              </span>
            </>
          )}
        </a>
      ))}
    </nav>
  );
}

const Facts = ({ exchange }: { exchange: Exchange }) => (
  <p class="facts">
    <time dateTime={exchange.at}>{timeOfDay(exchange.at)}</time>
    <span>{duration(exchange.durationMs)}</span>
    {exchange.operation === null ? (
      <span>no operation</span>
    ) : (
      <a href={referenceOf(exchange.operation)} title="This operation in the reference">
        {exchange.operation}
      </a>
    )}
    {exchange.fromDashboard && <span class="mark">this page</span>}
    <code>{exchange.id}</code>
  </p>
);
