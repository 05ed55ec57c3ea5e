/** Pages of the documentation as HTML, and the index of their search. It is imported with the first page that a browser requests. */
import { Marked, type Tokens } from 'marked';

/** A page of the documentation. */
export interface Page {
  /** Below `docs/`: `guides/faults.md`. */
  readonly path: string;
  readonly markdown: string;
}

/** A part of a page, below a heading, as the search finds it. */
export interface Part {
  readonly id: number;
  /** Relative to the documentation, with its anchor. */
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** A group of links of `llms.txt`, which is the table of contents. */
const SECTION = /^## (.+)\n\n((?:- .+\n)+)/gm;
const ENTRY = /^- \[([^\]]+)\]\(([^):]+\.md)\)/gm;
/** The contents have their own page for programs. */
const INDEX = 'llms.txt';

/**
 * Fills a page into the frame that `scripts/build-dashboard.mjs` built.
 * @param index `llms.txt` @param version of the program
 */
export function pageOf(frame: string, { path, markdown }: Page, index: string, version: string): string {
  const root = '../'.repeat(path.split('/').length);
  const texts: Readonly<Record<string, string>> = {
    title: escaped(titleOf(markdown)),
    ...{ root, version, page: htmlOf(markdown), navigation: navigationOf(index, path, `${root}docs/`) },
  };
  return frame.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => texts[name] ?? '');
}

/** Every part of all pages, in the order of the pages. */
export function searchIndexOf(pages: readonly Page[]): readonly Part[] {
  const parts = pages.flatMap(({ path, markdown }) => {
    const seen = new Map<string, number>();
    const page = titleOf(markdown);
    return partsOf(markdown).map(({ heading, text }) => {
      return { path: `${path}#${anchorOf(heading, seen)}`, page, heading: plain(heading), text: plain(text) };
    });
  });
  return parts.map((part, id) => ({ id, ...part }));
}

/** The paths of the pages that `llms.txt` lists. */
export const pathsIn = (index: string): readonly string[] =>
  [...index.matchAll(ENTRY)].map(([, , path = '']) => path).filter((path) => !path.startsWith('..'));

function navigationOf(index: string, current: string, root: string): string {
  const linkOf = (name: string, path: string): string =>
    `<li><a href="${root}${path === INDEX ? '' : path}"${path === current ? ' aria-current="page"' : ''}>${escaped(name)}</a></li>`;
  const sections = [...index.matchAll(SECTION)].map(([, title = '', entries = '']) => {
    const links = [...entries.matchAll(ENTRY)].map(([, name = '', path = '']) => linkOf(name, path));
    return links.length === 0 ? '' : `<h2>${escaped(title)}</h2><ul>${links.join('')}</ul>`;
  });
  return `<ul>${linkOf('Overview', INDEX)}</ul>${sections.join('')}`;
}

function htmlOf(markdown: string): string {
  const seen = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text, seen)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // Long lines and wide tables are moved by keys as well.
      code({ text, lang = '' }) {
        return `<div class="block"><pre tabindex="0"><code data-language="${escaped(lang)}">${escaped(text)}</code></pre></div>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const cellsOf = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = rows.map((row) => cellsOf(row, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${cellsOf(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** Each heading with what follows it; code is searched as well. */
function partsOf(markdown: string): readonly { heading: string; text: string }[] {
  const parts: { heading: string; text: string }[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading') parts.push({ heading: (token as Tokens.Heading).text, text: '' });
    else if (token.type !== 'html' && parts.length > 0) (parts.at(-1) as { text: string }).text += ` ${token.raw}`;
  }
  return parts;
}

const titleOf = (markdown: string): string => plain(/^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation');

/** Words without the signs of Markdown. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|#>]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] as string);

/** As code hosts derive it from a heading; one that comes again gets a number. */
function anchorOf(heading: string, seen: Map<string, number>): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  const slug = words.replaceAll(' ', '-');
  const before = seen.get(slug) ?? 0;
  seen.set(slug, before + 1);
  return before === 0 ? slug : `${slug}-${before}`;
}
