/** Announces the latest action in one sentence: shown for a while, and read out by a screen reader. */
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { visible } from './visible.tsx';

const SHOWN_MS = 6000;

/** @param isSilent only for screen readers: the page shows it already */
type Announce = (sentence: string, options?: { readonly isSilent?: boolean }) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

export const useAnnounce = (): Announce => useContext(AnnounceContext);

/** A sentence for a while, and how to say the next one. */
function useSentence() {
  const [said, setSaid] = useState({ sentence: '', times: 0 });
  const say = useCallback((sentence: string) => setSaid(({ times }) => ({ sentence, times: times + 1 })), []);
  useEffect(() => {
    if (said.sentence === '') return undefined;
    const timer = setTimeout(() => setSaid((now) => (now === said ? { ...now, sentence: '' } : now)), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said, say] as const;
}

/** Contains the only live region of the page. What is only read out takes nothing away that is shown. */
export function Announcer({ children }: { children: ComponentChildren }) {
  const [shown, show] = useSentence();
  const [read, readOut] = useSentence();
  const announce: Announce = useCallback(
    (sentence, { isSilent = false } = {}) => (isSilent ? readOut : show)(sentence),
    [],
  );
  return (
    <AnnounceContext.Provider value={announce}>
      {children}
      <div class="announcer" role="status">
        {shown.sentence && (
          <p class="toast" key={`shown ${shown.times}`}>
            {visible(shown.sentence)}
          </p>
        )}
        {read.sentence && (
          <p class="unseen" key={`read ${read.times}`}>
            {visible(read.sentence)}
          </p>
        )}
      </div>
    </AnnounceContext.Provider>
  );
}
