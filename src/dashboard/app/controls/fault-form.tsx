/** A fault rule of one's own; what does not go together, the server says. */
import { useRef } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { faultFields, newFault } from '../../../generated/facts.ts';

type NewFault = Schema<'NewFault'>;

interface Described {
  readonly type: string;
  readonly description: string;
  readonly enum?: readonly string[];
}

const FIELDS = faultFields.map((name) => ({ name, ...(newFault.properties[name] as Described) }));
const NUMBERS = FIELDS.filter(({ type }) => type !== 'string');
const WORDS = FIELDS.filter(({ type }) => type === 'string');

/** `delayMs` as `Delay, ms`. */
export const labelOf = (field: string): string => {
  const words = field.replace(/Ms$/, ', ms').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** @param onAdd resolves to whether the rule was taken */
export function FaultForm({ onAdd }: { onAdd: (rule: NewFault) => Promise<boolean> }) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!form.current) return;
    const given = [...new FormData(form.current)].filter(([, value]) => value !== '');
    const isNumber = (name: string): boolean => NUMBERS.some((field) => field.name === name);
    const rule = given.map(([name, value]) => [name, isNumber(name) ? Number(value) : value]);
    void onAdd(Object.fromEntries(rule) as NewFault).then((taken) => taken && form.current?.reset());
  };
  return (
    <details>
      <summary>A rule of your own</summary>
      <form ref={form} onSubmit={submit}>
        <div class="row three">
          {WORDS.map(({ name, description, enum: words = [] }) => (
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
