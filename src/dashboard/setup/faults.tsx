/** Faults: a sentence for the common ones, any other under Advanced, and the rules that there are. */
import { faultFieldSchema, faultTextForm, readFieldText } from '../../base/api/fault-text.ts';
import { type FaultField, faultFields } from '../../base/generated/facts.ts';
import { ClientError } from '../../client/errors.ts';
import { useAction } from '../kit/action.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Form, FormField, type Given } from '../kit/form.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { sentence } from '../kit/visible.tsx';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { FaultForm } from './fault-form.tsx';
import { describeRule, type FaultRule, isUsedUp, labelOf, type NewFaultRule, triggeredWords } from './fault-rules.ts';

export function FaultsCard() {
  const { client } = useSession();
  const { faults } = useSandboxState();
  const acting = useAction();
  const rules = faults.value ?? [];
  const add = async (rule: NewFaultRule): Promise<string> => {
    await client.request('POST /faults', { body: rule });
    return sentence(describeRule(rule));
  };
  const remove = (faultId: string | undefined): void =>
    void acting.run(async () => {
      if (faultId === undefined) await client.request('DELETE /faults');
      else await client.request('DELETE /faults/{faultId}', { params: { faultId } });
      return faultId === undefined ? 'All faults are off.' : 'The rule is deleted.';
    });
  return (
    <section class="card" aria-labelledby="faults">
      <h2 id="faults">Faults</h2>
      <FaultForm />
      <Advanced onAdd={add} />
      <Trouble error={acting.error ?? faults.error} />
      {rules.length > 0 && (
        <>
          <ol class="entries" aria-label="Rules">
            {rules.map((rule) => (
              <li key={rule.id}>
                <span class="entry">
                  <span>{describeRule(rule)}</span>
                  <span>
                    <span class={isUsedUp(rule) ? 'mark' : 'mark fault'}>
                      {isUsedUp(rule) ? 'used up' : 'on'} · {triggeredWords(rule)}
                    </span>
                  </span>
                </span>
                <button
                  type="button"
                  class="plain danger"
                  aria-label={`Delete the rule: ${describeRule(rule)}`}
                  onClick={() => remove(rule.id)}
                >
                  Delete
                </button>
              </li>
            ))}
          </ol>
          <ConfirmButton question="Clear all faults?" loss={clearLoss(rules)} onConfirm={() => remove(undefined)}>
            Clear all faults
          </ConfirmButton>
        </>
      )}
    </section>
  );
}

function clearLoss(rules: readonly FaultRule[]): string {
  const usedUp = rules.filter(isUsedUp).length;
  const which = usedUp === 0 ? '' : ` (${usedUp} used up)`;
  return `You lose ${many(rules.length, 'rule')}${which} and the counts of how often they were triggered.`;
}

type OnAdd = (rule: NewFaultRule) => Promise<string>;

/** The field that an error names: `body/status is …` and ``body must not have `status` together with …`` name `status`. */
function fieldOf(error: unknown): FaultField | undefined {
  if (!(error instanceof ClientError) || error.status !== 400) return undefined;
  const found = /^body\/(\w+)|must not have `(\w+)`/.exec(error.message);
  return faultFields.find((each) => each === (found?.[1] ?? found?.[2]));
}

/** All fields; the server checks their combination. */
function Advanced({ onAdd }: { onAdd: OnAdd }) {
  // Unreadable values are sent unchanged: the server reports what is wrong with them.
  const send = (given: Given): Promise<string> =>
    onAdd(
      Object.fromEntries(
        Object.entries(given)
          .filter(([, value]) => value !== '')
          .map(([name, value]) => [name, readFieldText(faultFieldSchema(name as FaultField), value) ?? value]),
      ) as NewFaultRule,
    );
  return (
    <details>
      <summary>Advanced</summary>
      <Form button="Add the rule" onSend={send} isShown={(error) => fieldOf(error) !== undefined}>
        {(error) => (
          <div class="row">
            {faultFields.map((name) => (
              <FaultInput key={name} name={name} error={name === fieldOf(error) ? error : undefined} />
            ))}
          </div>
        )}
      </Form>
    </details>
  );
}

function FaultInput({ name, error }: { name: FaultField; error: unknown }) {
  const { type, enum: words, items, description } = faultFieldSchema(name);
  const placeholder = items?.enum.join(',') ?? (type === 'object' ? faultTextForm(name) : '');
  return (
    <FormField label={labelOf(name)} hint={description} wrong={error instanceof Error ? error.message : undefined}>
      {words ? (
        <select name={name}>
          <option value="">{name === 'operation' ? 'Every' : 'By default'}</option>
          {words.map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      ) : type === 'integer' || type === 'number' ? (
        <input name={name} type="number" step={type === 'integer' ? '1' : 'any'} />
      ) : (
        <input name={name} placeholder={placeholder} />
      )}
    </FormField>
  );
}
