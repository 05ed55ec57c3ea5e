/** The documentation as pages in their frame, and the index of their search. It is imported with the first page that a browser requests. */
import { escaped, htmlOf, plain, type SearchSection, type Section, sectionsOf } from './markdown.ts';
import { referenceSectionsOf } from './reference.ts';

/** A page of the documentation. */
export interface Page {
  /** Below `docs/`: `guides/faults.md`. */
  readonly path: string;
  readonly markdown: string;
}

/** What all pages have in common. */
interface Site {
  /** The page that `scripts/build-dashboard.mjs` built, without its contents. */
  readonly frame: string;
  /** `llms.txt`, which is the table of contents. */
  readonly index: string;
  /** Of the program. */
  readonly version: string;
  /** Of the server. */
  readonly address: string;
  /** The reference that a specification describes, or one group of it, as HTML with places for the address and the root. */
  readonly referenceOf: (file: string, group?: string) => Promise<string>;
}

/** A group of links of `llms.txt`. */
const SECTION = /^## (.+)\n\n((?:- .+\n)+)/gm;
const ENTRY = /^- \[([^\]]+)\]\(([^):]+\.md)\)(?:: (.+))?/gm;

/** What stands in the Markdown as a list of endpoints is the whole reference here. */
const ENDPOINTS = /<!-- generated: endpoints of spec\/(\S+?)(?:: (\w+))? -->[\s\S]*?<!-- end -->/g;
const REFERENCE = /<!-- reference of (\S+)(?: (\w+))? -->/;

const withReferences = (markdown: string): string =>
  markdown.replaceAll(ENDPOINTS, (_, file: string, group = '') => `<!-- reference of ${`${file} ${group}`.trim()} -->`);

/** Fills a page into the frame. */
export async function pageOf({ path, markdown }: Page, site: Site): Promise<string> {
  const { frame, index, version, address, referenceOf } = site;
  const root = '../'.repeat(path.split('/').length);
  const text = withReferences(markdown);
  const html = htmlOf(text);
  const [, file, group] = REFERENCE.exec(text) ?? [];
  const reference =
    file === undefined ? '' : filled(await referenceOf(file, group), { address: escaped(address), root });
  const deepest = file === undefined ? 2 : 3;
  const sections = sectionsIn(text).filter(({ depth }) => depth > 1 && depth <= deepest);
  const docs = `${root}docs/`;
  return filled(frame, {
    title: escaped(titleOf(markdown)),
    page: html.replace(REFERENCE, () => reference),
    navigation: navigationOf(index, path, docs),
    sections: sectionLinksOf(sections),
    neighbors: neighborsOf(index, path, docs),
    ...{ root, version },
  });
}

const filled = (text: string, parts: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => parts[name] ?? place);

/** Every part of all pages, in the order of the pages. A page is also found by what `llms.txt` says about it. */
export function searchIndexOf(pages: readonly Page[], index: string): readonly SearchSection[] {
  const entries = entriesIn(index);
  const parts = pages.flatMap(({ path, markdown }) => {
    const page = titleOf(markdown);
    const about = entries.find((entry) => entry.path === path)?.about ?? '';
    return sectionsIn(withReferences(markdown)).map(({ anchor, heading, text }, at) => ({
      path: `${path}#${anchor}`,
      ...{ page, heading, text: at === 0 ? `${text} ${about}` : text },
    }));
  });
  return parts.map((part, id) => ({ id, ...part }));
}

/** Each page that `llms.txt` lists, in its order. */
const entriesIn = (
  index: string,
): readonly { readonly name: string; readonly path: string; readonly about: string }[] =>
  [...index.matchAll(ENTRY)]
    .map(([, name = '', path = '', about = '']) => ({ name, path, about }))
    .filter(({ path }) => !path.startsWith('..'));

/** The paths of the pages that `llms.txt` lists. */
export const pathsIn = (index: string): readonly string[] => entriesIn(index).map(({ path }) => path);

const sectionsIn = (markdown: string): readonly Section[] =>
  sectionsOf(markdown, (comment) => {
    const [, file, group] = REFERENCE.exec(comment) ?? [];
    return file === undefined ? [] : referenceSectionsOf(file, group);
  });

/** Every page, below the heading of its group. */
function navigationOf(index: string, current: string, root: string): string {
  const groups = [...index.matchAll(SECTION)].map(([, title = '', entries = '']) => {
    const links = entriesIn(entries).map(({ name, path }) => `<li>${linkOf(name, root + path, path === current)}</li>`);
    return links.length === 0 ? '' : `<h2>${escaped(title)}</h2><ul>${links.join('')}</ul>`;
  });
  return groups.join('');
}

/** The pages before and after this one. */
function neighborsOf(index: string, current: string, root: string): string {
  const entries = entriesIn(index);
  const at = entries.findIndex(({ path }) => path === current);
  const linkTo = (place: number, words: string, rel: string): string => {
    const entry = at < 0 ? undefined : entries[place];
    if (entry === undefined) return '';
    return `<a rel="${rel}" href="${root}${entry.path}"><small>${words}</small> ${escaped(entry.name)}</a>`;
  };
  return linkTo(at - 1, 'Previous', 'prev') + linkTo(at + 1, 'Next', 'next');
}

const linkOf = (name: string, target: string, isCurrent: boolean): string =>
  `<a href="${target}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(name)}</a>`;

const sectionLinksOf = (sections: readonly Section[]): string => {
  if (sections.length < 2) return '';
  const links = sections.map(
    ({ depth, anchor, heading }) => `<li class="h${depth}"><a href="#${anchor}">${escaped(heading)}</a></li>`,
  );
  return `<nav class="sections" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav>`;
};

const titleOf = (markdown: string): string => plain(/^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation');
