/** A text for pasting elsewhere. */
import { CopyButton } from './copy.tsx';

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
