/** Faults: a sentence for the common ones, any other under Advanced, and the rules that there are. */
import { faultFieldSchema, faultTextForm, readFieldText } from '../../base/api/fault-text.ts';
import { type FaultField, faultFields } from '../../base/generated/facts.ts';
import { useAction } from '../kit/action.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Form, FormField, type Given } from '../kit/form.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { FaultForm } from './fault-form.tsx';
import { describeRule, type FaultRule, isUsedUp, labelOf, placeFault, triggeredWords } from './fault-rules.ts';

export function FaultsCard() {
  const { client } = useSession();
  const { faults } = useSandboxState();
  const acting = useAction();
  const rules = faults.value ?? [];
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
      <Advanced />
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

/** All fields; the server checks their combination. */
function Advanced() {
  const session = useSession();
  // Unreadable values are sent unchanged: the server reports what is wrong with them.
  const send = (given: Given): Promise<string> => {
    const fields = Object.entries(given)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, readFieldText(faultFieldSchema(name as FaultField), value) ?? value]);
    return placeFault(session, Object.fromEntries(fields));
  };
  return (
    <details>
      <summary>Advanced</summary>
      <Form button="Add the rule" onSend={send}>
        <div class="row">
          {faultFields.map((name) => (
            <FaultInput key={name} name={name} />
          ))}
        </div>
      </Form>
    </details>
  );
}

function FaultInput({ name }: { name: FaultField }) {
  const { type, enum: words, items, description } = faultFieldSchema(name);
  const placeholder = items?.enum.join(',') ?? (type === 'object' ? faultTextForm(name) : '');
  return (
    <FormField label={labelOf(name)} hint={description}>
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
