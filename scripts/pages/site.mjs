/** The documentation as pages in their frame, and the index of their search. */
import { escaped, htmlOf, plain, sectionsOf } from './markdown.mjs';
import { referenceOf, referenceSectionsOf } from './reference.mjs';

/** A group of links of `llms.txt`. */
const SECTION = /^## (.+)\n\n((?:- .+\n)+)/gm;
const ENTRY = /^- \[([^\]]+)\]\(([^):]+\.md)\)(?:: (.+))?/gm;

/** What stands in the Markdown as a list of endpoints is the whole reference here. */
const ENDPOINTS = /<!-- generated: endpoints of spec\/(\S+?)(?:: (\w+))? -->[\s\S]*?<!-- end -->/g;
const REFERENCE = /<!-- reference of (\S+)(?: (\w+))? -->/;

const withReferences = (markdown) =>
  markdown.replaceAll(ENDPOINTS, (_, file, group = '') => `<!-- reference of ${`${file} ${group}`.trim()} -->`);

/**
 * Fills a page into the frame, all but `{{root}}`: the way to the server's root.
 * @param {{ path: string, markdown: string }} page
 * @param {{ frame: string, index: string, version: string }} site `index`: `llms.txt`, which is the table of contents
 */
export function pageOf({ path, markdown }, { frame, index, version }) {
  const text = withReferences(markdown);
  const [, file, group] = REFERENCE.exec(text) ?? [];
  const deepest = file === undefined ? 2 : 3;
  const sections = sectionsIn(text).filter(({ depth }) => depth > 1 && depth <= deepest);
  const parts = {
    title: escaped(titleOf(markdown)),
    page: htmlOf(text).replace(REFERENCE, () => referenceOf(file, group)),
    navigation: navigationOf(index, path),
    sections: sectionLinksOf(sections),
    neighbors: neighborsOf(index, path),
    version,
  };
  return frame.replaceAll(/\{\{(\w+)\}\}/g, (place, name) => parts[name] ?? place);
}

/** Every part of all pages, in the order of the pages. A page is also found by what `llms.txt` says about it. */
export function searchIndexOf(pages, index) {
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
const entriesIn = (index) =>
  [...index.matchAll(ENTRY)]
    .map(([, name = '', path = '', about = '']) => ({ name, path, about }))
    .filter(({ path }) => !path.startsWith('..'));

/** The paths of the pages that `llms.txt` lists. */
export const pathsIn = (index) => entriesIn(index).map(({ path }) => path);

const sectionsIn = (markdown) =>
  sectionsOf(markdown, (comment) => {
    const [, file, group] = REFERENCE.exec(comment) ?? [];
    return file === undefined ? [] : referenceSectionsOf(file, group);
  });

/** Every page, below the heading of its group. */
function navigationOf(index, current) {
  const groups = [...index.matchAll(SECTION)].map(([, title = '', entries = '']) => {
    const links = entriesIn(entries).map(
      ({ name, path }) => `<li>${linkOf(name, `{{root}}docs/${path}`, path === current)}</li>`,
    );
    return links.length === 0 ? '' : `<h2>${escaped(title)}</h2><ul>${links.join('')}</ul>`;
  });
  return groups.join('');
}

/** The pages before and after this one. */
function neighborsOf(index, current) {
  const entries = entriesIn(index);
  const at = entries.findIndex(({ path }) => path === current);
  const linkTo = (place, words, rel) => {
    const entry = at < 0 ? undefined : entries[place];
    if (entry === undefined) return '';
    return `<a rel="${rel}" href="{{root}}docs/${entry.path}"><small>${words}</small> ${escaped(entry.name)}</a>`;
  };
  return linkTo(at - 1, 'Previous', 'prev') + linkTo(at + 1, 'Next', 'next');
}

const linkOf = (name, target, isCurrent) =>
  `<a href="${target}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(name)}</a>`;

const sectionLinksOf = (sections) => {
  if (sections.length < 2) return '';
  const links = sections.map(
    ({ depth, anchor, heading }) => `<li class="h${depth}"><a href="#${anchor}">${escaped(heading)}</a></li>`,
  );
  return `<nav class="sections" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav>`;
};

const titleOf = (markdown) => plain(/^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation');
