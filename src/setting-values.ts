/** How the texts of settings are read: each reader returns the value, or throws an error that says what it must be. */

/** A whole number in plain digits. */
export function integer(from: number, to: number) {
  return (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw new Error(`an integer from ${from} to ${to}; got ${JSON.stringify(text)}`);
  };
}

/** Bytes: `1048576`, `1MiB`. */
export function size(from: number, to: number) {
  return (text: string): number => {
    const parts = /^(\d{1,15})(KiB|MiB|GiB)?$/.exec(text);
    const value =
      Number(parts?.[1] ?? Number.NaN) * ({ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }[parts?.[2] ?? ''] ?? 1);
    if (value >= from && value <= to) return value;
    throw new Error(`a size from ${from} to ${to} bytes, like 1048576 or 1MiB; got ${JSON.stringify(text)}`);
  };
}

/** One of some words. */
export function oneOf(...values: readonly string[]) {
  return (text: string): string => {
    if (values.includes(text)) return text;
    throw new Error(`one of ${values.join(', ')}; got ${JSON.stringify(text)}`);
  };
}

/** Text of a form; `what` names it. */
export function matching(pattern: RegExp, what: string) {
  return (text: string): string => {
    if (pattern.test(text)) return text;
    throw new Error(`${what}; got ${JSON.stringify(text)}`);
  };
}

/** `true`, `1`, `yes` and their contraries. */
export function boolean(text: string): boolean {
  if (/^(?:1|true|yes)$/i.test(text)) return true;
  if (/^(?:0|false|no)$/i.test(text)) return false;
  throw new Error(`true or false; got ${JSON.stringify(text)}`);
}

/** A directory. After a flag without its value stands the next flag: `--data --memory`. */
export function directory(text: string): string {
  if (text !== '' && !text.startsWith('--')) return text;
  throw new Error(`a directory; got ${JSON.stringify(text)}`);
}

/** An http or https address; a stroke at its end is taken off. */
export function url(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.search + parsed.hash + parsed.username === '')
    return text.replace(/\/+$/, '');
  // One with a password in it must not be repeated.
  const got = text.includes('@') ? 'one with a user name or a password' : JSON.stringify(text);
  throw new Error(`an http or https address without query; got ${got}`);
}

/** An origin, as browsers send it. */
export function origin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new Error(`an origin like http://localhost:3000; got ${JSON.stringify(text)}`);
}

/** The value is a secret: the message must not repeat it. */
export function secret(text: string): string {
  if (/^[A-Za-z0-9\-._~+/]{16,256}={0,2}$/.test(text)) return text;
  throw new Error('16 to 256 characters of A-Z a-z 0-9 - . _ ~ + /');
}
