/** Announces the latest action in one sentence: shown for a while, and read out by a screen reader. */
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { visible } from './visible.tsx';

const SHOWN_MS = 6000;

type Announce = (sentence: string) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

export const useAnnounce = (): Announce => useContext(AnnounceContext);

export function Announcer({ children }: { children: ComponentChildren }) {
  const [said, setSaid] = useState({ sentence: '', times: 0 });
  const announce = useCallback<Announce>((sentence) => setSaid(({ times }) => ({ sentence, times: times + 1 })), []);
  useEffect(() => {
    const timer = setTimeout(() => setSaid((now) => ({ ...now, sentence: '' })), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said.times]);
  return (
    <AnnounceContext.Provider value={announce}>
      {children}
      <div class="announcer" role="status">
        {said.sentence && (
          <p class="toast" key={said.times}>
            {visible(said.sentence)}
          </p>
        )}
      </div>
    </AnnounceContext.Provider>
  );
}
