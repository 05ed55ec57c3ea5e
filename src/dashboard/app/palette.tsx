/** One search over what the page knows: requests, pets, faults, pages and the documentation. Ctrl-K or ⌘K opens it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { openSearch } from './docs/search.ts';
import { useLoaded, useSettled } from './kit/action.ts';
import { Trouble } from './kit/trouble.tsx';
import { visible } from './kit/visible.ts';
import { addressOf, REFERENCE } from './route.ts';
import { useSession } from './session.ts';
import { describeRule } from './setup/fault-rules.ts';
import { useSandboxState } from './strip/state.ts';

interface Found {
  readonly kind: string;
  readonly text: string;
  readonly href: string;
}

/** Results of each kind. */
const MOST = 6;
const CALM_MS = 150;

/** The pages, with the current filter. */
const pagesNow = (): readonly Found[] => [
  ...(['live', 'pets', 'drills', 'ready', 'setup'] as const).map((view) => ({
    ...{ kind: 'Page', text: view === 'ready' ? 'Ready for production?' : `${view[0]?.toUpperCase()}${view.slice(1)}` },
    href: addressOf(view),
  })),
  { kind: 'Page', text: 'Send a request', href: addressOf('live', 'new') },
  { kind: 'Page', text: 'Reference of the petstore API', href: REFERENCE },
];

/** Those with all words, in any order. */
function matching(all: readonly Found[], words: string): readonly Found[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return all.filter(({ text }) => wanted.every((word) => text.toLowerCase().includes(word))).slice(0, MOST);
}

export function Palette({ onClose }: { onClose: () => void }) {
  const { client } = useSession();
  const { live, faults } = useSandboxState();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const words = useSettled(typed.trim(), CALM_MS);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const pets = useLoaded(async () => {
    const query = /^-?\d+$/.test(words) ? { id: words } : {};
    return (await client.request('GET /pets', { query })).pets;
  }, [client, /^-?\d+$/.test(words) ? words : '']);
  const docs = useLoaded(async () => ({ search: await openSearch('docs/search.json') }), []);
  const requests = live.exchanges.map(
    ({ id, method, target, status, petName, remarks }): Found => ({
      kind: 'Request',
      text: [status || 'cut', method, target, petName ?? '', ...remarks.map(({ text }) => text)].join(' '),
      href: addressOf('live', id),
    }),
  );
  const pages = pagesNow();
  const found: readonly Found[] =
    words === ''
      ? pages
      : [
          ...matching(pages, words),
          ...matching(requests, words),
          ...matching(
            (pets.value ?? []).map(({ id, name }) => ({ kind: 'Pet', text: `${id} ${name}`, href: addressOf('pets') })),
            words,
          ),
          ...matching(
            (faults.value ?? []).map((rule) => ({ kind: 'Fault', text: describeRule(rule), href: addressOf('setup') })),
            words,
          ),
          ...(docs.value?.search(words) ?? [])
            .slice(0, MOST)
            .map(({ path, page, heading }) => ({ kind: 'Docs', text: `${page}: ${heading}`, href: `docs/${path}` })),
        ];
  const move = (event: KeyboardEvent): void => {
    const places = [...(dialog.current?.querySelectorAll<HTMLElement>('input, a') ?? [])];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && event.target === places[0]) places[1]?.click();
    if (by === undefined) return;
    event.preventDefault();
    places[Math.max(0, places.indexOf(document.activeElement as HTMLElement) + by)]?.focus();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Search everything" onClose={onClose} onKeyDown={move}>
      <input
        type="search"
        aria-label="Search requests, pets, faults, pages and documentation"
        placeholder="Requests, pets, faults, pages, documentation"
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <ul>
        {found.map(({ kind, text, href }, index) => (
          <li key={index}>
            <a href={href} onClick={() => dialog.current?.close()}>
              <small>{kind}</small> {visible(text)}
            </a>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="hint">Nothing found.</p>}
      <Trouble error={pets.error ?? docs.error} />
    </dialog>
  );
}
