/** What is recorded of an `Authorization` header. */

/** A credential's stand-in: what Prism's check (`Bearer`, white space, at least one character) takes for the real one. */
const STAND_IN = '…';

const SCHEMES = /^(?:bearer|basic|digest|token|apikey|negotiate)$/i;

/**
 * The header without its secret: `Bearer abc` becomes `Bearer …`, `bearer` stays as it is. A first word that is no
 * well-known scheme may itself be the key, sent without one, and is hidden as well: `abc` becomes `…`.
 */
export function withoutCredential(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const [, scheme = '', space = '', rest = ''] = /^(\S*)(\s*)(.*)$/s.exec(authorization) ?? [];
  const shown = SCHEMES.test(scheme) ? scheme : STAND_IN;
  return rest === '' ? shown : `${shown}${space.charAt(0)}${STAND_IN}`;
}
