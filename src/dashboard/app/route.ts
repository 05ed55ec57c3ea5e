/** The current view, as a fragment: `#/traffic/req_…`. It never contains a secret. */
import { useEffect, useState } from 'preact/hooks';

export type ViewName = 'traffic' | 'pets' | 'controls' | 'drills' | 'contract';

export interface Place {
  readonly view: ViewName;
  /** The open request, in the traffic view. */
  readonly request: string | undefined;
}

const VIEWS: readonly string[] = ['traffic', 'pets', 'controls', 'drills', 'contract'] satisfies ViewName[];

export const addressOf = (view: ViewName, request?: string): string =>
  request === undefined ? `#/${view}` : `#/${view}/${request}`;

function placeNow(): Place {
  const [, view = '', request] = location.hash.split('/');
  const known = VIEWS.includes(view) ? (view as ViewName) : 'traffic';
  return {
    view: known,
    request: known === 'traffic' && /^req_[A-Za-z0-9]+$/.test(request ?? '') ? request : undefined,
  };
}

/** The current place; follows the address. */
export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const follow = (): void => setPlace(placeNow());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}
