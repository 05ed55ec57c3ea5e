/** The drills to choose from, by group. */
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
  readonly isBusy: boolean;
  readonly onStart: (id: string) => void;
}

export function Catalogue({ drills, running, isBusy, onStart }: CatalogueProps) {
  return (
    <section class="card" aria-label="Catalogue of drills">
      {(Object.keys(GROUPS) as Drill['group'][]).map((group) => (
        <div key={group}>
          <h2>{GROUPS[group]}</h2>
          <ul class="ready-made">
            {drills
              .filter((drill) => drill.group === group)
              .map(({ id, title }) => (
                <li key={id}>
                  <button
                    type="button"
                    aria-current={id === running ? 'true' : undefined}
                    disabled={isBusy}
                    onClick={() => onStart(id)}
                  >
                    {id}
                  </button>
                  <span class="hint">{title}</span>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
