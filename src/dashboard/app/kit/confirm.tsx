/** A button for what cannot be undone: it asks first, and says what is lost. */
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface ConfirmButtonProps {
  /** The text of the button; with `name`, screen readers hear that instead. */
  readonly children: string;
  readonly name?: string;
  /** The question, and what is lost. */
  readonly question: string;
  readonly loss: ComponentChildren;
  readonly isBusy?: boolean;
  readonly isPlain?: boolean;
  readonly onConfirm: () => void;
}

export function ConfirmButton({ children, name, question, loss, isBusy, isPlain, onConfirm }: ConfirmButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const confirm = (): void => {
    dialog.current?.close();
    onConfirm();
  };
  return (
    <>
      <button
        type="button"
        class={isPlain ? 'plain danger' : 'danger'}
        disabled={isBusy ?? false}
        aria-label={name}
        onClick={() => dialog.current?.showModal()}
      >
        {children}
      </button>
      <dialog ref={dialog} aria-labelledby={title}>
        <h2 id={title}>{question}</h2>
        <p>{loss}</p>
        <p class="buttons">
          <button type="button" class="danger" onClick={confirm}>
            {question.replace('?', '')}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </p>
      </dialog>
    </>
  );
}
