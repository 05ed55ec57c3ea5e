/** HTML: templates that escape, and what the page begins with. */
import { printable } from '../../client/text.ts';
import { STYLE } from './html-style.ts';

/** Markup built here; all other text is escaped when it is inserted. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | readonly Part[];

/** A template that escapes all values except markup. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(
    strings.reduce((text, string, i) => text + string + (i < parts.length ? rendered(parts[i] as Part) : ''), ''),
  );

function rendered(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return part.map(rendered).join('');
}

const escaped = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A whole page without external requests or scripts. */
export const page = (title: string, body: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
