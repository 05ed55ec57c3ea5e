/** A fault rule of one's own; what does not go together, the server says. */
import { useRef } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';

type NewFault = Schema<'NewFault'>;

const NUMBERS = ['status', 'retryAfter', 'delayMs', 'times', 'probability', 'seed'] as const;
const LABELS: Record<(typeof NUMBERS)[number], string> = {
  status: 'Status',
  retryAfter: 'Retry after, s',
  delayMs: 'Delay, ms',
  times: 'Times',
  probability: 'Probability',
  seed: 'Seed',
};
const WORDS = {
  operation: ['listPets', 'createPet', 'getPet'],
  when: ['before', 'after'],
  connection: ['reset', 'empty', 'truncate'],
} as const;
const WORD_LABELS = { operation: 'Operation', when: 'When', connection: 'Connection' };

/** @param onAdd resolves to whether the rule was taken */
export function FaultForm({ onAdd }: { onAdd: (rule: NewFault) => Promise<boolean> }) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!form.current) return;
    const given = [...new FormData(form.current)].filter(([, value]) => value !== '');
    const rule = given.map(([name, value]) => [name, name in LABELS ? Number(value) : value]);
    void onAdd(Object.fromEntries(rule) as NewFault).then((taken) => taken && form.current?.reset());
  };
  return (
    <details>
      <summary>A rule of your own</summary>
      <form ref={form} onSubmit={submit}>
        <div class="row three">
          {(['operation', 'when', 'connection'] as const).map((name) => (
            <label key={name}>
              <span>{WORD_LABELS[name]}</span>
              <select name={name}>
                <option value="">
                  {name === 'operation' ? 'Every' : name === 'connection' ? 'Holds' : 'By default'}
                </option>
                {WORDS[name].map((word) => (
                  <option key={word}>{word}</option>
                ))}
              </select>
            </label>
          ))}
          {NUMBERS.map((name) => (
            <label key={name}>
              <span>{LABELS[name]}</span>
              <input name={name} type="number" step={name === 'probability' ? 'any' : '1'} />
            </label>
          ))}
        </div>
        <button type="submit">Add the rule</button>
      </form>
    </details>
  );
}
