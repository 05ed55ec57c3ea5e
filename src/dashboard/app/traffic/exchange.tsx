/** One exchange: the request line and the verdict stay in sight; below them request, response or timeline. */
import { useEffect, useRef } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { lossIn, rejectionIn } from '../../../client/text.ts';
import { useLoaded } from '../kit/async.ts';
import { CopyButton } from '../kit/copy.tsx';
import { duration, many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf, referenceOf, type Tab } from '../route.ts';
import { serverAddress, useSession } from '../session.ts';
import { Acting, useCanCorrect } from './acting.tsx';
import { ArchiveButton } from './archive.tsx';
import { type Finding, headerLines, type Line, targetLines } from './lines.ts';
import type { Live } from './live.ts';
import { Method, Status } from './marks.tsx';
import { Message } from './message.tsx';
import { findingOf } from './row-words.ts';
import { snippetsOf } from './snippets.ts';
import { Timeline } from './timeline.tsx';
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

/** What can be done with an exchange. */
function Tools({ exchange }: { exchange: Schema<'Exchange'> }) {
  const { key } = useSession();
  const canCorrect = useCanCorrect(exchange);
  const snippets = snippetsOf(exchange, serverAddress(), key);
  const link = `${location.href.split('#')[0]}${addressOf('traffic', exchange.id)}`;
  return (
    <div class="tools">
      {canCorrect && (
        <a class="button" href={addressOf('traffic', exchange.id, 'correct')}>
          Send corrected
        </a>
      )}
      {snippets.length === 0 && <span class="hint">No snippets: the request log does not hold the whole body.</span>}
      {snippets.map(({ name, text }, index) => (
        <CopyButton key={name} text={text} what={name === 'curl' ? 'curl line' : name}>
          {index === 0 ? `Copy as ${name}` : `as ${name}`}
        </CopyButton>
      ))}
      <CopyButton text={link} what="link to this exchange">
        Copy link
      </CopyButton>
      <ArchiveButton ids={[exchange.id]} name={`${exchange.id}.har`}>
        Download HAR
      </ArchiveButton>
    </div>
  );
}

/** The two sides of an exchange, each with its own findings. */
interface SideProps {
  readonly exchange: Exchange;
  readonly specification: unknown;
}

const findingsIn = ({ violations, warnings }: Exchange): readonly Finding[] => [
  ...violations.map((violation) => ({ ...violation, kind: 'violation' as const })),
  ...warnings.map((warning) => ({ ...warning, kind: 'warning' as const })),
];

const isOfResponse = (finding: Finding): boolean => finding.kind === 'violation' && finding.side === 'response';

const RequestMessage = ({ exchange, specification }: SideProps) => (
  <Message
    title="Request"
    head={[...targetLines(exchange.method, exchange.target), ...headerLines(exchange.request.headers)]}
    body={exchange.request.body}
    note={exchange.request.unread ? 'Its body was rejected without being read.' : cutNote(exchange.request)}
    findings={findingsIn(exchange).filter((finding) => !isOfResponse(finding))}
    operation={exchange.operation}
    specification={specification}
  />
);

const ResponseMessage = ({ exchange, specification }: SideProps) => (
  <Message
    title="Response"
    head={[statusLine(exchange.status), ...headerLines(exchange.response.headers)]}
    body={exchange.response.body}
    note={cutNote(exchange.response)}
    findings={findingsIn(exchange).filter(isOfResponse)}
    operation={exchange.operation}
    specification={specification}
  />
);

const cutNote = ({ truncated, bytes }: { truncated: boolean; bytes: number }): string | undefined =>
  truncated ? `Only the beginning of its ${bytes.toLocaleString('en-GB')} bytes was kept.` : undefined;

const statusLine = (status: number): Line => ({
  location: 'status',
  indent: 0,
  pieces: [{ kind: 'key', text: status === 0 ? 'No response was sent.' : String(status) }],
});

/** What one exchange came to, in one or two sentences that never contradict its response. */
interface Sentence {
  readonly kind: 'good' | 'warn' | 'bad' | 'fault' | '';
  readonly text: string;
}

function verdictsOn(exchange: Exchange): Sentence[] {
  const { injectedFault, validationError } = exchange;
  const loss = lossIn(exchange);
  return [
    ...(loss === undefined ? [] : [{ kind: 'bad' as const, text: loss }]),
    ...(injectedFault === null
      ? []
      : [{ kind: 'fault' as const, text: `A fault replaced the response: ${injectedFault}.` }]),
    ...(validationError === null
      ? []
      : [{ kind: 'bad' as const, text: `The validator could not validate this: ${validationError}` }]),
    ...(validationError === null ? validated(exchange) : []),
  ];
}

function validated(exchange: Exchange): Sentence[] {
  const { violations, warnings, injectedFault, validated, operation, method, status } = exchange;
  if (!validated) {
    const why = operation === null ? 'no operation of the specification matches' : `${method} is not described`;
    return [{ kind: operation === null ? 'bad' : '', text: `Not validated: ${why}.` }];
  }
  const rejection = rejectionIn(exchange);
  if (rejection !== undefined) return [{ kind: 'warn', text: rejection }];
  const finding = findingOf(exchange);
  if (violations.length > 0) {
    const who = violations.every(({ side }) => side === 'response') ? 'Violation of the sandbox' : 'Violation';
    return [{ kind: 'bad', text: `${who}: ${finding}.` }];
  }
  if (injectedFault !== null && warnings.length === 0) return [];
  if (warnings.length > 0) return [{ kind: 'warn', text: `${many(warnings.length, 'warning')}: ${finding}.` }];
  if (status === 401 || status === 404)
    return [{ kind: 'good', text: `Keeps to the specification, which describes this ${status}.` }];
  return [{ kind: 'good', text: 'Request and response keep to the specification.' }];
}
