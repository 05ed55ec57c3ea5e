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
  /** The reference that a specification describes, as HTML with places for the address and the root. */
  readonly referenceOf: (file: string) => Promise<string>;
}

/** A group of links of `llms.txt`. */
const SECTION = /^## (.+)\n\n((?:- .+\n)+)/gm;
const ENTRY = /^- \[([^\]]+)\]\(([^):]+\.md)\)/gm;
/** The contents have their own page for programs. */
const INDEX = 'llms.txt';

/** What stands in the Markdown as a table of endpoints is the whole reference here. */
const ENDPOINTS = /<!-- generated: endpoints of spec\/(\S+) -->[\s\S]*?<!-- end of generated -->/g;
const REFERENCE = /<!-- reference of (\S+) -->/;

/** Where the bar leads. */
const FIRST_REFERENCE = 'reference/petstore-api.md';

const withReferences = (markdown: string): string => markdown.replaceAll(ENDPOINTS, '<!-- reference of $1 -->');

/** Fills a page into the frame. */
export async function pageOf({ path, markdown }: Page, site: Site): Promise<string> {
  const { frame, index, version, address, referenceOf } = site;
  const root = '../'.repeat(path.split('/').length);
  const text = withReferences(markdown);
  const html = htmlOf(text, path.replace(/^.*\//, '').replace(/md$/, 'svg'));
  const [, file] = REFERENCE.exec(text) ?? [];
  const reference = file === undefined ? '' : filled(await referenceOf(file), { address: escaped(address), root });
  const deepest = file === undefined ? 2 : 3;
  const sections = sectionsIn(text).filter(({ depth }) => depth > 1 && depth <= deepest);
  return filled(frame, {
    title: escaped(titleOf(markdown)),
    page: html.replace(REFERENCE, () => reference),
    navigation: navigationOf(index, path, `${root}docs/`, sections),
    pages:
      linkOf('Reference', `${root}docs/${FIRST_REFERENCE}`, file !== undefined) +
      linkOf('Docs', `${root}docs/`, file === undefined),
    ...{ root, version },
  });
}

const filled = (text: string, parts: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => parts[name] ?? place);

/** Every part of all pages, in the order of the pages. */
export function searchIndexOf(pages: readonly Page[]): readonly SearchSection[] {
  const parts = pages.flatMap(({ path, markdown }) => {
    const page = titleOf(markdown);
    return sectionsIn(withReferences(markdown)).map(({ anchor, heading, text }) => ({
      path: `${path}#${anchor}`,
      ...{ page, heading, text },
    }));
  });
  return parts.map((part, id) => ({ id, ...part }));
}

/** The paths of the pages that `llms.txt` lists. */
export const pathsIn = (index: string): readonly string[] =>
  [...index.matchAll(ENTRY)].map(([, , path = '']) => path).filter((path) => !path.startsWith('..'));

const sectionsIn = (markdown: string): readonly Section[] =>
  sectionsOf(markdown, (comment) => {
    const [, file] = REFERENCE.exec(comment) ?? [];
    return file === undefined ? [] : referenceSectionsOf(file);
  });

/** Every page, and the sections of the current one. */
function navigationOf(index: string, current: string, root: string, sections: readonly Section[]): string {
  const itemOf = (name: string, path: string): string => {
    const isCurrent = path === current;
    const link = linkOf(name, `${root}${path === INDEX ? '' : path}`, isCurrent);
    return `<li>${link}${isCurrent ? sectionLinksOf(sections) : ''}</li>`;
  };
  const groups = [...index.matchAll(SECTION)].map(([, title = '', entries = '']) => {
    const links = [...entries.matchAll(ENTRY)].map(([, name = '', path = '']) => itemOf(name, path));
    return links.length === 0 ? '' : `<h2>${escaped(title)}</h2><ul>${links.join('')}</ul>`;
  });
  return `<ul>${itemOf('Overview', INDEX)}</ul>${groups.join('')}`;
}

const linkOf = (name: string, target: string, isCurrent: boolean): string =>
  `<a href="${target}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(name)}</a>`;

const sectionLinksOf = (sections: readonly Section[]): string => {
  const links = sections.map(
    ({ depth, anchor, heading }) => `<li class="h${depth}"><a href="#${anchor}">${escaped(heading)}</a></li>`,
  );
  return links.length === 0 ? '' : `<ul>${links.join('')}</ul>`;
};

const titleOf = (markdown: string): string => plain(/^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation');
