/** A page of the documentation: search over all pages, and a button that copies a block. */

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
const current = contents?.querySelector<HTMLElement>('[aria-current]');
if (contents && current) contents.scrollTop = current.offsetTop - contents.clientHeight / 2;
for (const block of document.querySelectorAll<HTMLElement>('.block pre')) addCopyButton(block);
