/** The formats of results: one row and one file each. Commands and the control API offer what is listed here. */
import type { Results } from '../results.ts';
import type { TextOptions } from './text.ts';

interface Format {
  readonly mediaType: string;
  /** Of a file, without the dot. */
  readonly extension: string;
  /** The file with its one function: the text, in which a terminal, a page or a parser finds nothing to obey. */
  readonly load: () => Promise<{ render(results: Results, options: TextOptions): string | Promise<string> }>;
}

export const FORMATS = {
  text: { mediaType: 'text/plain; charset=utf-8', extension: 'txt', load: () => import('./text.ts') },
  json: { mediaType: 'application/json', extension: 'json', load: () => import('./json.ts') },
  junit: { mediaType: 'application/xml', extension: 'xml', load: () => import('./junit.ts') },
  html: { mediaType: 'text/html; charset=utf-8', extension: 'html', load: () => import('./html.ts') },
  markdown: { mediaType: 'text/markdown; charset=utf-8', extension: 'md', load: () => import('./markdown.ts') },
  github: { mediaType: 'text/plain; charset=utf-8', extension: 'github.txt', load: () => import('./github.ts') },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;

export const formatNames = Object.keys(FORMATS) as FormatName[];

/** What a file's name may end with. */
export const endings = formatNames.map((name) => `.${FORMATS[name].extension}`);

/** The format that a file's name ends with; `undefined` for another ending. */
export const formatOfFile = (file: string): FormatName | undefined =>
  formatNames.findLast((name) => file.toLowerCase().endsWith(`.${FORMATS[name].extension}`));

/** Results in a format, without a line break at the end. */
export async function inFormat(format: FormatName, results: Results, options: TextOptions = {}): Promise<string> {
  const { render }: Awaited<ReturnType<Format['load']>> = await FORMATS[format].load();
  return (await render(results, options)).trimEnd();
}
