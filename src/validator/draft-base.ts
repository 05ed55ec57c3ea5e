/** The base paths of a server of a draft. */

import { shorten } from '../core/text.ts';
import { isNode, type Node } from './operations.ts';

/** A server, as the paths that its address may have. */
export interface Base {
  /** The first is that of the defaults of its variables. */
  readonly paths: readonly string[];
  /** Why it may be any other. */
  readonly unknown?: string;
}

/** Paths by the values of variables. */
const MAX_BASE_PATHS = 100;
/** Characters of an address in a message. */
const MAX_ADDRESS = 200;

/** The base paths of a server. */
export function baseOf({ url, variables }: Node): Base {
  const address = String(url);
  const path = address.replace(/^[^/?#]*\/\/[^/?#]*/, '').replace(/[/?#]+$|[?#].*$/, '');
  let unknown = path === '' || path.startsWith('/') ? undefined : 'is relative to the address of the draft';
  let paths: readonly string[] = [''];
  for (const [at, part] of path.split(/\{([^{}]*)\}/).entries()) {
    const variable = isNode(variables) && at % 2 === 1 ? variables[part] : undefined;
    const { default: first, enum: all } = isNode(variable) ? variable : {};
    const values = at % 2 === 0 ? [part] : [first, ...(Array.isArray(all) ? all : [])];
    if (at % 2 === 1 && !Array.isArray(all)) unknown ??= `has the variable ${part}, of any value`;
    if (paths.length * values.length > MAX_BASE_PATHS) unknown ??= `has more than ${MAX_BASE_PATHS} addresses`;
    paths = paths.flatMap((before) => values.map((value) => before + String(value))).slice(0, MAX_BASE_PATHS);
  }
  return { paths, ...(unknown !== undefined && { unknown: `the server ${shorten(address, MAX_ADDRESS)} ${unknown}` }) };
}
