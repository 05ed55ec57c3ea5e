/** How a client may write a secret, and whether a text still shows a piece of one. Knows nothing of how the server looks. */

import { createHash } from 'node:crypto';

const hex = (character: string): string => (character.codePointAt(0) as number).toString(16).padStart(2, '0');

const percent = (each: string): string => `%${hex(each)}`;

/** Ways to write a secret of the settings. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'with other letters': (text) =>
    text.replaceAll(/[a-z]/gi, (each, at: number) => (at % 2 ? each.toUpperCase() : each)),
  'percent-encoded in small letters': (text) => text.replaceAll(/./gs, percent),
  'percent-encoded in capitals': (text) => text.replaceAll(/./gs, (each) => percent(each).toUpperCase()),
  'percent-encoded in part': (text) =>
    [...text].map((each, at) => (at % 3 === 1 || !/\w/.test(each) ? percent(each) : each)).join(''),
  'with escaped slashes': (text) => text.replaceAll('/', '\\/'),
  'as an unencoded query shows it': (text) => text.replaceAll('+', ' ').replace(/=+$/, ''),
};

/** The ways in which a secret is found: an issued key has only letters, digits and `_`, which nobody encodes. */
export const waysToWrite = (secret: string): readonly (readonly [how: string, text: string])[] =>
  Object.entries(ENCODINGS)
    .slice(0, secret.startsWith('petsb') ? 2 : undefined)
    .map(([how, encode]) => [how, encode(secret)]);

/** So many characters of a secret in a row are a piece of it. */
const PIECE = 12;
/** A piece has a whole half of this length at one of the places that are as far apart, so only those are looked up. */
const HALF = PIECE / 2;

/** The first piece of the secret that a text shows, percent-encoded or not; `undefined` where it shows none. */
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
  const small = secret.toLowerCase();
  const parts = (length: number): ReadonlySet<string> =>
    new Set(Array.from({ length: Math.max(0, small.length - length + 1) }, (_, at) => small.slice(at, at + length)));
  const found = { pieces: parts(PIECE), halves: parts(HALF) };
  known.set(secret, found);
  return found;
}

/** The text as it is, and as a reader may decode it. */
const viewsOf = (text: string): string[] => [
  text,
  text
    .replaceAll(/%([0-7][0-9a-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)).toLowerCase())
    .replaceAll('\\/', '/')
    .replaceAll(' ', '+'),
];

function around(view: string, piece: string): string {
  const at = view.indexOf(piece);
  return view.slice(Math.max(0, at - 60), at + 60);
}

/** Characters of base64, the same for the same seed. */
const random = (length: number, seed: number): string =>
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
