/** A new key, which is shown only here. */
import type { ComponentChildren } from 'preact';
import type { Schema } from '../../../client/routes.ts';
import { CopyButton } from '../kit/copy.tsx';

interface IssuedKeyProps {
  readonly issued: Schema<'IssuedKey'>;
  readonly children?: ComponentChildren;
}

export const IssuedKey = ({ issued, children }: IssuedKeyProps) => (
  <div class="issued">
    <p>Copy it now: it is not shown again.</p>
    <code>{issued.key}</code>
    <p class="tools">
      <CopyButton text={issued.key} what="key">
        Copy key
      </CopyButton>
      {children}
    </p>
  </div>
);
