/** The page: the welcome view without a key, otherwise the views of the key's sandbox. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Controls } from './controls/controls.tsx';
import { Drills } from './drills/drills.tsx';
import { Issues } from './issues/view.tsx';
import { keepKey, keptKey } from './kept-key.ts';
import { Announcer } from './kit/announce.tsx';
import { useLoaded } from './kit/async.ts';
import { ReachContext, Trouble } from './kit/trouble.tsx';
import { Pets } from './pets/pets.tsx';
import { RecordingDrop } from './recordings/recording-drop.tsx';
import { REFERENCE, usePlace, type ViewAddress } from './route.ts';
import { openClient, openSession, type Session, SessionContext } from './session.ts';
import { Bar, Brand, VIEWS } from './shell/bar.tsx';
import { KeyGone, keyLossIn, Unreachable } from './strip/lost.tsx';
import { StateContext, useStateOf } from './strip/state.ts';
import { Strip } from './strip/strip.tsx';
import { jsonLines } from './traffic/lines.ts';
import { type Live, useLive } from './traffic/live.ts';
import { Traffic } from './traffic/traffic.tsx';
import { Welcome } from './welcome.tsx';

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
    history.replaceState(null, '', location.pathname);
  }, []);
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
          <Opened session={session} onLeave={leave} onOpen={open} />
        </SessionContext.Provider>
      ) : (
        <>
          <header class="bar">
            <Brand />
          </header>
          {!isOpening && <Welcome onOpen={open} error={error} onRetry={openKept} />}
        </>
      )}
      <RecordingDrop onOpen={open} />
    </Announcer>
  );
}

interface OpenedProps {
  readonly session: Session;
  readonly onLeave: () => void;
  readonly onOpen: (session: Session) => void;
}

function Opened({ session, onLeave, onOpen }: OpenedProps) {
  const location = usePlace();
  const live = useLive(session);
  const state = useStateOf(live);
  const loss = keyLossIn(live, state);
  const main = useRef<HTMLElement>(null);
  const broken = live.exchanges.filter(({ violations }) => violations.length > 0).length;
  const title = VIEWS.find(([name]) => name === location.view)?.[1] ?? 'Specification';
  useEffect(() => {
    document.title = `${broken > 0 ? `(${broken}) ` : ''}${title} · Petstore sandbox`;
  }, [title, broken]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the view
      </button>
      <Bar session={session} current={location.view} broken={broken} onLeave={onLeave} />
      <StateContext.Provider value={state}>
        <Strip live={live} />
        <main ref={main} tabIndex={-1}>
          {loss !== undefined ? (
            <KeyGone error={loss} onLeave={onLeave} />
          ) : (
            <ReachContext.Provider value={live.state !== 'broken'}>
              <Unreachable live={live} />
              <View location={location} live={live} onOpen={onOpen} onLeave={onLeave} />
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
    case 'specification':
      return <Specification pointer={location.pointer} />;
    default:
      return <Traffic live={live} location={location} />;
  }
}

/** @param pointer without its beginning: `components/schemas/NewPet/required` */
function Specification({ pointer }: { pointer: string }) {
  const { value, error, reload } = useLoaded(() => openClient().text('GET /openapi.json'), []);
  const lines = useMemo(() => (value === undefined ? [] : (jsonLines(value) ?? [])), [value]);
  const location = placeOf(pointer);
  const found = lines.findIndex((line) => line.location === location);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' }), [found]);
  return (
    <section class="message document" aria-label="Specification">
      <header>
        <h1>Specification</h1>
        <a href={`${REFERENCE}#petstore`}>Reference</a>
      </header>
      <Trouble error={error} retry={reload} />
      <div class="lines" ref={shown}>
        {lines.map((each, index) => (
          <div
            key={index}
            class={index === found ? 'line found' : 'line'}
            aria-current={index === found ? 'location' : undefined}
          >
            <code style={{ paddingInlineStart: `${each.indent * 1.5}em` }}>
              {each.pieces.map(({ kind, text }, at) => (
                <span key={at} class={kind}>
                  {text}
                </span>
              ))}
            </code>
          </div>
        ))}
      </div>
    </section>
  );
}

/** A line's place has the names as they are; a pointer in an address has them escaped. */
const placeOf = (pointer: string): string =>
  ['body', ...pointer.split('/')]
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('/');
