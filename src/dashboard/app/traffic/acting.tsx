/** The tabs of an exchange that are loaded when they are first used: edit, correct and compare. */
import type { Schema } from '../../../client/routes.ts';
import { useLoaded } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import type { Tab } from '../route.ts';
import type { Live } from './live.ts';

type Acts = typeof import('../act/act.tsx');

const load = (): Promise<Acts> => import('../act/act.tsx');

interface ActingProps {
  readonly tab: Tab;
  readonly exchange: Schema<'Exchange'>;
  readonly live: Live;
}

export function Acting({ tab, exchange, live }: ActingProps) {
  const { value: acts, error, reload } = useLoaded(load, []);
  if (!acts) return <Trouble error={error} retry={reload} />;
  return <acts.Act tab={tab} exchange={exchange} exchanges={live.exchanges} />;
}

/** Whether there is a correction, which is looked for only if something was found in the request. */
export function useCanCorrect(exchange: Schema<'Exchange'>): boolean {
  const { operation, warnings, violations } = exchange;
  const hasFindings = operation === null || warnings.length > 0 || violations.some(({ side }) => side === 'request');
  const { value } = useLoaded(
    async () => hasFindings && (await load()).canCorrect(exchange),
    [exchange.id, hasFindings],
  );
  return value === true;
}
