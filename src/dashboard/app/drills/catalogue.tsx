/** The drills to choose from, as cards by group. */
import { ConfirmButton } from '../kit/confirm.tsx';
import { visible } from '../kit/visible.ts';
import type { Drill } from './types.ts';

const GROUPS: Readonly<Record<Drill['group'], string>> = {
  safe: 'Safe: nothing twice, nothing half',
  polite: 'Polite: waits, and stops',
  lasting: 'Lasting: survives the next version',
};

interface CatalogueProps {
  readonly drills: readonly Drill[];
  /** The id of the running drill. */
  readonly running: string | undefined;
  /** What a start throws away; `undefined` if nothing. */
  readonly loss: string | undefined;
  readonly isBusy: boolean;
  readonly onStart: (id: string) => void;
}

export const Catalogue = ({ drills, running, loss, isBusy, onStart }: CatalogueProps) => (
  <section aria-label="Catalogue of drills">
    {(Object.keys(GROUPS) as Drill['group'][]).map((group) => (
      <div key={group} class="drill-group">
        <h2>{GROUPS[group]}</h2>
        <ul class="drill-cards">
          {drills
            .filter((drill) => drill.group === group)
            .map(({ id, title }) => (
              <li key={id}>
                <ConfirmButton
                  class="drill-card"
                  isCurrent={id === running}
                  isBusy={isBusy}
                  question={`Start ${id}?`}
                  loss={loss}
                  onConfirm={() => onStart(id)}
                >
                  <strong>
                    {id} {id === running && <span class="mark">running</span>}
                  </strong>
                  <span class="hint">{visible(title)}</span>
                </ConfirmButton>
              </li>
            ))}
        </ul>
      </div>
    ))}
  </section>
);
