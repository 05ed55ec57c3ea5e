/** A page of the documentation as HTML. It is imported with the first page that a browser requests. */
import { Marked } from 'marked';

/** @param path of the page below `docs/` */
export function pageOf(markdown: string, path: string): string {
  const seen = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text, seen)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  const root = '../'.repeat(path.split('/').length);
  const [, title = 'Documentation'] = /^# ([\w ,-]+)/m.exec(markdown) ?? [];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<nav><a href="${root}docs/">Documentation</a> <a href="${root}">Dashboard</a> <a href="${root}_sandbox/docs">API reference</a></nav>
<main>${marked.parse(markdown, { async: false })}</main>
</body>
</html>
`;
}

/** As code hosts derive it from a heading; one that comes again gets a number. */
function anchorOf(heading: string, seen: Map<string, number>): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  const slug = words.replaceAll(' ', '-');
  const before = seen.get(slug) ?? 0;
  seen.set(slug, before + 1);
  return before === 0 ? slug : `${slug}-${before}`;
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dfe3e6, #333c45); --card: light-dark(#f4f5f3, #1c2228); }
body {
  margin: 0 auto; max-width: 62rem; padding: 1.5rem; overflow-wrap: anywhere;
  background: light-dark(#fff, #14181c); color: light-dark(#1d2733, #e6e9ec); font: 1rem/1.55 system-ui, sans-serif;
}
a { color: light-dark(#1a5fb4, #99c1f1); }
nav a { margin-right: 1rem; }
code { font: .875em/1.4 ui-monospace, monospace; }
pre { padding: .75rem 1rem; overflow: auto; overflow-wrap: normal; background: var(--card); border-radius: .375rem; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: .3rem .75rem; text-align: left; vertical-align: top; border: 1px solid var(--line); }
img { max-width: 100%; }
`;
