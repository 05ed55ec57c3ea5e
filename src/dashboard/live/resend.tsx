/** A form that sends a request again, as it was or edited. */
import { useState } from 'preact/hooks';
import { basePath, operations } from '../../base/generated/facts.ts';
import type { Schema } from '../../client/routes.ts';
import { Choice, FormField, named } from '../kit/form.tsx';
import { Trouble } from '../kit/trouble.tsx';
import { AnswerView, type Draft, draftOf, hasBody, ofCorrected, useSending } from './draft.tsx';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export function Resend({ exchange }: { exchange: Schema<'RequestDetails'> }) {
  const sent = draftOf(exchange);
  const { corrected, request } = exchange;
  return (
    <Composer
      label="Edit and resend"
      from={{ 'As it was sent': sent, ...(corrected && { Corrected: ofCorrected(sent, corrected) }) }}
      note={request.truncated ? 'The request log holds only the beginning of the body. ' : ''}
    />
  );
}

const PETS = `${basePath}/pets`;
const JSON_BODY = { target: PETS, headers: 'Content-Type: application/json' };

/** A request of one's own, from an example of each operation. @param operation the one to begin with */
export const Compose = ({ operation }: { operation: string | undefined }) => (
  <>
    <h2>Send a request</h2>
    <Composer
      // Another operation starts over.
      key={operation}
      label="A new request"
      first={operation}
      from={{
        listPets: { method: 'GET', target: `${PETS}?limit=5`, headers: '', body: '' },
        createPet: { method: 'POST', ...JSON_BODY, body: JSON.stringify(operations.createPet.bodyExample, null, 2) },
        getPet: { method: 'GET', target: `${PETS}/1`, headers: '', body: '' },
      }}
      note=""
    />
  </>
);

interface ComposerProps {
  readonly label: string;
  /** What it can be filled with. */
  readonly from: Readonly<Record<string, Draft>>;
  /** What is there at the beginning; the first of them by default. */
  readonly first?: string | undefined;
  readonly note: string;
}

function Composer({ label, from, first = '', note }: ComposerProps) {
  const { send, isBusy, answer, error } = useSending();
  const [draft, setDraft] = useState<Draft>(
    () => (Object.hasOwn(from, first) ? from[first] : Object.values(from)[0]) as Draft,
  );
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
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        send(() => draft);
      }}
    >
      <div class="row request-line">
        <Choice label="Method" value={method} onChange={(chosen) => setDraft({ ...draft, method: chosen })}>
          {named([...new Set([...METHODS, method])])}
        </Choice>
        <FormField label="Path and query">
          <input {...part('target')} />
        </FormField>
      </div>
      <FormField label="Headers">
        <textarea rows={3} {...part('headers')} />
      </FormField>
      {hasBody(method) ? (
        <FormField label="Body">
          <textarea rows={Math.min(16, body.split('\n').length + 1)} {...part('body')} />
        </FormField>
      ) : (
        body !== '' && <p class="hint">A browser sends no body with {method}.</p>
      )}
      <p class="hint">{note}The key of this tab is added, and the request is marked “this page” in the list.</p>
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy}>
          Send
        </button>
        {Object.entries(from).map(([name, each]) => (
          <button key={name} type="button" onClick={() => setDraft(each)}>
            {name}
          </button>
        ))}
      </div>
      <Trouble error={error} />
      {answer && <AnswerView answer={answer} note="sent from this page" />}
    </form>
  );
}
