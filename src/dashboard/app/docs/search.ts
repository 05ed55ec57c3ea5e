/** The search over all pages of the documentation: on those pages, and in the dashboard. */
import type { SearchSection } from '../../markdown.ts';

export type Search = (words: string) => readonly SearchSection[];

const MOST = 12;

/** The index is loaded with the first search, and then needs no network. @throws {Error} if it cannot be loaded */
export async function openSearch(address: string): Promise<Search> {
  const [{ default: MiniSearch }, response] = await Promise.all([import('minisearch'), fetch(address)]);
  if (!response.ok) throw new Error(`the search index returned ${response.status}`);
  const parts: readonly SearchSection[] = await response.json();
  const index = new MiniSearch<SearchSection>({
    fields: ['heading', 'page', 'text'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  index.addAll(parts);
  return (words) => {
    const withAll = index.search(words);
    // A question has words that no page has.
    const found = withAll.length > 0 ? withAll : index.search(words, { combineWith: 'OR' });
    return found.slice(0, MOST).map(({ id }) => parts[id] as SearchSection);
  };
}
