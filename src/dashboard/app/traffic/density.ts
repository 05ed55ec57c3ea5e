/** The height of the rows: comfortable with two lines, or dense with one. The choice is kept by the browser. */
import { useCallback, useState } from 'preact/hooks';

export type Density = 'comfortable' | 'dense';

/** Pixels; as in `stream.css`. */
export const ROW_HEIGHT: Readonly<Record<Density, number>> = { comfortable: 56, dense: 32 };

const SLOT = 'petstore-sandbox-rows';

/** The density, and what changes it. Only the one that is not the default is stored. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  const [density, setDensity] = useState<Density>(localStorage.getItem(SLOT) === 'dense' ? 'dense' : 'comfortable');
  const choose = useCallback((chosen: Density) => {
    if (chosen === 'dense') localStorage.setItem(SLOT, chosen);
    else localStorage.removeItem(SLOT);
    setDensity(chosen);
  }, []);
  return [density, choose];
}
