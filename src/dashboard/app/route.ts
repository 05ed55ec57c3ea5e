/** Where in the page one is: `#/traffic/req_…`. Nothing secret is ever part of it. */
import { useEffect, useState } from 'preact/hooks';

export type ViewName = 'traffic' | 'pets' | 'controls' | 'contract';

export interface Place {
  readonly view: ViewName;
  /** The request that is open, in the traffic. */
  readonly request: string | undefined;
}

const VIEWS: readonly string[] = ['traffic', 'pets', 'controls', 'contract'] satisfies ViewName[];

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

/** The present place; follows the address. */
export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const follow = (): void => setPlace(placeNow());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}
