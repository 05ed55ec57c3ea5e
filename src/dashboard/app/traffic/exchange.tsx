/** One exchange: what it came to, how to correct it, and its two sides with the findings beside their lines. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { CopyMenu } from '../kit/copy.tsx';
import { duration, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf, linkTo, referenceOf, type Tab } from '../route.ts';
import { serverAddress, useSession } from '../session.ts';
import { ArchiveButton } from './archive.tsx';
import { Compare } from './compare.tsx';
import { type Answer, draftOf, ofCorrected, sendDraft } from './draft.ts';
import { headerLines, jsonLines, type Line, targetLines } from './lines.ts';
import type { Live } from './live.ts';
import { Method, Status } from './marks.tsx';
import { LinesOf, Message } from './message.tsx';
import { Resend } from './resend.tsx';
import { snippetsOf } from './snippets.ts';

type Details = Schema<'RequestDetails'>;

interface ExchangeViewProps {
  readonly id: string;
  readonly tab: Tab | undefined;
  readonly live: Live;
}

export function ExchangeView({ id, tab, live }: ExchangeViewProps) {
  const { client } = useSession();
  const { value, error, reload } = useLoaded(
    () => client.request('GET /requests/{requestId}', { params: { requestId: id } }),
    [client, id, live.arrived],
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const exchange = value?.id === id ? value : undefined;
  // Moves the focus, so that a keyboard user continues there.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [exchange?.id]);
  if (!exchange) return <Trouble error={error} retry={reload} />;
  const { method, target, status, findings } = exchange;
  const isOfResponse = findings.length > 0 && findings.every(({ side }) => side === 'response');
  const chosen = tab ?? (isOfResponse ? 'response' : 'request');
  return (
    <article class="exchange-view" aria-label="Exchange">
      <a class="back" href={addressOf('traffic')}>
        ← All traffic
      </a>
      <header class="pinned">
        <h2 ref={heading} tabIndex={-1}>
          <Method method={method} /> <span class="target">{visible(target)}</span> <Status status={status} />
        </h2>
        {exchange.outcome.map(({ kind, text }) => (
          <p key={text} class={`outcome ${kind}`}>
            {visible(text)}
          </p>
        ))}
        <Tabs exchange={exchange} chosen={chosen} />
      </header>
      <Facts exchange={exchange} />
      {exchange.corrected && <Corrected exchange={exchange} corrected={exchange.corrected} />}
      <Tools exchange={exchange} />
      {chosen === 'request' && <RequestMessage exchange={exchange} />}
      {chosen === 'response' && <ResponseMessage exchange={exchange} />}
      {chosen === 'compare' && <Compare exchange={exchange} exchanges={live.exchanges} />}
      {chosen === 'edit' && <Resend key={exchange.id} exchange={exchange} />}
    </article>
  );
}

function Tabs({ exchange: { id, findings }, chosen }: { exchange: Details; chosen: Tab }) {
  const count = (side: string): number => findings.filter((each) => each.side === side).length;
  const tabs: readonly (readonly [Tab, string, number])[] = [
    ['request', 'Request', count('request')],
    ['response', 'Response', count('response')],
    ['compare', 'Compare', 0],
    ['edit', 'Resend', 0],
  ];
  return (
    <nav class="tabs" aria-label="Sides of the exchange">
      {tabs.map(([name, label, found]) => (
        <a key={name} href={addressOf('traffic', id, name)} aria-current={name === chosen ? 'page' : undefined}>
          {label}
          {found > 0 && (
            <>
              {' '}
              <span class="mark">
                {found}
                <span class="unseen"> findings</span>
              </span>
            </>
          )}
        </a>
      ))}
    </nav>
  );
}

const Facts = ({ exchange }: { exchange: Details }) => (
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

interface CorrectedProps {
  readonly exchange: Details;
  readonly corrected: NonNullable<Details['corrected']>;
}

/** The corrected request; one button sends it, and its response stands in its place. */
function Corrected({ exchange, corrected }: CorrectedProps) {
  const session = useSession();
  const announce = useAnnounce();
  const { run, isBusy, error } = useAction();
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  useEffect(() => setAnswer(undefined), [exchange.id]);
  const send = (): void =>
    void run(async () => {
      const sent = await sendDraft(ofCorrected(draftOf(exchange), corrected), session);
      setAnswer(sent);
      announce(`Sent: the response is ${sent.status}.`);
    });
  const lines = [
    ...targetLines(corrected.method, corrected.target),
    ...(corrected.body === null ? [] : (jsonLines(corrected.body) ?? [])),
  ];
  return (
    <section class="message corrected" aria-label="Corrected request">
      <header>
        <h3>Corrected request</h3>
        <button type="button" class="primary" disabled={isBusy} onClick={send}>
          Send corrected
        </button>
      </header>
      <LinesOf label="Corrected request" lines={lines} />
      <Trouble error={error} />
      {answer && (
        <div class="answer">
          <p>
            <Status status={answer.status} />{' '}
            {answer.id !== undefined && (
              <>
                <a href={addressOf('traffic', answer.id)}>Open {answer.id}</a>{' '}
                <a href={addressOf('traffic', answer.id, 'compare')}>Compare</a>
              </>
            )}
          </p>
          <LinesOf label="Its response" lines={jsonLines(answer.body) ?? []} />
        </div>
      )}
    </section>
  );
}

