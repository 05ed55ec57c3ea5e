/** Readers for the texts of settings: each returns the value, or throws an error that states the valid form. */
import { isAndGiven, suggestionFor } from '../text.ts';

/** One setting: its name on each level, and how its text is read. */
export interface Setting {
  /** With its argument, as in the help: `--port <port>`. Without an argument it is a switch. */
  readonly flag: string;
  readonly variable: string;
  readonly help: string;
  /** May be repeated as a flag; in the environment its values are separated by commas. */
  readonly many?: boolean;
  /** The default value, as text. */
  readonly default?: string;
  /** What the help shows if there is no default value. */
  readonly whenUnset?: string;
  /** All values, where there are a few. */
  readonly choices?: readonly string[];
  read(text: string): unknown;
}

/** An integer in plain digits. */
export function integer(from: number, to: number) {
  return (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw new Error(isAndGiven(`an integer from ${from} to ${to}`, text, 20));
  };
}

/** A size in bytes: `1048576`, `1MiB`. */
export function size(from: number, to: number) {
  return (text: string): number => {
    const parts = /^(\d{1,15})(KiB|MiB|GiB)?$/.exec(text);
    const value =
      Number(parts?.[1] ?? Number.NaN) * ({ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }[parts?.[2] ?? ''] ?? 1);
    if (value >= from && value <= to) return value;
    throw new Error(isAndGiven(`a size from ${from} to ${to} bytes, like 1048576 or 1MiB`, text, 20));
  };
}

/** Text that matches a pattern; `what` names the form. */
export function matching(pattern: RegExp, what: string) {
  return (text: string): string => {
    if (pattern.test(text)) return text;
    throw new Error(isAndGiven(what, text));
  };
}

/** `true`, `1`, `yes` and their opposites. */
export function boolean(text: string): boolean {
  if (/^(?:1|true|yes)$/i.test(text)) return true;
  if (/^(?:0|false|no)$/i.test(text)) return false;
  throw new Error(isAndGiven('true or false', text, 20));
}

/** A path. A flag with its value missing takes the next flag instead: `--data --memory`. */
export const path = (what: string) => matching(/^(?!--).*\S/s, what);

/** An http or https URL; a trailing slash is removed. */
export function url(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.search + parsed.hash + parsed.username === '')
    return text.replace(/\/+$/, '');
  throw new Error(isAndGiven('an http or https address without user name, password or query', text));
}

/** An origin, as browsers send it. */
export function origin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new Error(isAndGiven('an origin like http://localhost:3000', text));
}

/** A header that carries a credential would put it into the request log. */
const OF_CREDENTIALS = /auth|cookie|key|token|secret|passw|credential|session|signature|jwt/i;

/** Headers of a connection or of the form of a message, which say nothing of a client. */
const OF_TRANSMISSION =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*|proxy-.*)$/i;

/** The name of a header that the request log may keep. */
export function headerName(text: string): string {
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i.test(text))
    throw new Error(isAndGiven('the name of a header like X-Tenant-Id', text));
  if (text.toLowerCase() !== 'idempotency-key' && OF_CREDENTIALS.test(text))
    throw new Error(isAndGiven('a header that carries no credential', text));
  if (OF_TRANSMISSION.test(text)) throw new Error(isAndGiven('a header of the client, not of the connection', text));
  return text;
}

/** The value is a secret, so the message must not repeat it. */
export function secret(text: string): string {
  if (/^[A-Za-z0-9\-._~+/]{16,256}={0,2}$/.test(text)) return text;
  throw new Error('is 16 to 256 characters of A-Z a-z 0-9 - . _ ~ + /');
}

/** The members of a setting with a few values. */
export const choice = <const Value extends string>(...choices: readonly Value[]) => ({
  choices,
  read: (text: string): Value => {
    const value = choices.find((choice) => choice === text);
    if (value !== undefined) return value;
    throw new Error(`${isAndGiven(`one of ${choices.join(', ')}`, text, 20)}${suggestionFor(text, choices)}`);
  },
});
