/** The recorded form of an `Authorization` header. */

/** A credential's placeholder, which passes Prism's check (`Bearer`, whitespace, at least one character). */
const STAND_IN = '…';

const SCHEMES = /^(?:bearer|basic|digest|token|apikey|negotiate)$/i;

/**
 * The header without its secret: `Bearer abc` becomes `Bearer …`, `bearer` stays unchanged. A first word that is not a
 * well-known scheme may itself be the key, sent without a scheme, and is hidden as well: `abc` becomes `…`.
 */
export function withoutCredential(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const [, scheme = '', space = '', rest = ''] = /^(\S*)(\s*)(.*)$/s.exec(authorization) ?? [];
  const shown = SCHEMES.test(scheme) ? scheme : STAND_IN;
  return rest === '' ? shown : `${shown}${space.charAt(0)}${STAND_IN}`;
}
