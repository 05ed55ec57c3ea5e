/** Results as one page for people: the Markdown as HTML, without external requests or scripts, light and dark, printable. */

import { printable } from '../../../base/text.ts';
import type { Results } from '../results.ts';
import { render as markdownOf } from './markdown.ts';

export async function render(results: Results): Promise<string> {
  const { kind, verdict } = results;
  const { marked } = await import('marked');
  // In the Markdown, all text from outside is escaped. What keeps GitHub from a mention is for GitHub alone.
  const markdown = markdownOf(results)
    .replaceAll('<!-- -->', '')
    .replaceAll(/^#(?=#+ )/gm, '');
  const body = await marked(markdown, { gfm: true });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>Petstore ${printable(kind)}: ${verdict}</title>
<style>${STYLE}</style>
</head>
<body class="${verdict}">
<main>
${body}</main>
</body>
</html>
`;
}

/** How the page looks, in both color schemes. `--tone` is the color of the verdict. */
const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1d2733; --paper: #fbfbf9; --line: #dfe3e6; --pass: #1f7a45; --fail: #b3261e; --incomplete: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --paper: #14181c; --line: #333c45; --pass: #6fcf97; --fail: #ff9a92; --incomplete: #f0c36d; }
}
body {
  margin: 0 auto; max-width: 70rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere;
}
.pass { --tone: var(--pass); }
.fail { --tone: var(--fail); }
.incomplete { --tone: var(--incomplete); }
h1 { font-size: 1.4rem; margin: 0; border-left: .4rem solid var(--tone); padding-left: .75rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; }
code { font: .875em/1.4 ui-monospace, monospace; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .4rem .6rem; text-align: left; vertical-align: top; border: 1px solid var(--line); }
@media print { body { max-width: none; padding: 0; } tr { break-inside: avoid; } }
`;
