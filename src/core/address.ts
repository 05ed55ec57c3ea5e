/** The address of a sandbox on its server: the id is the first segment of the path, as in `/sbx_5mVwQx0c2LhT8Ryd/v1/pets`. */

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
  const [matched = '', segment = ''] = FIRST_SEGMENT.exec(target) ?? [];
  const address = segment.includes('%') ? decoded(segment) : segment;
  if (!address.startsWith(SANDBOX_PREFIX)) return { address: undefined, target };
  return { address, target: `/${target.slice(matched.length)}` };
}

/** The path of an address, without a slash at its end; empty without one. */
export const pathOfAddress = (address: string | null | undefined): string => (address ? `/${address}` : '');

/** The address of a server, from its own or that of a sandbox on it; neither with `/v1`. */
export const withoutAddress = (url: string): string => url.replace(/\/sbx_[^/]*$/, '');

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
