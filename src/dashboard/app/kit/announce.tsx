/** Announces the latest action in one sentence: shown for a while, and read out by a screen reader. */
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { visible } from './visible.ts';

const SHOWN_MS = 6000;

/** @param isSilent only for screen readers: the page shows it already */
type Announce = (sentence: string, options?: { readonly isSilent?: boolean }) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

export const useAnnounce = (): Announce => useContext(AnnounceContext);

/** Contains the only live region of the page. */
export function Announcer({ children }: { children: ComponentChildren }) {
  const [said, setSaid] = useState({ sentence: '', times: 0, isSilent: false });
  const announce: Announce = useCallback(
    (sentence, { isSilent = false } = {}) => setSaid(({ times }) => ({ sentence, times: times + 1, isSilent })),
    [],
  );
  useEffect(() => {
    if (said.sentence === '') return undefined;
    const timer = setTimeout(() => setSaid((now) => (now === said ? { ...now, sentence: '' } : now)), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <AnnounceContext.Provider value={announce}>
      {children}
      <div class="announcer" role="status">
        {said.sentence && (
          <p class={said.isSilent ? 'unseen' : 'toast'} key={said.times}>
            {visible(said.sentence)}
          </p>
        )}
      </div>
    </AnnounceContext.Provider>
  );
}
