/** A page of the documentation: search over all pages, a button that copies a block, and tabs for shells and languages. */

import { openSearch, type Search, type SearchSection } from './search.ts';

const COPIED_MS = 1_500;

const input = document.querySelector('input[type=search]') as HTMLInputElement;
const list = document.getElementById('found') as HTMLUListElement;
const address = input.dataset['index'] as string;
let loading: Promise<Search> | undefined;

async function show(): Promise<void> {
  const words = input.value.trim();
  list.hidden = words === '';
  if (words === '') return;
  loading ??= openSearch(address);
  const lines = await loading.then(
    (search) => search(words).map(lineOf),
    () => {
      loading = undefined;
      return [noteOf('The search cannot be loaded; try again.')];
    },
  );
  // Somebody may have typed on.
  if (words === input.value.trim()) list.replaceChildren(...(lines.length > 0 ? lines : [noteOf('Nothing found.')]));
}

function lineOf({ path, page, heading }: SearchSection): HTMLLIElement {
  const link = document.createElement('a');
  link.href = new URL(path, new URL(address, location.href)).href;
  const where = document.createElement('small');
  where.textContent = page;
  link.append(heading, where);
  const line = document.createElement('li');
  line.append(link);
  return line;
}

function noteOf(text: string): HTMLLIElement {
  const line = document.createElement('li');
  const note = document.createElement('p');
  note.textContent = text;
  line.append(note);
  return line;
}

/** Arrow keys go through what was found, and back to the words. */
function move(event: KeyboardEvent): void {
  const places = [input, ...list.querySelectorAll('a')];
  const at = places.indexOf(document.activeElement as HTMLAnchorElement);
  const next = event.key === 'ArrowDown' ? at + 1 : event.key === 'ArrowUp' ? at - 1 : undefined;
  if (event.key === 'Escape') {
    list.hidden = true;
    input.focus();
  }
  if (next === undefined || list.hidden) return;
  event.preventDefault();
  places[Math.max(0, Math.min(next, places.length - 1))]?.focus();
}

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(block.textContent).then(
      () => true,
      () => false,
    );
    button.textContent = isCopied ? 'Copied' : 'Not allowed here';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, COPIED_MS);
  });
  block.parentElement?.append(button);
}

/** Where the choices of tabs are kept, for all pages: `shell` is `powershell`. */
const KEPT = 'petstore-sandbox-';

/** Makes tabs of blocks that say the same, each for other readers. All tabs of one choice change together. */
function addTabs(group: HTMLElement, at: number): void {
  const choice = group.dataset['choice'] as string;
  const panels = [...group.querySelectorAll<HTMLElement>('.tab')];
  const list = document.createElement('div');
  list.role = 'tablist';
  list.ariaLabel = choice === 'shell' ? 'Shell' : 'Language';
  const tabs = panels.map((panel, index) => {
    const label = panel.querySelector('.label') as HTMLElement;
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.role = 'tab';
    tab.id = `tab-${at}-${index}`;
    tab.textContent = label.textContent;
    label.hidden = true;
    panel.id = `panel-${at}-${index}`;
    panel.role = 'tabpanel';
    panel.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', panel.id);
    tab.addEventListener('click', () => choose(choice, tab));
    return tab;
  });
  list.append(...tabs);
  list.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const now = tabs.indexOf(event.target as HTMLButtonElement);
    const next = { Home: tabs[0], End: tabs.at(-1) }[event.key] ?? (by && tabs.at((now + by) % tabs.length));
    if (!next) return;
    event.preventDefault();
    choose(choice, next);
    next.focus();
  });
  group.prepend(list);
  select(
    group,
    tabs.find(({ textContent }) => textContent === kept(choice))?.textContent ?? tabs[0]?.textContent ?? '',
  );
}

function choose(choice: string, tab: HTMLButtonElement): void {
  const before = tab.getBoundingClientRect().top;
  try {
    localStorage.setItem(KEPT + choice, tab.textContent);
  } catch {
    // Without storage, the choice holds for this page.
  }
  for (const group of document.querySelectorAll<HTMLElement>(`.tabs[data-choice="${choice}"]`))
    select(group, tab.textContent);
  // What is above may have another height now; the tab stays under the pointer.
  scrollBy(0, tab.getBoundingClientRect().top - before);
}

function kept(choice: string): string | null {
  try {
    return localStorage.getItem(KEPT + choice);
  } catch {
    return null;
  }
}

/** A group without this name stays as it is. */
function select(group: HTMLElement, name: string): void {
  const tabs = [...group.querySelectorAll<HTMLButtonElement>('[role=tab]')];
  if (!tabs.some(({ textContent }) => textContent === name)) return;
  for (const tab of tabs) {
    const isSelected = tab.textContent === name;
    tab.ariaSelected = String(isSelected);
    tab.tabIndex = isSelected ? 0 : -1;
    (document.getElementById(tab.getAttribute('aria-controls') ?? '') as HTMLElement).hidden = !isSelected;
  }
}

/** Marks the section in view among the links of the page to its own sections. */
function follow(contents: HTMLElement): void {
  const links = [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
  const headings = links.map(({ hash }) => document.getElementById(hash.slice(1)) as HTMLElement);
  const mark = (): void => {
    const { scrollHeight } = document.documentElement;
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - 1;
    const reached = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < innerHeight / 4);
    const now = links[isAtEnd ? links.length - 1 : reached];
    if (now?.ariaCurrent === 'location') return;
    for (const link of links) link.ariaCurrent = link === now ? 'location' : null;
    if (now) contents.scrollTop = now.offsetTop - contents.clientHeight / 2;
  };
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  mark();
}

input.addEventListener('input', () => void show());
input.addEventListener('focus', () => {
  loading ??= openSearch(address);
  loading.catch(() => {
    loading = undefined;
  });
});
input.form?.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
input.form?.addEventListener('keydown', move);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener('click', ({ target }) => {
  if (!input.form?.contains(target as Node)) list.hidden = true;
});
// The page itself stays where it is.
const contents = document.querySelector<HTMLElement>('.contents');
const sections = document.querySelector<HTMLElement>('.sections');
const current = contents?.querySelector<HTMLElement>('[aria-current]');
if (contents && current) contents.scrollTop = current.offsetTop - contents.clientHeight / 2;
for (const block of document.querySelectorAll<HTMLElement>('.block pre')) addCopyButton(block);
for (const [at, group] of [...document.querySelectorAll<HTMLElement>('.tabs')].entries()) addTabs(group, at);
if (sections) follow(sections);
