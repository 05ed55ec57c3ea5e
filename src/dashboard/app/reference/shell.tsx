/** The bar and the state of the sandbox above the reference, as on the dashboard. */
import { useEffect, useState } from 'preact/hooks';
import { DASHBOARD } from '../route.ts';
import { keepKey, keptKey, openSession, type Session, SessionContext } from '../session.ts';
import { Bar, Brand, Views } from '../shell/bar.tsx';
import { KeyGone, keyLossIn } from '../strip/lost.tsx';
import { StateContext, useStateOf } from '../strip/state.ts';
import { Strip } from '../strip/strip.tsx';
import { useLive } from '../traffic/live.ts';

/** Goes to the dashboard without this tab's key. */
function leave(): void {
  keepKey(undefined);
  location.href = DASHBOARD;
}

export function Shell() {
  const [session, setSession] = useState<Session | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => {
    const kept = keptKey();
    if (kept !== undefined) openSession(kept).then(setSession, setError);
  }, []);
  if (session) {
    return (
      <SessionContext.Provider value={session}>
        <Opened session={session} />
      </SessionContext.Provider>
    );
  }
  return (
    <>
      <header class="bar">
        <Brand />
        <Views current="reference" broken={0} />
      </header>
      <section class="strip" aria-label="State of the sandbox">
        <Without error={error} />
      </section>
    </>
  );
}

function Without({ error }: { error: unknown }) {
  if (keptKey() !== undefined && error === undefined) return <span class="connection opening">Connecting</span>;
  return (
    <span>
      {error instanceof Error ? `${error.message}. ` : 'No key in this tab: '}
      <a href={DASHBOARD}>open the dashboard</a> first, or use Authorize.
    </span>
  );
}

function Opened({ session }: { session: Session }) {
  const live = useLive(session);
  const state = useStateOf(live);
  const loss = keyLossIn(live, state);
  const broken = live.exchanges.filter(({ violations }) => violations.length > 0).length;
  return (
    <StateContext.Provider value={state}>
      <Bar session={session} current="reference" broken={broken} onLeave={leave} />
      <Strip live={live} />
      {loss !== undefined && <KeyGone error={loss} onLeave={leave} />}
    </StateContext.Provider>
  );
}
