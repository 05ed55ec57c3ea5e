/** Forms: fields with their names, and what happens when they are sent. */
import type { ComponentChildren } from 'preact';
import { useAction } from './action.ts';
import { Trouble } from './trouble.tsx';

/** What was given, by the names of the fields, without spaces around it. */
export type Given = Readonly<Record<string, string>>;

interface FormProps {
  /** The text of its button. */
  readonly button: string;
  readonly class?: string;
  /** May return a sentence that is announced. Then the form is emptied. */
  readonly onSend: (given: Given) => Promise<unknown>;
  readonly children: ComponentChildren;
}

export function Form({ button, onSend, children, class: name }: FormProps) {
  const { run, isBusy, error } = useAction();
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = [...new FormData(form)].map(([field, value]) => [field, String(value).trim()]);
    void run(() => onSend(Object.fromEntries(given))).then((done) => {
      if (!done) return;
      form.reset();
      if (form.contains(document.activeElement)) form.querySelector<HTMLElement>('input:not([type="number"])')?.focus();
    });
  };
  return (
    <form class={name} onSubmit={send}>
      {children}
      <button type="submit" disabled={isBusy}>
        {button}
      </button>
      <Trouble error={error} />
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}

export const FormField = ({ label, hint, children }: FieldProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
  <label title={hint?.replaceAll('`', '')}>
    <span>{label}</span>
    {children}
  </label>
);

interface ChoiceProps {
  readonly label: string;
  /** The text for no choice. */
  readonly none?: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly children: readonly (readonly [value: string, label: string])[];
}

/** One of several. */
export const Choice = ({ label, none, value, onChange, children }: ChoiceProps) => (
  <FormField label={label}>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {children.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  </FormField>
);

/** Each as a choice of the same name. */
export const named = (names: readonly string[]) => names.map((name) => [name, name] as const);

/** Saves a text as a file. @returns what to announce */
export function download(text: string, name: string): string {
  const address = URL.createObjectURL(new Blob([text]));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // Some browsers read the object URL only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return `Downloaded ${name}.`;
}

/** A list item: its name with a line of detail, and what can be done with it. */
export const ListItem = ({ name, detail, children }: Record<'name' | 'detail' | 'children', ComponentChildren>) => (
  <li>
    <span class="entry">
      <strong>{name}</strong>
      <small>{detail}</small>
    </span>
    {children}
  </li>
);

/** A name and what it stands for, in a list of pairs. */
export const Pair = ({ name, children }: { name: ComponentChildren; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
