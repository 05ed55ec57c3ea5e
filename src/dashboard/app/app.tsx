/** The page: the welcome view without a key, otherwise the views of the key's sandbox. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { FileDrop } from './files.tsx';
import { keepKey, keptKey } from './kept-key.ts';
import { Announcer } from './kit/announce.tsx';
import { later } from './kit/later.tsx';
import { ReachContext } from './kit/trouble.tsx';
import { visible } from './kit/visible.ts';
import { addressOf, REFERENCE, usePlace, type ViewAddress, type ViewName } from './route.ts';
import { openSession, type Session, SessionContext } from './session.ts';
import { KeyGone, keyLossIn, OtherSandbox, Restarted, Unreachable } from './strip/lost.tsx';
import { StateContext, useStateOf } from './strip/state.ts';
import { Strip } from './strip/strip.tsx';
import { type Live, useLive } from './traffic/live.ts';
import { Traffic } from './traffic/traffic.tsx';
import { Welcome } from './welcome.tsx';

const Controls = later(async () => (await import('./controls/controls.tsx')).Controls);
const Drills = later(async () => (await import('./drills/drills.tsx')).Drills);
const Issues = later(async () => (await import('./issues/view.tsx')).Issues);
const Pets = later(async () => (await import('./pets/pets.tsx')).Pets);

export function App() {
  const [session, setSession] = useState<Session | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [isOpening, setOpening] = useState(keptKey() !== undefined);

  const open = useCallback((opened: Session) => {
    keepKey(opened.key);
    setError(undefined);
    setSession(opened);
  }, []);
  const leave = useCallback(() => {
    keepKey(undefined);
    setSession(undefined);
  }, []);
  const signOut = useCallback(() => {
    leave();
    history.replaceState(null, '', location.pathname);
  }, [leave]);
  const openKept = useCallback(() => {
    const kept = keptKey();
    if (kept === undefined) return;
    openSession(kept)
      .then(open, setError)
      .finally(() => setOpening(false));
  }, [open]);
  useEffect(openKept, [openKept]);

  return (
    <Announcer>
      {session ? (
        <SessionContext.Provider value={session} key={session.key}>
          <Opened session={session} onLeave={leave} onSignOut={signOut} onOpen={open} />
        </SessionContext.Provider>
      ) : (
        <>
          <header class="bar">
            <Brand />
          </header>
          {!isOpening && <Welcome onOpen={open} error={error} onRetry={openKept} />}
        </>
      )}
      <FileDrop onOpen={open} />
    </Announcer>
  );
}

interface OpenedProps {
  readonly session: Session;
  /** Closes the sandbox in this tab; the address stays, so that another key opens the same. */
  readonly onLeave: () => void;
  readonly onSignOut: () => void;
  readonly onOpen: (session: Session) => void;
}

function Opened({ session, onLeave, onSignOut, onOpen }: OpenedProps) {
  const location = usePlace();
  const live = useLive(session);
  const state = useStateOf(live);
  const loss = keyLossIn(live, state);
  const main = useRef<HTMLElement>(null);
  const issues = state.issues.value?.issues.length ?? 0;
  const title = VIEWS.find(([name]) => name === location.view)?.[1] ?? '';
  useEffect(() => {
    document.title = `${issues > 0 ? `(${issues}) ` : ''}${title} · Petstore sandbox`;
  }, [title, issues]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the view
      </button>
      <Bar session={session} current={location.view} issues={issues} onLeave={onSignOut} />
      <StateContext.Provider value={state}>
        <Strip live={live} />
        <main ref={main} tabIndex={-1}>
          {loss !== undefined ? (
            <KeyGone error={loss} onLeave={onLeave} />
          ) : (
            <ReachContext.Provider value={live.state !== 'broken'}>
              <Unreachable live={live} />
              <Restarted sandbox={state.sandbox.value} />
              <OtherSandbox onLeave={onLeave} />
              <View location={location} live={live} onOpen={onOpen} onLeave={onSignOut} />
            </ReachContext.Provider>
          )}
        </main>
      </StateContext.Provider>
    </>
  );
}

interface ViewProps {
  readonly location: ViewAddress;
  readonly live: Live;
  readonly onOpen: (session: Session) => void;
  readonly onLeave: () => void;
}

function View({ location, live, onOpen, onLeave }: ViewProps) {
  switch (location.view) {
    case 'pets':
      return <Pets live={live} />;
    case 'controls':
      return <Controls live={live} onOpen={onOpen} onLeave={onLeave} />;
    case 'drills':
      return <Drills live={live} onOpen={onOpen} />;
    case 'issues':
      return <Issues live={live} />;
    default:
      return <Traffic live={live} location={location} />;
  }
}

const VIEWS: readonly (readonly [ViewName, string])[] = [
  ['traffic', 'Traffic'],
  ['issues', 'Issues'],
  ['pets', 'Pets'],
  ['controls', 'Controls'],
  ['drills', 'Drills'],
];

interface BarProps {
  readonly session: Session;
  readonly current: ViewName;
  /** The number of issues. */
  readonly issues: number;
  readonly onLeave: () => void;
}

const Bar = ({ session, current, issues, onLeave }: BarProps) => (
  <header class="bar">
    <Brand />
    <Views current={current} issues={issues} />
    <p class="who">
      <span title={session.sandbox.id}>{visible(session.sandbox.label ?? session.sandbox.id)}</span>
      <button type="button" class="plain" onClick={onLeave}>
        Sign out
      </button>
    </p>
  </header>
);

const Views = ({ current, issues }: Pick<BarProps, 'current' | 'issues'>) => (
  <nav aria-label="Views">
    {VIEWS.map(([name, label]) => (
      <a key={name} href={addressOf(name)} aria-current={name === current ? 'page' : undefined}>
        {label}
        {name === 'issues' && issues > 0 && <span class="badge">{issues}</span>}
      </a>
    ))}
    <a href={REFERENCE}>Reference</a>
    <a href="docs/">Docs</a>
  </nav>
);

const Brand = () => (
  <a class="brand" href={addressOf('traffic')}>
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <ellipse cx="16" cy="20.5" rx="6" ry="5" />
      <circle cx="8.6" cy="15" r="2.6" />
      <circle cx="13.2" cy="10" r="2.6" />
      <circle cx="18.8" cy="10" r="2.6" />
      <circle cx="23.4" cy="15" r="2.6" />
    </svg>
    Petstore sandbox
  </a>
);
