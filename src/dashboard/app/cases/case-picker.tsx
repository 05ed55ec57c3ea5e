/** Chooses the file of a case. */
import { useAction } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import type { Session } from '../session.ts';
import { openCase } from './open-case.ts';

export function CasePicker({ onOpen }: { onOpen: (session: Session) => void }) {
  const opening = useAction();
  const pick = (input: HTMLInputElement): void => {
    const { files } = input;
    if (!files || files.length === 0) return;
    void opening
      .run(async () => onOpen(await openCase(files)))
      .then(() => {
        // The same file may be chosen again.
        input.value = '';
      });
  };
  return (
    <>
      <label>
        <span>Case</span>
        <input
          type="file"
          accept=".json,application/json"
          disabled={opening.isBusy}
          onChange={({ currentTarget }) => pick(currentTarget)}
        />
      </label>
      <p class="hint">Or drop the file anywhere on this page. It opens as a new sandbox, and contains no key.</p>
      <Trouble error={opening.error} />
    </>
  );
}
