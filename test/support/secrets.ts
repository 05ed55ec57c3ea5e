/** How a client may write a secret, and whether a text still shows a piece of one. Knows nothing of how the server looks. */

import { createHash } from 'node:crypto';

const hex = (character: string): string => (character.codePointAt(0) as number).toString(16).padStart(2, '0');

/** Ways to write a text so that some program reads it back. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'percent-encoded in small letters': (text) => text.replaceAll(/./gs, (each) => `%${hex(each)}`),
  'percent-encoded in capitals': (text) => text.replaceAll(/./gs, (each) => `%${hex(each).toUpperCase()}`),
  'percent-encoded in part': (text) =>
    [...text].map((each, at) => (at % 3 === 1 || !/\w/.test(each) ? `%${hex(each)}` : each)).join(''),
  'percent-encoded twice': (text) => text.replaceAll(/./gs, (each) => `%25${hex(each)}`),
  'escaped as in JSON': (text) => text.replaceAll(/./gs, (each) => `\\u${hex(each).padStart(4, '0')}`),
  'escaped as in JSON, in part': (text) =>
    [...text].map((each, at) => (at % 2 === 0 ? `\\u${hex(each).padStart(4, '0')}` : each)).join(''),
  'with other letters': (text) =>
    text.replaceAll(/[a-z]/gi, (each, at: number) => (at % 2 ? each.toUpperCase() : each)),
  'in base64': (text) => Buffer.from(`Bearer ${text}`).toString('base64'),
};

/** So many characters of a secret in a row are a piece of it. */
const PIECE = 12;
/** A piece has a whole half of this length at one of the places that are as far apart, so only those are looked up. */
const HALF = PIECE / 2;

/** The first piece of the secret that a text shows in any encoding; `undefined` where it shows none. */
export function pieceIn(text: string, secret: string): string | undefined {
  const { pieces, halves } = partsOf(secret);
  for (const view of viewsOf(text.toLowerCase())) {
    for (let half = 0; half + HALF <= view.length; half += HALF) {
      if (!halves.has(view.slice(half, half + HALF))) continue;
      for (let at = Math.max(0, half - HALF); at <= half; at++) {
        const piece = view.slice(at, at + PIECE);
        if (pieces.has(piece)) return `${piece} in …${around(view, piece)}…`;
      }
    }
  }
  return undefined;
}

interface Parts {
  readonly pieces: ReadonlySet<string>;
  readonly halves: ReadonlySet<string>;
}

/** The parts of each secret that was looked for: many texts are searched for the same ones. */
const known = new Map<string, Parts>();

function partsOf(secret: string): Parts {
  const before = known.get(secret);
  if (before !== undefined) return before;
  const forms = [secret, ...[0, 1, 2].map((bytes) => base64After(bytes, secret))].map((each) => each.toLowerCase());
  const parts = (length: number): ReadonlySet<string> =>
    new Set(
      forms.flatMap((form) =>
        Array.from({ length: Math.max(0, form.length - length + 1) }, (_, at) => form.slice(at, at + length)),
      ),
    );
  const found = { pieces: parts(PIECE), halves: parts(HALF) };
  known.set(secret, found);
  return found;
}

/** Base64 of a text that begins in the middle of a group of three bytes, without what depends on its neighbors. */
function base64After(before: number, text: string): string {
  const encoded = Buffer.from('\0'.repeat(before) + text).toString('base64');
  return encoded.slice([0, 2, 3][before]).replace(/.?=*$/, '');
}

/** The text as it is, and decoded until nothing changes. */
function viewsOf(text: string): string[] {
  const views = [text];
  for (let view = text, round = 0; round < 4; round++) {
    const next = view
      .replaceAll(/%([0-7][0-9a-f])/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)).toLowerCase(),
      )
      .replaceAll(/\\+u00([0-7][0-9a-f])/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)).toLowerCase(),
      )
      .replaceAll('\\/', '/')
      .replaceAll('~1', '/');
    if (next === view) break;
    views.push(next);
    view = next;
  }
  return views;
}

function around(view: string, piece: string): string {
  const at = view.indexOf(piece);
  return view.slice(Math.max(0, at - 60), at + 60);
}

/** Characters of base64, the same for the same seed. */
export const random = (length: number, seed: number): string =>
  createHash('shake256', { outputLength: length }).update(String(seed)).digest('base64url').slice(0, length);

/** A JWT as an issuer writes them: the header is that of every other, the payload begins alike. */
export const jwt = (length: number): string => {
  const head = [
    { alg: 'RS256', typ: 'JWT' },
    { iss: 'https://login.example.com', sub: length },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${head}${random(length - head.length - 43, length)}.${random(42, -length)}`;
};
