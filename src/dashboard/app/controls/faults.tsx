/** Faults: a common failure × operation × times, any other under Advanced, and the rules that there are. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ClientError } from '../../../client/errors.ts';
import { faultFieldSchema, faultTextForm, readFieldText } from '../../../core/fault-text.ts';
import { type FaultField, faultFields, operationNames } from '../../../generated/facts.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { describeRule, type Fault, isUsedUp, labelOf, type NewFault, triggeredWords } from './fault-rules.ts';

/** What commonly goes wrong, and the times that it does by default. */
const FAILURES: readonly (readonly [name: string, rule: NewFault, times: number | undefined])[] = [
  ['503, then it recovers', { status: 503 }, 2],
  ['Timeout: no response for a minute', { delayMs: 60_000 }, 1],
  ['Rate limit: 429 with Retry-After', { status: 429, retryAfter: 2 }, 3],
  ['Lost response: done, then the connection is reset', { when: 'after', connection: 'reset' }, 1],
  ['Slow: two seconds later', { delayMs: 2_000 }, undefined],
  ['Cut body', { connection: 'truncate' }, 1],
];

export function FaultsCard() {
  const { client } = useSession();
  const { faults } = useSandboxState();
  const announce = useAnnounce();
  const acting = useAction();
  const act = (work: () => Promise<unknown>, said: string): Promise<boolean> =>
    acting.run(async () => {
      await work();
      announce(said);
      faults.reload();
    });
  const add = (rule: NewFault): Promise<boolean> =>
    act(() => client.request('POST /faults', { body: rule }), 'The rule is on.');
  const rules = faults.value ?? [];
  return (
    <section class="card" aria-labelledby="faults">
      <h2 id="faults">Faults</h2>
      <Preset onAdd={add} />
      <Advanced onAdd={add} error={acting.error} />
      <Trouble error={fieldOf(acting.error) === undefined ? (acting.error ?? faults.error) : undefined} />
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
                  onClick={() =>
                    void act(
                      () => client.request('DELETE /faults/{faultId}', { params: { faultId: rule.id } }),
                      'The rule is deleted.',
                    )
                  }
                >
                  Delete
                </button>
              </li>
            ))}
          </ol>
          <ConfirmButton
            question="Clear all faults?"
            loss={clearLoss(rules)}
            onConfirm={() => void act(() => client.request('DELETE /faults'), 'All faults are off.')}
          >
            Clear all faults
          </ConfirmButton>
        </>
      )}
    </section>
  );
}

function clearLoss(rules: readonly Fault[]): string {
  const usedUp = rules.filter(isUsedUp).length;
  const which = usedUp === 0 ? '' : ` (${usedUp} used up)`;
  const each = rules.length === 1 ? 'it' : 'each';
  return `You lose ${many(rules.length, 'rule')}${which} and the count of how often ${each} was triggered.`;
}

/** @param onAdd resolves to whether the rule was accepted */
function Preset({ onAdd }: { onAdd: (rule: NewFault) => Promise<boolean> }) {
  const [chosen, choose] = useState(0);
  const [, rule, times] = FAILURES[chosen] as (typeof FAILURES)[number];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const operation = operationNames.find((each) => each === fields.get('operation'));
    const count = String(fields.get('times'));
    void onAdd({ ...rule, ...(operation && { operation }), ...(count !== '' && { times: Number(count) }) });
  };
  return (
    <form onSubmit={submit}>
      <Field label="Failure">
        <select value={chosen} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
          {FAILURES.map(([name], index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <div class="row three">
        <Field label="On operation">
          <select name="operation">
            <option value="">Every</option>
            {operationNames.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field label="How many times">
          <input
            key={chosen}
            name="times"
            type="number"
            min="1"
            placeholder="always"
            defaultValue={times?.toString()}
          />
        </Field>
        <button type="submit">Inject</button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  /** What the server found wrong with it. */
  readonly wrong?: string | undefined;
  readonly children: ComponentChildren;
}

const Field = ({ label, hint, wrong, children }: FieldProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
  <label title={hint?.replaceAll('`', '')}>
    <span>{label}</span>
    {children}
    {wrong && (
      <small class="wrong" role="alert">
        {wrong}
      </small>
    )}
  </label>
);

/** The field that an error names: `body/status: …` and `body: must not have status beside …` name `status`. */
function fieldOf(error: unknown): FaultField | undefined {
  if (!(error instanceof ClientError) || error.status !== 400) return undefined;
  const named = /^body\/(\w+)|must not have (\w+)/.exec(error.message);
  return faultFields.find((each) => each === (named?.[1] ?? named?.[2]));
}

/** All fields; the server checks their combination. */
function Advanced({ onAdd, error }: { onAdd: (rule: NewFault) => Promise<boolean>; error: unknown }) {
  const wrong = fieldOf(error);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = [...new FormData(form)].filter(([, value]) => value !== '');
    // Unreadable values are sent unchanged: the server reports what is wrong with them.
    const rule = given.map(([name, value]) => [
      name,
      readFieldText(faultFieldSchema(name as FaultField), String(value)) ?? value,
    ]);
    void onAdd(Object.fromEntries(rule) as NewFault).then((taken) => taken && form.reset());
  };
  return (
    <details>
      <summary>Advanced</summary>
      <form onSubmit={submit}>
        <div class="row three">
          {faultFields.map((name) => (
            <Field
              key={name}
              label={labelOf(name)}
              hint={faultFieldSchema(name).description}
              wrong={name === wrong && error instanceof Error ? error.message : undefined}
            >
              <FaultInput name={name} />
            </Field>
          ))}
        </div>
        <button type="submit">Add the rule</button>
      </form>
    </details>
  );
}

function FaultInput({ name }: { name: FaultField }) {
  const { type, enum: words, items } = faultFieldSchema(name);
  if (type === 'integer' || type === 'number')
    return <input name={name} type="number" step={type === 'integer' ? '1' : 'any'} />;
  if (!words)
    return <input name={name} placeholder={items?.enum.join(',') ?? (type === 'object' ? faultTextForm(name) : '')} />;
  return (
    <select name={name}>
      <option value="">{name === 'operation' ? 'Every' : 'By default'}</option>
      {words.map((word) => (
        <option key={word}>{word}</option>
      ))}
    </select>
  );
}
