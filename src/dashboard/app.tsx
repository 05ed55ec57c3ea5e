/** The page: the welcome view without a key, otherwise the views of the key's sandbox. */
import { type ComponentType, render } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Drills } from './drills/drills.tsx';
import { FileDrop } from './files.tsx';
import { Announcer } from './kit/announce.tsx';
import { until } from './kit/time.ts';
import { ReachContext } from './kit/trouble.tsx';
import { visible } from './kit/visible.tsx';
import { LiveView } from './live/view.tsx';
import { PetsView } from './pets/pets.tsx';
import { Ready } from './ready/ready.tsx';
import { addressOf, takeSignInCode, usePlace, type ViewName } from './route.ts';
import {
  keepKey,
  keptKey,
  openByCode,
  openSession,
  type Session,
  SessionContext,
  type SignIn,
  SignInContext,
  useSession,
} from './session.ts';
import { Setup } from './setup/view.tsx';
import { KeyGone, keyLossIn, OtherSandbox, Restarted, Unreachable } from './strip/lost.tsx';
import { StateContext, useStateOf } from './strip/state.ts';
import { Strip, useEnd } from './strip/strip.tsx';
import { Welcome } from './welcome.tsx';

/** The views, in the order of the bar. */
const VIEWS: Readonly<Record<ViewName, readonly [label: string, View: ComponentType]>> = {
  live: ['Live', LiveView],
  pets: ['Pets', PetsView],
  drills: ['Drills', Drills],
  ready: ['Ready?', Ready],
  setup: ['Setup', Setup],
};

function Dashboard() {
  const [session, setSession] = useState<Session | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [isOpening, setOpening] = useState(true);

  const signIn = useMemo((): SignIn => {
    const leave = (): void => {
      keepKey(undefined);
      setSession(undefined);
    };
    return {
      open: (opened) => {
        keepKey(opened.key);
        setError(undefined);
        setSession(opened);
      },
      leave,
      signOut: () => {
        leave();
        history.replaceState(null, '', location.pathname);
      },
    };
  }, []);
  const open = useCallback(
    (opening: Promise<Session> | undefined) =>
      void opening
        ?.then(signIn.open, (failed) => {
          setSession(undefined);
          setError(failed);
        })
        .finally(() => setOpening(false)),
    [signIn],
  );
  const openKept = useCallback(() => {
    const kept = keptKey();
    if (kept === undefined) setOpening(false);
    else open(openSession(kept));
  }, [open]);
  useEffect(() => {
    // A link may be opened in a tab that shows another sandbox.
    const follow = (): boolean => {
      const code = takeSignInCode();
      if (code !== undefined) open(openByCode(code));
      return code !== undefined;
    };
    if (!follow()) openKept();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [open, openKept]);

  return (
    <SignInContext.Provider value={signIn}>
      <Announcer>
        {session ? (
          <SessionContext.Provider value={session} key={session.key}>
            <Opened />
          </SessionContext.Provider>
        ) : (
          <>
            <FileDrop />
            <header class="bar">
              <Brand />
            </header>
            {!isOpening && <Welcome error={error} onRetry={openKept} />}
          </>
        )}
      </Announcer>
    </SignInContext.Provider>
  );
}

function Opened() {
  const { view } = usePlace();
  const session = useSession();
  const state = useStateOf(session);
  const loss = keyLossIn(state);
  const main = useRef<HTMLElement>(null);
  const { runs = [], run } = state.standing.value ?? {};
  const failing = run?.failing ?? runs.reduce((sum, each) => sum + each.failing, 0);
  const [title, View] = VIEWS[view];
  useEffect(() => {
    document.title = `${failing > 0 ? `(${failing}) ` : ''}${title} · Petstore sandbox`;
  }, [title, failing]);
  return (
    <StateContext.Provider value={state}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the view
      </button>
      <Bar current={view} />
      <Strip />
      <FileDrop at={{ session, showHar: state.showHar }} />
      <main ref={main} tabIndex={-1} aria-busy={state.live.state === 'opening'}>
        {loss !== undefined ? (
          <KeyGone error={loss} />
        ) : (
          <ReachContext.Provider value={state.live.state !== 'broken'}>
            <Unreachable />
            <Restarted />
            <OtherSandbox />
            <View />
          </ReachContext.Provider>
        )}
      </main>
    </StateContext.Provider>
  );
}

function Bar({ current }: { current: ViewName }) {
  const { sandbox } = useSession();
  const end = useEnd();
  return (
    <header class="bar">
      <Brand />
      <nav aria-label="Views">
        {Object.entries(VIEWS).map(([name, [label]]) => (
          <a key={name} href={addressOf(name as ViewName)} aria-current={name === current ? 'page' : undefined}>
            {label}
          </a>
        ))}
        <a href="docs/">Docs</a>
      </nav>
      <p class="who" title={sandbox.id}>
        {visible(sandbox.label ?? sandbox.id)} · {end === null ? 'never ends' : `ends ${until(end)}`}
      </p>
    </header>
  );
}

/** Its file is named by its content. */
const ICON = document.querySelector<HTMLLinkElement>('link[rel="icon"]');

const Brand = () => (
  <span class="brand">
    <img src={ICON?.href} width="26" height="26" alt="" />
    <span>Petstore sandbox</span>
  </span>
);

render(<Dashboard />, document.getElementById('app') as HTMLElement);