/** What can be taken from here to elsewhere. */
function Tools({ exchange }: { exchange: Details }) {
  const { key, sandbox } = useSession();
  const snippets = snippetsOf(exchange, serverAddress(), key);
  const link = linkTo(sandbox.id, 'traffic', exchange.id);
  return (
    <div class="buttons">
      <CopyMenu
        choices={[
          ...snippets.map(({ name, text }) => ({ label: `as ${name}`, what: name, text })),
          { label: 'link for a colleague', what: 'link', text: link },
        ]}
      />
      <ArchiveButton ids={[exchange.id]} name={`${exchange.id}.har`}>
        HAR
      </ArchiveButton>
      {snippets.length === 0 && <span class="hint">The request log does not hold the whole body.</span>}
    </div>
  );
}

const RequestMessage = ({ exchange }: { exchange: Details }) => (
  <Message
    title="Request"
    head={[...targetLines(exchange.method, exchange.target), ...headerLines(exchange.request.headers)]}
    body={exchange.request.body}
    note={exchange.request.unread ? 'Its body was rejected without being read.' : cutNote(exchange.request)}
    findings={exchange.findings.filter(({ side }) => side === 'request')}
    operation={exchange.operation}
  />
);

const ResponseMessage = ({ exchange }: { exchange: Details }) => (
  <>
    <ol class="card timeline" aria-label="Timeline">
      {exchange.timeline.map(({ atMs, kind, text, request }) => (
        <li key={text} class={kind}>
          <span class="at">{atMs === null ? '' : duration(atMs)}</span>
          <span>
            {visible(text)} {request && <a href={addressOf('traffic', request)}>{request}</a>}
          </span>
        </li>
      ))}
    </ol>
    <Message
      title="Response"
      head={[statusLine(exchange.status), ...headerLines(exchange.response.headers)]}
      body={exchange.response.body}
      note={cutNote(exchange.response)}
      findings={exchange.findings.filter(({ side }) => side === 'response')}
      operation={exchange.operation}
    />
  </>
);

const cutNote = ({ truncated, bytes }: { truncated: boolean; bytes: number }): string | undefined =>
  truncated ? `Only the beginning of its ${bytes.toLocaleString('en-GB')} bytes was kept.` : undefined;

const statusLine = (status: number): Line => ({
  location: 'status',
  indent: 0,
  pieces: [{ kind: 'key', text: status === 0 ? 'No response was sent.' : String(status) }],
});
