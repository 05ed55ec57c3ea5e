/** Faults: switches for common ones, and the other rules. */
import { useId, useRef } from 'preact/hooks';
import { faultFieldSchema, faultTextForm, readFieldText } from '../../../core/fault-text.ts';
import { type FaultField, faultFields } from '../../../generated/facts.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import { describeRule, type Fault, isLike, isUsedUp, labelOf, type NewFault, triggeredWords } from './fault-rules.ts';

interface Common {
  readonly name: string;
  readonly what: string;
  readonly rule: NewFault;
}

const COMMON: readonly Common[] = [
  { name: 'Outage', what: 'Every request gets 503.', rule: { status: 503 } },
  { name: 'Slow', what: 'Every response takes two seconds longer.', rule: { delayMs: 2000 } },
  {
    name: 'Lost response',
    what: 'The next pet is added, but the connection breaks before the response.',
    rule: { operation: 'createPet', when: 'after', connection: 'reset', times: 1 },
  },
  {
    name: 'Rate limited',
    what: 'The next three requests get 429 with Retry-After.',
    rule: { status: 429, retryAfter: 2, times: 3 },
  },
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
  const remove = ({ id }: Fault): Promise<unknown> =>
    client.request('DELETE /faults/{faultId}', { params: { faultId: id } });
  const add = (rule: NewFault): Promise<unknown> => client.request('POST /faults', { body: rule });
  const rules = faults.value ?? [];
  // A rule that still acts, else one that is used up.
  const switches = COMMON.map((common) => {
    const alike = rules.filter((each) => isLike(each, common.rule));
    return { common, rule: alike.find((each) => !isUsedUp(each)) ?? alike.at(-1) };
  });
  const others = rules.filter((rule) => switches.every((each) => each.rule !== rule));
  const turn = (common: Common, rule: Fault | undefined): void => {
    const isOn = rule !== undefined && !isUsedUp(rule);
    void act(
      async () => {
        if (rule) await remove(rule);
        if (!isOn) await add(common.rule);
      },
      `${common.name} is ${isOn ? 'off' : 'on'}.`,
    );
  };
  return (
    <section class="card" aria-labelledby="faults">
      <h2 id="faults">Faults</h2>
      <ul class="switches">
        {switches.map(({ common, rule }) => (
          <Switch key={common.name} common={common} rule={rule} onTurn={() => turn(common, rule)} />
        ))}
      </ul>
      <Trouble error={acting.error ?? faults.error} />
      {others.length > 0 && (
        <>
          <h3>Other rules</h3>
          <Rules rules={others} onDelete={(rule) => void act(() => remove(rule), 'The rule is deleted.')} />
        </>
      )}
      <FaultForm onAdd={(rule) => act(() => add(rule), 'The rule is on.')} />
      {rules.length > 0 && (
        <ConfirmButton
          question="Clear all faults?"
          loss={clearLoss(rules)}
          onConfirm={() => void act(() => client.request('DELETE /faults'), 'All faults are off.')}
        >
          Clear all faults
        </ConfirmButton>
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

interface SwitchProps {
  readonly common: Common;
  readonly rule: Fault | undefined;
  readonly onTurn: () => void;
}

/** On while its rule may still act. */
function Switch({ common: { name, what }, rule, onTurn }: SwitchProps) {
  const id = useId();
  return (
    <li>
      <button
        type="button"
        role="switch"
        aria-checked={rule !== undefined && !isUsedUp(rule)}
        aria-describedby={id}
        onClick={onTurn}
      >
        <span class="knob" />
        <strong>{name}</strong>
        {rule && <Standing rule={rule} />}
      </button>
      <p id={id} class="hint">
        {what}
      </p>
    </li>
  );
}

/** `on`, `used up`, and how often it was triggered. */
const Standing = ({ rule }: { rule: Fault }) => (
  <span class={isUsedUp(rule) ? 'mark' : 'mark fault'}>
    {isUsedUp(rule) ? 'used up' : 'on'} · {triggeredWords(rule)}
  </span>
);

const Rules = ({ rules, onDelete }: { rules: readonly Fault[]; onDelete: (rule: Fault) => void }) => (
  <ol class="entries">
    {rules.map((rule) => (
      <li key={rule.id}>
        <span class="entry">
          <span>{describeRule(rule)}</span>
          <span>
            <Standing rule={rule} />
          </span>
        </span>
        <button
          type="button"
          class="plain danger"
          aria-label={`Delete the rule: ${describeRule(rule)}`}
          onClick={() => onDelete(rule)}
        >
          Delete
        </button>
      </li>
    ))}
  </ol>
);

/** A form for a custom fault rule; the server checks the combination of fields. */
const FIELDS = faultFields.map((name) => ({ name, ...faultFieldSchema(name) }));
const isNumber = (type: string): boolean => type === 'integer' || type === 'number';
const NUMBERS = FIELDS.filter(({ type }) => isNumber(type));
const CHOICES = FIELDS.filter(({ enum: words }) => words !== undefined);
const TEXTS = FIELDS.filter(({ type, enum: words }) => !isNumber(type) && words === undefined);

/** @param onAdd resolves to whether the rule was accepted */
function FaultForm({ onAdd }: { onAdd: (rule: NewFault) => Promise<boolean> }) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!form.current) return;
    const given = [...new FormData(form.current)].filter(([, value]) => value !== '');
    // Unreadable values are sent unchanged: the server reports what is wrong with them.
    const rule = given.map(([name, value]) => [
      name,
      readFieldText(faultFieldSchema(name as FaultField), String(value)) ?? value,
    ]);
    void onAdd(Object.fromEntries(rule) as NewFault).then((taken) => taken && form.current?.reset());
  };
  return (
    <details>
      <summary>A rule of your own</summary>
      <form ref={form} onSubmit={submit}>
        <div class="row three">
          {CHOICES.map(({ name, description, enum: words = [] }) => (
            <label key={name} title={plain(description)}>
              <span>{labelOf(name)}</span>
              <select name={name}>
                <option value="">{name === 'operation' ? 'Every' : 'By default'}</option>
                {words.map((word) => (
                  <option key={word}>{word}</option>
                ))}
              </select>
            </label>
          ))}
          {TEXTS.map(({ name, type, items, description }) => (
            <label key={name} title={plain(description)}>
              <span>{labelOf(name)}</span>
              <input
                name={name}
                placeholder={items?.enum.join(',') ?? (type === 'object' ? faultTextForm(name) : '')}
              />
            </label>
          ))}
          {NUMBERS.map(({ name, type, description }) => (
            <label key={name} title={plain(description)}>
              <span>{labelOf(name)}</span>
              <input name={name} type="number" step={type === 'integer' ? '1' : 'any'} />
            </label>
          ))}
        </div>
        <button type="submit">Add the rule</button>
      </form>
    </details>
  );
}

const plain = (description: string): string => description.replaceAll('`', '');
