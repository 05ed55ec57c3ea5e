/** The search over all pages of the documentation: on those pages, and in the dashboard. */

/** A part of a page, as `scripts/build-pages.mjs` lists it. */
export interface SearchSection {
  readonly id: number;
  /** Relative to the documentation, with its anchor. */
  readonly path: string;
  /** The title of its page. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export type Search = (words: string) => readonly SearchSection[];

const MOST = 12;

/** Words of a question that say nothing about its subject. */
const FILLERS = new Set(
  'a an and are at be by can do does for from how i if in is it my of on or the to was what when where which why with'.split(
    ' ',
  ),
);

/** The index is loaded with the first search, and then needs no network. @throws {Error} if it cannot be loaded */
export async function openSearch(address: string): Promise<Search> {
  const [{ default: MiniSearch }, response] = await Promise.all([import('minisearch'), fetch(address)]);
  if (!response.ok) throw new Error(`the search index returned ${response.status}`);
  const parts: readonly SearchSection[] = await response.json();
  const index = new MiniSearch<SearchSection>({
    fields: ['heading', 'page', 'text'],
    searchOptions: {
      ...{ boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
      processTerm: (term) => (FILLERS.has(term.toLowerCase()) ? null : term.toLowerCase()),
    },
  });
  index.addAll(parts);
  return (words) => {
    // A question has words that no page has: parts with all words come first.
    const found = [...index.search(words), ...index.search(words, { combineWith: 'OR' })];
    return [...new Set(found.map(({ id }) => parts[id] as SearchSection))].slice(0, MOST);
  };
}
