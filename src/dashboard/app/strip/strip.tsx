/** The state of the sandbox in one line, on every page: connection, key, faults and clock. */
import { useEffect, useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { useLoaded } from '../kit/async.ts';
import { many, momentUtc, until } from '../kit/time.ts';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import type { Live } from '../traffic/live.ts';

type Fault = Schema<'Fault'>;
type Clock = Schema<'Clock'>;

/** A sandbox's time is its own from this difference on: the viewer's machine may be wrong by some seconds. */
const OWN_TIME_MS = 60_000;
/** Changes within this time are read at once. */
const GATHER_MS = 300;
/** The stream does not tell of faults and clocks that another client sets. */
const POLL_MS = 5_000;

export function Strip({ live }: { live: Live }) {
  const { client, sandbox } = useSession();
  const changed = useChanges(live);
  const faults = useLoaded(async () => (await client.request('GET /faults')).faults, [client, changed]);
  const clock = useLoaded(() => client.request('GET /clock'), [client, changed]);
  const active = faults.value?.filter((rule) => !isSpent(rule)).length ?? 0;
  const spent = (faults.value?.length ?? 0) - active;
  return (
    <section class="strip" aria-label="State of the sandbox">
      <Connection state={live.state} />
      <span>
        {sandbox.expiresAt === null ? 'The key never expires' : `The sandbox ends ${until(sandbox.expiresAt)}`}
      </span>
      {active + spent > 0 && (
        <a href={addressOf('controls')} class={active > 0 ? 'on' : undefined}>
          {[...(active > 0 ? [many(active, 'active fault')] : []), ...(spent > 0 ? [`${spent} spent`] : [])].join(', ')}
        </a>
      )}
      {clock.value && isOwnTime(clock.value) && (
        <a href={addressOf('controls')}>
          Clock: {momentUtc(clock.value.now)}
          {clock.value.frozen && ', frozen'}
        </a>
      )}
    </section>
  );
}

/** Whether a rule has acted as often as it may. */
export const isSpent = ({ times, acted }: Fault): boolean => times !== undefined && acted >= times;

const isOwnTime = ({ now, frozen }: Clock): boolean => frozen || Math.abs(Date.parse(now) - Date.now()) > OWN_TIME_MS;

const Connection = ({ state }: { state: Live['state'] }) => (
  <span class={`connection ${state}`}>
    {state === 'live' ? 'Connected' : state === 'opening' ? 'Connecting' : 'Not connected'}
  </span>
);

/** A number that changes soon after the sandbox may have changed, and every few seconds while the page is seen. */
function useChanges({ resets, exchanges, state }: Live): number {
  const { changes } = useSession();
  const [asked, setAsked] = useState(0);
  const [count, setCount] = useState(0);
  const injected = exchanges.reduce((sum, each) => sum + (each.injected === null && each.delayMs === 0 ? 0 : 1), 0);
  useEffect(() => {
    // Later: a drill may have revoked the key, and the page goes on with another.
    const timer = setTimeout(() => setCount((before) => before + 1), GATHER_MS);
    return () => clearTimeout(timer);
  }, [resets, injected, state, asked]);
  useEffect(() => {
    const ask = (): void => setAsked((before) => before + 1);
    changes.addEventListener('change', ask);
    addEventListener('focus', ask);
    const timer = setInterval(() => state === 'live' && !document.hidden && ask(), POLL_MS);
    return () => {
      clearInterval(timer);
      changes.removeEventListener('change', ask);
      removeEventListener('focus', ask);
    };
  }, [changes, state]);
  return count;
}
