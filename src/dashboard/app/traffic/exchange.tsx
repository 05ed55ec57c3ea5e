/** One exchange: request, response, and findings. */
import { useEffect, useRef } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { lossIn, refusalIn } from '../../../client/text.ts';
import { useLoaded } from '../kit/async.ts';
import { CopyButton } from '../kit/copy.tsx';
import { duration, many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { addressOf } from '../route.ts';
import { serverAddress, useSession } from '../session.ts';
import { curlOf } from './curl.ts';
import { type Finding, type Line, targetLines } from './lines.ts';
import { Marks, Method, Status } from './marks.tsx';
import { Message } from './message.tsx';
import { readSpecification } from './words.ts';

type Exchange = Schema<'Exchange'>;

export function ExchangeView({ id }: { id: string }) {
  const { client, pets } = useSession();
  const { value, error, reload } = useLoaded(
    () => client.request('GET /requests/{requestId}', { params: { requestId: id } }),
    [client, id],
  );
  const specification = useLoaded(readSpecification, []);
  const heading = useRef<HTMLHeadingElement>(null);
  const exchange = value?.id === id ? value : undefined;
  // Moves the focus, so that a keyboard user continues there.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [exchange?.id]);
  return (
    <article class="exchange-view" aria-label="Exchange">
      <nav class="back">
        <a href={addressOf('traffic')}>← All traffic</a>
      </nav>
      <Trouble error={error} retry={reload} />
      {exchange && (
        <>
          <header>
            <h2 ref={heading} tabIndex={-1}>
              <Method method={exchange.method} /> <span class="target">{exchange.target}</span>{' '}
              <Status status={exchange.status} />
            </h2>
            <p class="facts">
              <time dateTime={exchange.at}>{timeOfDay(exchange.at)}</time>
              <span>{duration(exchange.durationMs)}</span>
              <span>{exchange.operation ?? 'no operation'}</span>
              <Marks exchange={exchange} isOwn={pets.sent.has(id)} />
            </p>
            <Tools exchange={exchange} />
          </header>
          <Outcome exchange={exchange} />
          <Both exchange={exchange} specification={specification.value} />
        </>
      )}
    </article>
  );
}

function Tools({ exchange }: { exchange: Exchange }) {
  const { key } = useSession();
  const curl = curlOf(exchange, serverAddress(), key);
  const link = `${location.href.split('#')[0]}${addressOf('traffic', exchange.id)}`;
  return (
    <p class="tools">
      {curl === undefined ? (
        <span class="hint">No curl line: the journal does not hold the whole body.</span>
      ) : (
        <CopyButton text={curl} what="curl line">
          Copy as curl
        </CopyButton>
      )}
      <CopyButton text={link} what="link to this exchange">
        Copy link
      </CopyButton>
      <code class="id">{exchange.id}</code>
    </p>
  );
}

/** A summary in one sentence. */
function Outcome({ exchange }: { exchange: Exchange }) {
  const { violations, warnings, injected, unjudged, refereed } = exchange;
  const loss = lossIn(exchange);
  return (
    <>
      {loss !== undefined && <p class="outcome bad">{loss}</p>}
      {injected !== null && (
        <p class="outcome fault">
          A fault was injected: <code>{injected}</code>. What it did is nobody’s violation.
        </p>
      )}
      {unjudged !== null && <p class="outcome bad">The referee could not judge this: {unjudged}</p>}
      {unjudged === null && !refereed && (
        <p class="outcome">Not judged: no operation of the specification matches, or it was a HEAD request.</p>
      )}
      {refereed && unjudged === null && (
        <p class={`outcome ${violations.length > 0 ? 'bad' : warnings.length > 0 ? 'warn' : 'good'}`}>
          {refusalIn(exchange) ?? verdictOf(exchange)}
        </p>
      )}
    </>
  );
}

function verdictOf({ violations, warnings, status }: Exchange): string {
  if (violations.length > 0)
    return `${many(violations.length, 'violation')} of the specification. Each stands beside what it is about.`;
  if (warnings.length === 0) return 'Nothing wrong: both sides keep to the specification.';
  const allowed =
    status >= 400 ? 'The response is one that the specification describes' : 'Allowed by the specification';
  return `${allowed}, with ${many(warnings.length, 'warning')}.`;
}

function Both({ exchange, specification }: { exchange: Exchange; specification: unknown }) {
  const { request, response, violations, warnings } = exchange;
  const findings: readonly Finding[] = [
    ...violations.map((violation) => ({ ...violation, kind: 'violation' as const })),
    ...warnings.map((warning) => ({ ...warning, kind: 'warning' as const })),
  ];
  const ofResponse = (finding: Finding): boolean => finding.kind === 'violation' && finding.side === 'response';
  return (
    <>
      <Message
        title="Request"
        head={[...targetLines(exchange.method, exchange.target), ...typeLine(request.contentType)]}
        body={request.body}
        note={request.unread ? 'Its body was refused without being read.' : cutNote(request)}
        findings={findings.filter((finding) => !ofResponse(finding))}
        specification={specification}
      />
      <Message
        title="Response"
        head={[statusLine(exchange.status), ...typeLine(response.contentType)]}
        body={response.body}
        note={cutNote(response)}
        findings={findings.filter(ofResponse)}
        specification={specification}
      />
    </>
  );
}

const cutNote = ({ cut, bytes }: { cut: boolean; bytes: number }): string | undefined =>
  cut ? `Only the beginning of its ${bytes.toLocaleString('en-GB')} bytes was kept.` : undefined;

const statusLine = (status: number): Line => ({
  place: 'status',
  indent: 0,
  pieces: [{ kind: 'key', text: status === 0 ? 'no response' : String(status) }],
});

const typeLine = (type: string | null): Line[] =>
  type === null
    ? []
    : [{ place: 'header/content-type', indent: 0, pieces: [{ kind: 'plain', text: `Content-Type: ${type}` }] }];
