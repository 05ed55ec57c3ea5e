/** JSON pointers (RFC 6901) into a specification: `#/paths/~1pets/get`. */

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
