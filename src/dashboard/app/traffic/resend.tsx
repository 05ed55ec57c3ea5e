/** A form that sends a request again, as it was or edited. */
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { type Answer, type Draft, draftOf, hasBody, ofCorrected, sendDraft, addressOf as sentTo } from './draft.ts';
import { jsonLines } from './lines.ts';
import { Status } from './marks.tsx';
import { LinesOf } from './message.tsx';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export function Resend({ exchange }: { exchange: Schema<'RequestDetails'> }) {
  const session = useSession();
  const announce = useAnnounce();
  const { run, isBusy, error } = useAction();
  const [draft, setDraft] = useState<Draft>(() => draftOf(exchange));
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const set = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }));
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      const sent = await sendDraft(draft, session);
      setAnswer(sent);
      announce(`Sent: the response is ${sent.status}.`);
    });
  };
  const { corrected, request } = exchange;
  const { method, target, headers, body } = draft;
  return (
    <form class="card edit" aria-label="Edit and resend" onSubmit={send}>
      <div class="request-line">
        <label>
          <span>Method</span>
          <select value={method} onChange={({ currentTarget }) => set({ method: currentTarget.value })}>
            {[...new Set([...METHODS, method])].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Path and query</span>
          <input
            class="code"
            value={target}
            spellcheck={false}
            onInput={({ currentTarget }) => set({ target: currentTarget.value })}
          />
        </label>
      </div>
      <Text label="Headers" value={headers} onChange={(value) => set({ headers: value })} />
      {hasBody(method) ? (
        <Text label="Body" value={body} onChange={(value) => set({ body: value })} />
      ) : (
        body !== '' && <p class="hint">A browser sends no body with {method}.</p>
      )}
      <p class="hint">
        {request.truncated && 'The request log holds only the beginning of the body. '}
        {noteOn(draft, session.baseUrl)}
      </p>
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy}>
          Send
        </button>
        <button type="button" onClick={() => setDraft(draftOf(exchange))}>
          As it was sent
        </button>
        {corrected && (
          <button type="button" onClick={() => setDraft(ofCorrected(draftOf(exchange), corrected))}>
            Corrected
          </button>
        )}
      </div>
      <Trouble error={error} />
      {answer && (
        <>
          <p>
            <Status status={answer.status} />{' '}
            {answer.id !== undefined && <a href={addressOf('traffic', answer.id)}>Open {answer.id}</a>}
          </p>
          <LinesOf label="Response" lines={jsonLines(answer.body) ?? []} />
        </>
      )}
    </form>
  );
}

function noteOn({ target }: Draft, baseUrl: string): string {
  const marked = 'The key of this tab is added, and the request is marked “this page” in the traffic.';
  try {
    const { pathname, search } = new URL(sentTo(target, { baseUrl }));
    return `${pathname}${search}` === target ? marked : `${marked} The browser sends the path as ${pathname}${search}.`;
  } catch {
    return marked;
  }
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Grows with its text. */
const Text = ({ label, value, onChange }: TextProps) => (
  <label>
    <span>{label}</span>
    <textarea
      class="code"
      rows={Math.min(16, Math.max(2, value.split('\n').length))}
      value={value}
      spellcheck={false}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </label>
);
