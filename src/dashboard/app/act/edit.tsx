/** A form that sends a request again, as it was, edited or corrected. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { Status } from '../traffic/marks.tsx';
import { type Answer, type Draft, draftOf, hasBody, sendDraft, addressOf as sentTo } from './draft.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

interface EditProps {
  readonly exchange: Schema<'Exchange'>;
  /** What the form begins with; the request as it was sent if there is nothing to correct. */
  readonly corrected: Draft | undefined;
}

export function Edit({ exchange, corrected }: EditProps) {
  const session = useSession();
  const announce = useAnnounce();
  const { run, isBusy, error } = useAction();
  const [draft, setDraft] = useState<Draft>(() => corrected ?? draftOf(exchange));
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const set = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }));
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      const answer = await sendDraft(draft, session);
      setAnswers((before) => [answer, ...before]);
      announce(`Sent: the response is ${answer.status}.`);
    });
  };
  return (
    <form class="card edit" aria-label="Edit and resend" onSubmit={send}>
      <RequestLine draft={draft} onChange={set} />
      <Text label="Headers" value={draft.headers} onChange={(headers) => set({ headers })} />
      {hasBody(draft.method) ? (
        <Text label="Body" value={draft.body} onChange={(body) => set({ body })} />
      ) : (
        draft.body !== '' && <p class="hint">A browser sends no body with {draft.method}.</p>
      )}
      <p class="hint">
        {exchange.request.truncated && 'The request log holds only the beginning of the body. '}
        {noteOn(draft, session.baseUrl)}
      </p>
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy}>
          Send
        </button>
        <button type="button" onClick={() => setDraft(draftOf(exchange))}>
          As it was sent
        </button>
      </div>
      <Trouble error={error} />
      <Answers answers={answers} />
    </form>
  );
}

interface RequestLineProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

function RequestLine({ draft: { method, target }, onChange }: RequestLineProps) {
  const methods = METHODS.includes(method) ? METHODS : [...METHODS, method];
  return (
    <div class="request-line">
      <label>
        <span>Method</span>
        <select value={method} onChange={({ currentTarget }) => onChange({ method: currentTarget.value })}>
          {methods.map((each) => (
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
          autocomplete="off"
          onInput={({ currentTarget }) => onChange({ target: currentTarget.value })}
        />
      </label>
    </div>
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
const Text = ({ label, value, onChange }: TextProps) => {
  const area = useRef<HTMLTextAreaElement>(null);
  const rows = Math.min(16, Math.max(2, value.split('\n').length));
  return (
    <label>
      <span>{label}</span>
      <textarea
        ref={area}
        class="code"
        rows={rows}
        value={value}
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
};

/** The responses so far, the newest first. */
function Answers({ answers }: { answers: readonly Answer[] }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [answers.length]);
  if (answers.length === 0) return null;
  return (
    <ul class="answers" ref={list} aria-label="Responses">
      {answers.map(({ status, id }, index) => (
        <li key={id ?? index}>
          <Status status={status} />{' '}
          {id !== undefined && (
            <>
              <a href={addressOf('traffic', id)}>Open {id}</a>
              <a href={addressOf('traffic', id, 'compare')}>Compare</a>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
