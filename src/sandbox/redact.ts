/**
 * Takes secrets out of what is shown of exchanges. `Authorization` is never recorded, but a client may put its key into
 * an address, a body or a name by mistake.
 */
import { KEY_SHAPE } from './keys.ts';

/** A text without secrets. */
export type Redact = (text: string) => string;

const STAND_IN = '[key]';

/**
 * @param secrets what is no key by its shape: fixed keys, the admin token. They are found as they are, percent-encoded
 *   as in addresses, and with `/` escaped as some write JSON.
 */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), secret.replaceAll('/', '\\/')]);
  // The longest first: one secret may be the beginning of another.
  const all = [...new Set(forms)].sort((a, b) => b.length - a.length).map(asPattern);
  const pattern = new RegExp([KEY_SHAPE.source, ...all].join('|'), 'gi');
  return (text) => text.replace(pattern, STAND_IN);
}

/** JSON text of a value, without secrets in any of its strings. */
export const redactedJson = (value: unknown, redact: Redact): string =>
  JSON.stringify(value, (_name, member) => (typeof member === 'string' ? redact(member) : member));

const asPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
