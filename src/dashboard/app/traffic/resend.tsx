/** A form that sends a request again, as it was or edited. */
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { Choice, Field, named } from '../kit/form.tsx';
import { type Draft, draftOf, hasBody, ofCorrected, useSending } from './draft.tsx';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export function Resend({ exchange }: { exchange: Schema<'RequestDetails'> }) {
  const { send, isBusy, outcome } = useSending();
  const [draft, setDraft] = useState<Draft>(() => draftOf(exchange));
  const { corrected, request } = exchange;
  const { method, body } = draft;
  const part = (name: keyof Draft) => ({
    class: 'code',
    value: draft[name],
    spellcheck: false,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      setDraft({ ...draft, [name]: currentTarget.value }),
  });
  return (
    <form
      class="card"
      aria-label="Edit and resend"
      onSubmit={(event) => {
        event.preventDefault();
        send(draft);
      }}
    >
      <div class="row request-line">
        <Choice label="Method" value={method} onChange={(chosen) => setDraft({ ...draft, method: chosen })}>
          {named([...new Set([...METHODS, method])])}
        </Choice>
        <Field label="Path and query">
          <input {...part('target')} />
        </Field>
      </div>
      <Field label="Headers">
        <textarea rows={3} {...part('headers')} />
      </Field>
      {hasBody(method) ? (
        <Field label="Body">
          <textarea rows={Math.min(16, body.split('\n').length + 1)} {...part('body')} />
        </Field>
      ) : (
        body !== '' && <p class="hint">A browser sends no body with {method}.</p>
      )}
      <p class="hint">
        {request.truncated && 'The request log holds only the beginning of the body. '}
        The key of this tab is added, and the request is marked “this page” in the traffic.
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
      {outcome}
    </form>
  );
}
