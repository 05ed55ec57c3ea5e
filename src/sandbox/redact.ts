/**
 * Takes secrets out of what is shown of exchanges. `Authorization` is never recorded, but a client may put its key into
 * an address, a body or a name by mistake.
 */
import type { Log } from '../log.ts';
import { KEY_SHAPE } from './keys.ts';

/** A text without secrets. */
export type Redact = (text: string) => string;

const STAND_IN = '[key]';

/**
 * @param secrets what is no key by its shape: fixed keys, the admin token. They are found as they are, percent-encoded
 *   as in addresses, and with `/` escaped as some write JSON. Long names are cut off with `…`, and a secret with them.
 */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), secret.replaceAll('/', '\\/')]);
  // The longest first: one secret may be the beginning of another.
  const all = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const pattern = new RegExp([KEY_SHAPE.source, ...all.map(asPattern), ...all.map(asBeginning)].join('|'), 'gi');
  return (text) => text.replace(pattern, STAND_IN);
}

/** JSON text of a value, without secrets in any of its strings. */
export const redactedJson = (value: unknown, redact: Redact): string =>
  JSON.stringify(value, (_name, member) => (typeof member === 'string' ? redact(member) : member));

/** A log that is never told a secret: whatever goes into it, but errors, goes through `redact` first. */
export function redactingLog(log: Log, redact: Redact): Log {
  const clean = (details: object): object =>
    Object.fromEntries(
      Object.entries(details).map(([name, member]) => [
        name,
        member instanceof Error || member === undefined ? member : JSON.parse(redactedJson(member, redact)),
      ]),
    );
  return {
    error: (details, message) => log.error(clean(details), redact(message)),
    warn: (details, message) => log.warn(clean(details), redact(message)),
    info: (details, message) => log.info(clean(details), redact(message)),
    debug: (details, message) => log.debug(clean(details), redact(message)),
  };
}

/** So few characters of a secret tell nothing of it. */
const SHORT = 4;

/** Finds the beginning of a secret where the text is cut off after it. */
function asBeginning(secret: string): string {
  const further = [...secret.slice(SHORT)];
  const nested = further.map((character) => `(?:${asPattern(character)}`).join('') + ')?'.repeat(further.length);
  return `${asPattern(secret.slice(0, SHORT))}${nested}(?=…)`;
}

const asPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
