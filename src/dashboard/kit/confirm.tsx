/** A button for what cannot be undone: it asks first, and says what is lost. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface ConfirmButtonProps {
  readonly children: ComponentChildren;
  /** What screen readers hear instead of the button's text. */
  readonly name?: string | undefined;
  readonly question: string;
  /** What is lost; `undefined` if nothing is: then the button acts at once. */
  readonly loss: ComponentChildren | undefined;
  /** Instead of that of a button that deletes. */
  readonly class?: string;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, name, question, loss, isBusy = false, onConfirm } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [isAsked, ask] = useState(false);
  const id = useId();
  useLayoutEffect(() => dialog.current?.showModal(), [isAsked]);
  const confirm = (): void => {
    dialog.current?.close();
    onConfirm();
  };
  return (
    <>
      <button
        type="button"
        class={props.class ?? 'danger'}
        disabled={isBusy}
        aria-label={name}
        onClick={() => (loss === undefined ? onConfirm() : ask(true))}
      >
        {children}
      </button>
      {isAsked && (
        <dialog
          ref={dialog}
          onClose={() => ask(false)}
          aria-labelledby={`${id}-question`}
          aria-describedby={`${id}-loss`}
        >
          <h2 id={`${id}-question`}>{question}</h2>
          <p id={`${id}-loss`}>{loss}</p>
          <p class="buttons">
            <button type="button" class="danger" onClick={confirm}>
              {question.replace('?', '')}
            </button>
            {/* biome-ignore lint/a11y/noAutofocus: Enter in a dialog that warns must lose nothing */}
            <button type="button" autoFocus onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </p>
        </dialog>
      )}
    </>
  );
}
