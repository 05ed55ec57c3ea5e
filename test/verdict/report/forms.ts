/** What must be true of results in each format, whatever is in them. Each function returns what is wrong, as a list. */
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { marked, type Token, type Tokens } from 'marked';
import type { FormatName } from '../../../src/verdict/report/formats/formats.ts';
import type { Results } from '../../../src/verdict/report/results.ts';
import { junitProblems } from '../../support/published-schemas.ts';

/** What a terminal obeys, beside the ends of lines. */
const OBEYED = /[\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|[^\P{Cc}\n]/u;

const some = (text: string, pattern: RegExp): string[] => text.match(pattern)?.slice(0, 1) ?? [];
const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** Of a format, the text and what it shows. */
export const PROBLEMS: Readonly<Record<FormatName, (text: string, results: Results) => unknown>> = {
  text: (text) => some(text, OBEYED),
  json: async (text, { kind }) => [
    ...some(text, OBEYED),
    ...(kind === 'contract' ? await reportProblems(JSON.parse(text)) : []),
  ],
  junit: async (text, { groups, verdict }) => {
    const sum = (name: string): number =>
      [...text.matchAll(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`, 'g'))].reduce(
        (all, [, n]) => all + Number(n),
        0,
      );
    const [tests, failures, errors, skipped] = ['tests', 'failures', 'errors', 'skipped'].map(sum);
    const [cases, ...others] = ['testcase', 'failure', 'error', 'skipped'].map((name) =>
      count(text, new RegExp(`<${name}[ >]`, 'g')),
    );
    const wrong = [
      ...(await junitProblems(
        text,
        groups.map(({ name }) => name),
      )),
    ];
    if ([tests, failures, errors, skipped].join() !== [cases, ...others].join()) wrong.push('other figures than cases');
    if (!text.includes(`tests="${tests}" failures="${failures}" errors="${errors}"`)) wrong.push('other sums');
    // What CI systems make of it is the verdict.
    if ((failures ? 'fail' : errors ? 'incomplete' : 'pass') !== verdict) wrong.push('another verdict');
    return [...wrong, ...some(text, OBEYED)];
  },
  html: htmlProblems,
  markdown: (text) => {
    const tokens: Token[] = [];
    marked.walkTokens(marked.lexer(text, { gfm: true }), (token) => void tokens.push(token));
    // No link, picture, mention or markup of others.
    const forbidden = /^(?:link|image|codespan|code|del|em|strong|hr|blockquote|def)$/;
    const ours = ['<code>', '</code>', '<br>', '<!-- -->'];
    const foreign = tokens.filter(({ type, raw }) => forbidden.test(type) || (type === 'html' && !ours.includes(raw)));
    const uneven = tokens
      .filter((token): token is Tokens.Table => token.type === 'table')
      .filter(
        ({ raw }) =>
          new Set(
            raw
              .trimEnd()
              .split('\n')
              .map((row) => row.split('|').length),
          ).size > 1,
      );
    return [...foreign, ...uneven, ...some(text, /[@*~[\]{}\\^$]|www\.|:\/\/|\b_|_\b/)];
  },
  github: (text) =>
    // One command a line. A percent sign is one of the five escapes.
    text
      .split('\n')
      .filter((line) => !/^::(?:error|warning|notice) (?:file=[^,:]+,line=1,)?title=[^,:]+::[^\r\n]+$/.test(line))
      .concat(some(text, /%(?!25|0A|0D|3A|2C)|[^\P{Cc}\n]|[\u2028\u2029]/u)),
};

const ELEMENTS =
  /^(?:html|head|meta|title|style|body|header|main|section|article|div|p|span|h[123]|ul|li|details|summary|table|thead|tbody|tr|t[dhr]|b|br|code)$/;
const ATTRIBUTES = /^(?:lang|charset|name|content|http-equiv|class|aria-hidden|title|style)$/;

/** Unknown elements and attributes, what is not closed in order, and what a page could ask for elsewhere. */
function htmlProblems(page: string): string[] {
  const wrong: string[] = [];
  const open: string[] = [];
  const style = page.slice(page.indexOf('<style>') + 7, page.indexOf('</style>'));
  const markup = page.replace('<!doctype html>', '').replace(style, '');
  const rest = markup.replaceAll(/<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/g, (_, slash, name, attributes) => {
    if (!ELEMENTS.test(name)) wrong.push(`<${name}>`);
    for (const [, attribute] of attributes.matchAll(/ ([a-z-]+)="[^"]*"/g))
      if (!ATTRIBUTES.test(attribute)) wrong.push(`${attribute}=`);
    if (slash && open.pop() !== name) wrong.push(`</${name}>`);
    if (!slash && name !== 'meta' && name !== 'br') open.push(name);
    return '';
  });
  // All that is left is text.
  const isNoText =
    /[<>]|&(?!(?:amp|lt|gt|quot|#\d+);)|[\p{Cs}\u202a-\u202e\u2066-\u2069\u2028\u2029\ufffe\uffff]|[^\P{Cc}\n]/u;
  return [...wrong, ...open, ...some(rest, isNoText), ...some(page, /url\(|@import/)];
}

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const validate = ajv.compile(JSON.parse(await readFile('src/base/generated/report.schema.json', 'utf8')));

/** Against the published schema. */
export const reportProblems = (report: unknown): unknown[] => (validate(report) ? [] : (validate.errors ?? []));
