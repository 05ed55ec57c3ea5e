/** The base paths of a server of a draft. */

import { SpecificationError } from '../api/errors.ts';
import { isNode, type Node } from './operations.ts';

/** Characters of an address, and of a value of a variable. */
export const MAX_ADDRESS = 500;
/** Of an address. */
export const MAX_VARIABLES = 10;

/** The base path of a server. */
export interface Base {
  /** Matches it at the beginning of a path. */
  readonly pattern: RegExp;
  /** With the defaults of its variables. */
  readonly path: string;
  /** Why it may be any other. */
  readonly unknown?: string;
}

/** @throws {SpecificationError} for an address that is too long */
export function baseOf({ url, variables }: Node): Base {
  const address = String(url);
  const path = address.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[/?#]+$|[?#].*$/, '');
  const described = isNode(variables) ? variables : {};
  const parts = path.split(/\{([^{}]*)\}/);
  if (address.length > MAX_ADDRESS || parts.length > 2 * MAX_VARIABLES + 1)
    throw new SpecificationError(
      `servers/url: an address has at most ${MAX_ADDRESS} characters and ${MAX_VARIABLES} variables`,
    );
  let free: string | undefined;
  const valuesOf = (name: string): string[] => {
    const variable = Object.hasOwn(described, name) && isNode(described[name]) ? described[name] : {};
    if (!Array.isArray(variable['enum'])) free ??= name;
    const values = [variable['default'], ...(Array.isArray(variable['enum']) ? variable['enum'] : [])].map(String);
    if (values.some((each) => each.length > MAX_ADDRESS))
      throw new SpecificationError(`servers/variables: a value has at most ${MAX_ADDRESS} characters`);
    return values;
  };
  const choices = parts.map((part, at) => (at % 2 === 0 ? [part] : valuesOf(part)));
  const pattern = choices.map((each) => `(?:${each.map(escaped).join('|')})`).join('');
  const unknown =
    free !== undefined
      ? `the server ${address} has the variable ${free}, of any value`
      : path !== '' && !path.startsWith('/')
        ? `the server ${address} is relative to the address of the draft`
        : undefined;
  return {
    pattern: new RegExp(`^${pattern}(?=/|$)`),
    path: choices.map(([first = '']) => first).join(''),
    ...(unknown !== undefined && { unknown }),
  };
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
