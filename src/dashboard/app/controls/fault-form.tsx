/** A form for a custom fault rule; the server checks the combination of fields. */
import { useRef } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { faultFieldSchema, faultTextForm, readFaultText } from '../../../fault-text.ts';
import { type FaultField, faultFields } from '../../../generated/facts.ts';
import { labelOf } from './fault-rules.ts';

type NewFault = Schema<'NewFault'>;

const FIELDS = faultFields.map((name) => ({ name, ...faultFieldSchema(name) }));
const isNumber = (type: string): boolean => type === 'integer' || type === 'number';
const NUMBERS = FIELDS.filter(({ type }) => isNumber(type));
const CHOICES = FIELDS.filter(({ enum: words }) => words !== undefined);
const TEXTS = FIELDS.filter(({ type, enum: words }) => !isNumber(type) && words === undefined);

/** @param onAdd resolves to whether the rule was accepted */
export function FaultForm({ onAdd }: { onAdd: (rule: NewFault) => Promise<boolean> }) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!form.current) return;
    const given = [...new FormData(form.current)].filter(([, value]) => value !== '');
    // Unreadable values are sent unchanged: the server reports what is wrong with them.
    const rule = given.map(([name, value]) => [name, readFaultText(name as FaultField, String(value)) ?? value]);
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
