/** One request: what it came to, how to correct it, and its two sides with the findings next to their lines. */

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { pathOfAddress } from '../../base/address.ts';
import { duration } from '../../base/text.ts';
import type { Schema } from '../../client/routes.ts';
import { useAction, useLoaded } from '../kit/action.ts';
import { CopyButton } from '../kit/copy.tsx';
import { download } from '../kit/form.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.tsx';
import { addressOf, linkTo, referenceLink, type Tab } from '../route.ts';
import { serverOfPage, useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { AnswerView, draftOf, ofCorrected, useSending } from './draft.tsx';
import { toldOnce } from './lines.ts';
import { StatusCode } from './list.tsx';
import { Side } from './message.tsx';
import { Resend } from './resend.tsx';
import { snippetsOf } from './snippets.ts';

type Details = Schema<'RequestDetails'>;

export function ExchangeView({ id, tab }: { id: string; tab: Tab | undefined }) {
  const { client } = useSession();
  const { live } = useSandboxState();
  const { value, error, reload } = useLoaded(
    () => client.request('GET /requests/{requestId}', { params: { requestId: id } }),
    [client, id, live.arrived],
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const exchange = value?.id === id ? value : undefined;
  // Moves the focus, so that a keyboard user continues there.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [exchange?.id]);
  if (!exchange) return <Trouble error={error} retry={reload} />;
  return <Opened key={exchange.id} exchange={exchange} heading={heading} tab={tab} />;
}

interface OpenedProps {
  readonly exchange: Details;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly tab: Tab | undefined;
}

function Opened({ exchange, heading, tab }: OpenedProps) {
  const { send, isBusy, answer, error } = useSending();
  const { method, target, status, findings, corrected, response } = exchange;
  const isOfResponse = findings.length > 0 && findings.every(({ side }) => side === 'response');
  const chosen = tab ?? (isOfResponse ? 'response' : 'request');
  return (
    <article class="exchange-view" aria-label="Request">
      <a href={addressOf('live')}>← Back</a>
      <header>
        <h2 ref={heading} tabIndex={-1} title={visible(target)}>
          <StatusCode status={status} /> <span class="method">{method}</span>{' '}
          <span class="target">{visible(target)}</span>
        </h2>
        {corrected && (
          <button
            type="button"
            class="primary"
            disabled={isBusy}
            onClick={() => send(() => ofCorrected(draftOf(exchange), corrected))}
          >
            Fix and send
          </button>
        )}
        {exchange.outcome.map(({ kind, text }) => (
          <p key={text} class={`outcome ${kind}`}>
            {visible(text)}
          </p>
        ))}
        <CopyAs exchange={exchange} />
        <Tabs exchange={exchange} chosen={chosen} />
      </header>
      <Trouble error={error} />
      {chosen !== 'edit' && <Side exchange={exchange} side={chosen} />}
      {chosen === 'request' && <AnswerView answer={{ status, body: response.body ?? '', id: undefined }} />}
      {answer && <AnswerView answer={answer} note="fixed, sent from this page" />}
      {chosen === 'edit' && <Resend exchange={exchange} />}
      <Facts exchange={exchange} />
    </article>
  );
}

const TABS = [
  ['request', 'Request'],
  ['response', 'Response'],
  ['edit', 'Edit'],
] as const;

function Tabs({ exchange: { id, findings, operation }, chosen }: { exchange: Details; chosen: Tab }) {
  const count = (side: string): number => toldOnce(findings).filter((each) => each.side === side).length;
  return (
    <nav class="tabs" aria-label="Sides of the exchange">
      {TABS.map(([name, label]) => (
        <a key={name} href={addressOf('live', id, name)} aria-current={name === chosen ? 'page' : undefined}>
          {label} {count(name) > 0 && <span class="mark">{many(count(name), 'finding')}</span>}
        </a>
      ))}
      {operation !== null && <a href={addressOf('setup', operation)}>Fail the next one like this</a>}
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
      <a href={referenceLink(exchange.operation)} title="This operation in the reference">
        {exchange.operation}
      </a>
    )}
    {exchange.fromDashboard && <span class="mark">this page</span>}
    <code>{exchange.id}</code>
  </p>
);

/** What can be taken from here to elsewhere. */
function CopyAs({ exchange }: { exchange: Details }) {
  const { key, sandbox, client } = useSession();
  const { run, error } = useAction();
  const { id: request } = exchange;
  const address = serverOfPage() + pathOfAddress(exchange.address && sandbox.id);
  const link = linkTo(sandbox.id, 'live', request);
  const har = async (): Promise<string> =>
    download(await client.text('GET /export', { query: { format: 'har', request } }), `${request}.har`);
  return (
    <details>
      <summary>Copy as…</summary>
      <div class="buttons">
        {snippetsOf(exchange, address, key).map(({ name, text }) => (
          <CopyButton key={name} text={text} what={name}>
            {name}
            {text.includes(key) && ' (with the live key)'}
          </CopyButton>
        ))}
        <CopyButton text={link} what="link">
          link for a colleague
        </CopyButton>
        <button type="button" class="plain" onClick={() => void run(har)}>
          HAR, as a file
        </button>
        {exchange.request.truncated && <p class="hint">The request log doesn’t have the whole body.</p>}
      </div>
      <Trouble error={error} />
    </details>
  );
}
