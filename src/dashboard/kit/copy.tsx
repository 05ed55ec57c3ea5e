/** A button that copies a text, and confirms it. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useAnnounce } from './announce.tsx';

interface CopyProps {
  readonly text: string;
  /** The name of the copied text in the announcement: `curl line`. */
  readonly what: string;
  readonly children?: ComponentChildren;
}

export function CopyButton({ text, what, children }: CopyProps) {
  const announce = useAnnounce();
  const copy = async (): Promise<void> => {
    announce((await copied(text)) ? `Copied: ${what}.` : `The browser did not let the ${what} be copied.`);
  };
  return (
    <button type="button" class="plain" aria-label={children ? undefined : `Copy ${what}`} onClick={() => void copy()}>
      {children ?? 'Copy'}
    </button>
  );
}

/** The clipboard API exists on `localhost` and with TLS only; elsewhere the old command still works. */
async function copied(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}

interface MenuProps {
  readonly title: string;
  readonly class?: string;
  readonly children: ComponentChildren | ((close: () => void) => ComponentChildren);
}

/** What opens on a click, and closes when the focus leaves it: it would cover what gets the focus next (WCAG 2.4.11). */
export function Menu({ title, class: name = '', children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    menu.current?.removeAttribute('open');
    menu.current?.querySelector('summary')?.focus();
  };
  return (
    <details
      ref={menu}
      class={`menu ${name}`}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // It goes nowhere when a button in it becomes disabled, or another window is looked at.
        if (relatedTarget && !currentTarget.contains(relatedTarget as Node)) currentTarget.open = false;
      }}
    >
      <summary>{title}</summary>
      {/* Takes the focus of a click between its controls, which would leave otherwise. */}
      <div tabIndex={-1}>{typeof children === 'function' ? children(close) : children}</div>
    </details>
  );
}

/** A text for pasting elsewhere. */
export const Paste = ({ title, text, what }: { title: string; text: string; what: string }) => (
  <figure class="paste">
    <figcaption>
      {title}
      <CopyButton text={text} what={what} />
    </figcaption>
    <pre>
      <code>{text}</code>
    </pre>
  </figure>
);
