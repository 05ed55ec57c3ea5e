/** The keys of the traffic view: j and k open the next and the previous request, / searches, ? shows this list. */
import { useEffect, useRef } from 'preact/hooks';
import { addressOf, placeNow } from '../route.ts';
import type { Entry } from './kept.ts';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j, k', 'open the next or the previous request'],
  ['Home, End', 'in the list: open the newest or the oldest request'],
  ['Enter', 'open the request that has the focus'],
  ['Esc', 'close the request'],
  ['/', 'search'],
  ['?', 'show these keys'],
];

export function Keys({ entries }: { entries: readonly Entry[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const go = (entry: Entry | undefined): void => {
      if (entry) location.hash = addressOf('traffic', entry.id, placeNow().tab);
    };
    // Keys may come faster than the page is drawn.
    const at = (): number => entries.findIndex(({ id }) => id === placeNow().request);
    const inList = (target: EventTarget | null): boolean => target instanceof Element && !!target.closest('.exchanges');
    const actions: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
      j: () => go(entries[at() + 1]),
      k: () => go(entries[Math.max(0, at() - 1)]),
      Home: ({ target }) => inList(target) && go(entries[0]),
      End: ({ target }) => inList(target) && go(entries.at(-1)),
      Escape: () => {
        if (placeNow().request !== undefined) location.hash = addressOf('traffic');
      },
      '/': (event) => {
        event.preventDefault();
        document.querySelector<HTMLInputElement>('.search input')?.focus();
      },
      '?': () => dialog.current?.showModal(),
    };
    const press = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isTyping = target instanceof HTMLElement && target.matches('input, select, textarea, dialog *, dialog');
      if (!isTyping && !ctrlKey && !metaKey && !altKey) actions[key]?.(event);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [entries]);
  return (
    <>
      <button type="button" class="plain keyboard" onClick={() => dialog.current?.showModal()}>
        Keys
      </button>
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl class="pairs">
          {KEYS.map(([keys, what]) => (
            <>
              <dt key={keys}>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}
