import { describe, expect, it } from 'vitest';
import { render } from '../../src/report/formats/html.ts';
import { sharedServer } from '../support/server.ts';
import { BROKEN_RESPONSE, fetchReport, HOSTILE, KINDS, resultsOfVerdict } from './clients.ts';
import { EACH } from './each.ts';

const server = await sharedServer();

const ELEMENTS = new Set(
  'html head meta title style body header main section article div p span h1 h2 h3 ul li details summary table tbody tr td b code'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set('lang charset name content http-equiv class aria-hidden title style'.split(' '));

/** What is wrong with a page as markup: unknown elements and attributes, and what is not closed in order. */
function problems(page: string): string[] {
  const wrong: string[] = [];
  const open: string[] = [];
  const style = page.slice(page.indexOf('<style>') + 7, page.indexOf('</style>'));
  const markup = page.replace('<!doctype html>', '').replace(style, '');
  const rest = markup.replaceAll(/<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/g, (_, slash, name, attributes) => {
    if (!ELEMENTS.has(name)) wrong.push(`<${name}>`);
    for (const [, attribute] of attributes.matchAll(/ ([a-z-]+)="[^"]*"/g)) {
      if (!ATTRIBUTES.has(attribute)) wrong.push(`${attribute}=`);
    }
    if (slash && open.pop() !== name) wrong.push(`</${name}>`);
    if (!slash && !['meta', 'br'].includes(name)) open.push(name);
    return '';
  });
  // All that is left is text.
  if (/[<>"']/.test(rest)) wrong.push(rest.match(/.{0,40}[<>"'].{0,40}/)?.[0] as string);
  if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(rest)) wrong.push('a bare &');
  if (/[\p{Cs}\u202a-\u202e\u2066-\u2069\u2028\u2029\ufffe\uffff]|[^\P{Cc}\n]/u.test(rest)) wrong.push('a control');
  return [...wrong, ...open];
}

const LABEL = HOSTILE.join(' ')
  .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
  .slice(0, 200);

describe('the HTML form', () => {
  it.each(Object.keys(KINDS))('is sound, and asks for nothing from elsewhere, for a client that %s', async (kind) => {
    const client = await server.sandbox({ label: LABEL });
    await KINDS[kind]?.(client);
    const { headers, text } = await fetchReport(client, 'html');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(problems(text)).toEqual([]);
    // The elements and attributes that are left cannot ask for anything; a style could.
    expect(text).not.toMatch(/url\(|@import/);
    expect(text).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
    );
    expect(text).toContain('@media (prefers-color-scheme: dark)');
    expect(text).toContain('@media print');
  });

  it('keeps apart what is the sandbox’s own fault', () => {
    const page = render(resultsOfVerdict(BROKEN_RESPONSE));
    expect(page).toContain('contract check incomplete');
    expect(page).toContain('Bugs in the sandbox');
    expect(page).not.toContain('Failures');
  });

  it.each(Object.entries(EACH))('is sound for %s', (_kind, results) => {
    expect(problems(render(results))).toEqual([]);
  });
});
