/** The base addresses of the API in a HAR, and what of a URL lies behind them. */

import { SANDBOX_PREFIX } from '../../base/address.ts';
import { isOperationPath } from '../../base/api/specification.ts';
import { basePath } from '../../base/generated/facts.ts';
import { type HarEntry, HarError } from './har-source.ts';

/** A recording of one client has one or two. */
const MAX_BASES = 50;

/**
 * The addresses before the path of an operation, whatever the method: over all entries, because the first request may be
 * a wrong one.
 * @throws {HarError} for a file with too many
 */
export function basesIn(entries: readonly HarEntry[]): readonly string[] {
  const bases = new Set<string>();
  for (const { url } of entries) {
    const base = url === undefined ? undefined : baseOf(url);
    if (base !== undefined) bases.add(base);
    if (bases.size > MAX_BASES)
      throw new HarError(
        `the file has more than ${MAX_BASES} base addresses of the API; give those that count as base`,
      );
  }
  return [...bases];
}

function baseOf(text: string): string | undefined {
  const url = text.includes(`${basePath}/`) ? httpUrl(text) : undefined;
  if (url === undefined) return undefined;
  const { origin, pathname } = url;
  for (let at = pathname.indexOf(`${basePath}/`); at >= 0; at = pathname.indexOf(`${basePath}/`, at + 1)) {
    const end = at + basePath.length;
    if (isOperationPath(pathname.slice(end))) return origin + withoutSandbox(pathname.slice(0, end));
  }
  return undefined;
}

/** The path at the server of a sandbox: requests to its address and to the server's are of one API. */
const withoutSandbox = (path: string): string => path.replace(OF_SANDBOX, '');
const OF_SANDBOX = new RegExp(`/${SANDBOX_PREFIX}\\w*(?=${basePath}(?:/|$))`);

/** Parts of a path that are looked at. */
const MAX_PARTS = 50;

/** Whether a text that isn't a URL, like `{{host}}/pets`, ends in the path of an operation. */
export function looksLikeOperation(text: string): boolean {
  const parts = (text.trim().split(/[?#]/, 1)[0] as string).split('/', MAX_PARTS);
  return parts.some((_, index) => isOperationPath(`/${parts.slice(index).join('/')}`));
}

/** An absolute URL of HTTP; `undefined` for any other text, and for a template, like `https://{{host}}/v1/pets`. */
export function httpUrl(text: string): URL | undefined {
  if (!/^\s*https?:/i.test(text) || /^[^?#]*[{$]\{/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^[\w.:[\]-]+$/.test(url.hostname) ? url : undefined;
}

/** Path and query of a request as the API sees them, and the base address, which is the longest that fits. */
export function targetOf({ origin, pathname, search }: URL, bases: readonly string[]): LocatedTarget | undefined {
  const found = [pathname, withoutSandbox(pathname)].flatMap((path) => {
    const address = origin + path;
    const fitting = bases.filter((base) => address === base || address.startsWith(`${base}/`));
    return fitting.map((base) => ({ base, target: basePath + address.slice(base.length) + search }));
  });
  return found.sort((a, b) => b.base.length - a.base.length)[0];
}

export interface LocatedTarget {
  readonly base: string;
  readonly target: string;
}
