/**
 * Addresses: of a sandbox on its server, where the id is the first segment of the path, as in
 * `/sbx_5mVwQx0c2LhT8Ryd/v1/pets`; and JSON pointers (RFC 6901) to a part of a specification: `#/paths/~1pets/get`.
 */

/** How the id of a sandbox begins. */
export const SANDBOX_PREFIX = 'sbx_';

/** A target without the address that it was sent to. */
interface Addressed {
  /** The id in it, which may be of no sandbox; `undefined` for a target that begins with none. */
  readonly address: string | undefined;
  readonly target: string;
}

/** A first segment that may begin like an id: RFC 3986 lets clients percent-encode any of its characters. */
const FIRST_SEGMENT = /^\/([s%][^/?#]*)\/?/;

/** Separates a target from the address of a sandbox. What only begins like an id is a mistyped one, and no path of the server. */
export function splitTarget(target: string): Addressed {
  if (!FIRST_SEGMENT.test(target)) return { address: undefined, target };
  const [matched = '', segment = ''] = FIRST_SEGMENT.exec(target) ?? [];
  const address = decoded(segment);
  if (!address.startsWith(SANDBOX_PREFIX)) return { address: undefined, target };
  return { address, target: `/${target.slice(matched.length)}` };
}

/** The parts of a target as sent. */
interface TargetParts {
  readonly path: string;
  /** What follows the first `?`; `undefined` without one. */
  readonly query: string | undefined;
}

/** Splits a target at its first `?`. */
export function partsOfTarget(target: string): TargetParts {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: undefined } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** The path of a target, as sent. */
export const pathOfTarget = (target: string): string => partsOfTarget(target).path;

/** The path of an address, without a slash at its end; empty without one. */
export const pathOfAddress = (address: string | null | undefined): string => (address ? `/${address}` : '');

/** The address of a server, from its own or that of a sandbox on it; neither with `/v1`. */
export const withoutAddress = (url: string): string => url.replace(/\/sbx_[^/]*$/, '');

/** A part of an address, decoded; empty if it cannot be. */
export function decoded(part: string): string {
  try {
    return part.includes('%') ? decodeURIComponent(part) : part;
  } catch {
    return '';
  }
}

/** A text, percent-encoded: half a surrogate pair, for which `encodeURIComponent` throws, as U+FFFD. */
export const percentEncoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'));

/** Characters that are invalid in an address, and that URL parsers drop or misinterpret. */
const STRAY = /[#\\\s]/;

/** Whether a part of an address is neither ambiguous nor malformed: its percent-encoding is whole. */
export const isReadable = (text: string): boolean => !STRAY.test(text) && (text === '' || decoded(text) !== '');

/** The pointer to what is at these names inside of a part. */
export const inside = (pointer: string, ...names: readonly string[]): string =>
  [pointer, ...names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');

/** @param path without the base path */
export const pointerTo = ({ path, method }: { readonly path: string; readonly method: string }): string =>
  inside('#/paths', path, method.toLowerCase());

/** The names in a pointer. @throws {URIError} */
export const namesInPointer = (pointer: string): string[] =>
  pointer.split('/').slice(1).map(decodeURIComponent).map(unescaped);

/** A name as it was before it became a part of a pointer. */
export const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** The part of a specification at a pointer; `undefined` if there is none. @throws {URIError} */
export const partAt = (document: unknown, pointer: string): unknown =>
  namesInPointer(pointer).reduce<unknown>(
    (node, name) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, name)
        ? (node as Record<string, unknown>)[name]
        : undefined,
    document,
  );
