/** A button that copies a text, and confirms it. */
import type { ComponentChildren } from 'preact';
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
