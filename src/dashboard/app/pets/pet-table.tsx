/** A table of pets. Only visible rows are rendered; ids keep all their digits. */

import type { Schema } from '../../../client/routes.ts';
import { visible } from '../kit/visible.ts';
import { useWindow } from '../kit/window.ts';

type Pet = Schema<'Pet'>;

/** Pixels; as in `pets.css`. */
const ROW = 40;

export function PetTable({ pets }: { pets: readonly Pet[] }) {
  const seen = useWindow(pets.length, ROW);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div class="table" ref={seen.ref} onScroll={seen.onScroll} tabIndex={0} role="group" aria-label="Table of pets">
      <table aria-rowcount={pets.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="number">
              Id
            </th>
            <th scope="col">Name</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Category
            </th>
          </tr>
        </thead>
        <tbody>
          {seen.before > 0 && <Gap height={seen.before} />}
          {pets.slice(seen.first, seen.end).map((pet, index) => (
            <tr key={String(pet.id)} aria-rowindex={seen.first + index + 2}>
              <td class="number">{String(pet.id)}</td>
              <td class="name" title={visible(pet.name)}>
                {visible(pet.name)}
              </td>
              <td>{pet.status ? <PetStatusMark status={pet.status} /> : <span class="hint">none</span>}</td>
              <td class="number">{String(pet.categoryId)}</td>
            </tr>
          ))}
          {seen.after > 0 && <Gap height={seen.after} />}
        </tbody>
      </table>
    </div>
  );
}

const PetStatusMark = ({ status }: { status: NonNullable<Pet['status']> }) => (
  <span class={`pet-status ${status}`}>{status}</span>
);

const Gap = ({ height }: { height: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row cannot have the focus
  <tr aria-hidden="true" class="gap">
    <td colSpan={4} style={{ height: `${height}px` }} />
  </tr>
);
