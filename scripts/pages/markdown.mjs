/** Markdown as HTML, and the sections that it has. */
import highlight from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { Marked } from 'marked';

/** By the names that the pages give their blocks. */
const LANGUAGES = {
  sh: bash,
  go,
  toml: ini,
  java,
  json,
  powershell,
  python,
  ruby,
  js: typescript,
  ts: typescript,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) highlight.registerLanguage(name, language);

export function htmlOf(markdown) {
  const anchors = anchoring();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchors(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang = '' }) {
        return blockOf(text, lang);
      },
      // Long lines and wide tables are moved by keys as well.
      table({ header, rows }) {
        const cellsOf = (cells, tag) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = rows.map((row) => cellsOf(row, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${cellsOf(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** A text without headings, blocks to copy, and tables. */
export const proseOf = (markdown) => PLAIN.parse(markdown, { async: false });

/** A text without paragraphs. */
export const inlineOf = (markdown) => PLAIN.parseInline(markdown, { async: false });

const PLAIN = new Marked();

/** Lines to read or copy. */
export const blockOf = (text, language) =>
  `<div class="block"><pre tabindex="0"><code data-language="${escaped(language)}">${coloredOf(text, language)}</code></pre></div>\n`;

const coloredOf = (text, language) =>
  language in LANGUAGES ? highlight.highlight(text, { language }).value : escaped(text);

/**
 * Each heading with what follows it; code is searched as well.
 * @param inserted the sections in place of a comment, if it stands for any
 */
export function sectionsOf(markdown, inserted) {
  const anchors = anchoring();
  const sections = [];
  for (const token of PLAIN.lexer(markdown)) {
    if (token.type === 'heading') {
      const { text, depth } = token;
      sections.push({ depth, anchor: anchors(text), heading: plain(text), text: '' });
    } else if (token.type === 'html') {
      sections.push(...inserted(token.raw));
    } else {
      const last = sections.pop();
      if (last) sections.push({ ...last, text: `${last.text} ${plain(token.raw)}` });
    }
  }
  return sections;
}

/** Words without the signs of Markdown. */
export const plain = (text) =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|#>]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

export const escaped = (text) =>
  text.replaceAll(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

/** Anchors as code hosts derive them from the headings of one page; one that comes again gets a number. */
function anchoring() {
  const seen = new Map();
  return (heading) => {
    const words = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
    const slug = words.replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
}
