/**
 * Finds secrets in a text with an automaton (Aho and Corasick, 1975): its work is linear in the text, whatever the secrets
 * and the text are, and no expression is built from them.
 * A long secret is found by its head and then followed as far as the text goes on with it, so that a token of 4,000
 * characters takes no more memory than one of 64.
 */
import { isDamaged } from '../api/api-key.ts';
import { PREFIXES } from '../api/credential.ts';
import { namePart } from '../core/ids.ts';

/** A range of characters, `to` exclusive. */
export type Span = [from: number, to: number];

/** A secret with fewer letters and digits is found only verbatim; others also with anything between their letters. */
const FEWEST_LETTERS = 12;
/** Symbols of a head. */
const MAX_HEAD = 64;
/** A prefix of a secret, up to this length, reveals nothing. */
const SHORT = 4;
/** Secrets with the same head that are each followed to their ends. */
const MAX_FOLLOWED = 16;
/** Of an automaton, with 13 bytes for each. When half of them are used, secrets take as few as possible. */
const MAX_NODES = 2 ** 21;

/** Of ASCII. */
const SYMBOLS = 128;

const [BACKSLASH, TILDE, PERCENT, SMALL_U, MARK] = [0x5c, 0x7e, 0x25, 0x75, 0x2026];
const IN_ESCAPES = new Set([...'nrtbf'].map((letter) => letter.charCodeAt(0)));
/** Letters of issued keys after their prefix, and of the name of a server before them. */
const KEY_LETTERS = 33;
const NAME_LETTERS = 8;

/** The symbol of each ASCII character, 0 for none: letters and digits in small letters. */
const LETTERS = symbols((character) => /[0-9a-z]/i.test(character));
const ALL = symbols(() => true);
/** What a token may consist of: after a head, all of it is taken out. */
const OF_TOKEN = symbols((character) => /[\w.~+/=-]/.test(character));

function symbols(isOne: (character: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: SYMBOLS }, (_, code) => {
    const character = String.fromCharCode(code);
    return isOne(character) ? character.toLowerCase().charCodeAt(0) : 0;
  });
}

/** A form of a secret, as an automaton reads it. */
interface Word {
  readonly isVerbatim: boolean;
  /** The first symbols, which find it, and what they leave out. */
  readonly head: string;
  readonly rest: string;
  /** Other characters before the first letter, and after the last. */
  readonly before: string;
  readonly after: string;
}

function wordOf(form: string, most: number): Word {
  const [, before = '', inner = '', after = ''] = /^([^0-9a-z]*)(.*[0-9a-z])?([^0-9a-z]*)$/is.exec(form) ?? [];
  const letters = inner.replaceAll(/[^0-9a-z]/gi, '').toLowerCase();
  const isVerbatim = letters.length < FEWEST_LETTERS;
  const symbols = isVerbatim ? form.toLowerCase() : letters;
  const [head, rest] = [symbols.slice(0, most), symbols.slice(most)];
  return isVerbatim ? { isVerbatim, head, rest, before: '', after: '' } : { isVerbatim, head, rest, before, after };
}

/** More secrets than can be found: the caller must show nothing that may be one. */
export class TooManySecrets extends Error {
  override readonly name = 'TooManySecrets';
}

export class SecretSearch {
  readonly #letters: Automaton;
  readonly #verbatim: Automaton | undefined;

  /** @param secrets ASCII @throws {TooManySecrets} for more than about 80,000 */
  constructor(secrets: Iterable<string>) {
    const words: Word[] = [];
    let nodes = 0;
    for (const secret of new Set(secrets)) {
      const isBrief = nodes > MAX_NODES / 2;
      const forms = isBrief ? [secret] : [secret, ...base64Forms(secret)];
      const found = forms
        .filter((form) => form !== '')
        .map((form) => wordOf(form, isBrief ? FEWEST_LETTERS : MAX_HEAD));
      words.push(...found);
      for (const { head } of found) nodes += head.length;
      if (nodes > MAX_NODES) throw new TooManySecrets();
    }
    const verbatim = words.filter(({ isVerbatim }) => isVerbatim);
    const prefixes = PREFIXES.map((prefix) => prefix.replace('_', ''));
    this.#letters = new Automaton(
      words.filter(({ isVerbatim }) => !isVerbatim),
      prefixes,
    );
    this.#verbatim = verbatim.length === 0 ? undefined : new Automaton(verbatim);
  }

  /** The places of all secrets in a text. */
  find(text: string): Span[] {
    const spans: Span[] = [];
    // Escapes are between the letters of a secret, or are letters of it.
    if (text.includes('\\') || text.includes('~')) new Scan(text, this.#letters, ESCAPES, spans).run();
    new Scan(text, this.#letters, OTHERS, spans).run();
    if (this.#verbatim) new Scan(text, this.#verbatim, NOTHING, spans).run();
    return spans;
  }
}

/** A trie with links to the longest suffix of each node that is a node as well. Node 0 is its root. */
class Automaton {
  readonly #symbol: Uint8Array;
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #fail: Int32Array;
  readonly depth: Uint8Array;
  /** The longest suffix of each node that ends a head; 0 for none. */
  readonly ended: Int32Array;
  readonly words = new Map<number, Word[]>();
  /** Whether a node belongs to a secret: the prefix of issued keys is none. */
  readonly #isSecret: Uint8Array;
  /** The nodes after the root, and after those: nearly every search ends there. */
  readonly #shallow: Int32Array;
  /** Of nodes after the root; they are the first. */
  readonly #firsts: number;
  #nodes = 1;
  /** The places of the last symbols. A text is searched at once, so one list is enough. */
  readonly places = new Int32Array(MAX_HEAD);

  /** Ends of the prefixes of issued keys. */
  readonly #prefixes = new Set<number>();

  /** @param prefixes of issued keys, which are no secrets by themselves */
  constructor(words: readonly Word[], prefixes: readonly string[] = []) {
    const most = words.reduce((sum, { head }) => sum + head.length, 1 + prefixes.join('').length);
    this.#symbol = new Uint8Array(most);
    this.#isSecret = new Uint8Array(most);
    this.#child = new Int32Array(most);
    this.#sibling = new Int32Array(most);
    this.#fail = new Int32Array(most);
    this.depth = new Uint8Array(most);
    this.ended = new Int32Array(most);
    const firsts = new Set([...words.map(({ head }) => head), ...prefixes].map((head) => head.charCodeAt(0)));
    this.#firsts = firsts.size;
    this.#shallow = new Int32Array((firsts.size + 1) * SYMBOLS);
    for (const symbol of firsts) this.#shallow[symbol] = this.#grow(0, symbol);
    for (const prefix of prefixes) this.#prefixes.add(this.#add(prefix, false));
    for (const word of words) {
      const node = this.#add(word.head, true);
      const alike = this.words.get(node) ?? [];
      if (alike.length < MAX_FOLLOWED) alike.push(word);
      this.words.set(node, alike);
    }
    this.#link();
  }

  /** The node after a symbol. */
  next(node: number, symbol: number): number {
    let at = node;
    for (; at > this.#firsts; at = this.#fail[at] as number) {
      const child = this.#childOf(at, symbol);
      if (child !== 0) return child;
    }
    return this.#shallow[at * SYMBOLS + symbol] as number;
  }

  isPrefix(node: number): boolean {
    return this.#prefixes.has(node);
  }

  /** Symbols of the longest beginning of a secret that ends at a node. */
  beginning(node: number): number {
    let at = node;
    while (this.#isSecret[at] === 0 && at !== 0) at = this.#fail[at] as number;
    return this.depth[at] as number;
  }

  #childOf(node: number, symbol: number): number {
    if (node === 0) return this.#shallow[symbol] as number;
    let child = this.#child[node] as number;
    while (child !== 0 && this.#symbol[child] !== symbol) child = this.#sibling[child] as number;
    return child;
  }

  #add(head: string, isSecret: boolean): number {
    let node = 0;
    for (let at = 0; at < head.length; at++) {
      const symbol = head.charCodeAt(at);
      node = this.#childOf(node, symbol) || this.#grow(node, symbol);
      if (isSecret) this.#isSecret[node] = 1;
    }
    this.ended[node] = node;
    return node;
  }

  #grow(node: number, symbol: number): number {
    const child = this.#nodes;
    this.#nodes += 1;
    this.#symbol[child] = symbol;
    this.depth[child] = (this.depth[node] as number) + 1;
    if (node > 0) {
      this.#sibling[child] = this.#child[node] as number;
      this.#child[node] = child;
    }
    return child;
  }

  /** Breadth first, so that the links of shorter nodes are known. */
  #link(): void {
    const queue = new Int32Array(this.#nodes);
    let end = 0;
    for (let node = 1; node <= this.#firsts; node++) {
      queue[end++] = node;
      this.#shallow.copyWithin(node * SYMBOLS, 0, SYMBOLS);
    }
    for (let at = 0; at < end; at++) {
      const node = queue[at] as number;
      this.ended[node] ||= this.ended[this.#fail[node] as number] as number;
      for (let child = this.#child[node] as number; child !== 0; child = this.#sibling[child] as number) {
        const symbol = this.#symbol[child] as number;
        this.#fail[child] = this.next(this.#fail[node] as number, symbol);
        if (node <= this.#firsts) this.#shallow[node * SYMBOLS + symbol] = child;
        queue[end++] = child;
      }
    }
  }
}

interface Reading {
  readonly symbolOf: Uint8Array;
  /** What stands between the symbols of a secret: nothing, other characters, or also escapes such as `\n` and `~1`. */
  readonly skips: 'nothing' | 'others' | 'escapes';
}
const ESCAPES: Reading = { symbolOf: LETTERS, skips: 'escapes' };
const OTHERS: Reading = { symbolOf: LETTERS, skips: 'others' };
const NOTHING: Reading = { symbolOf: ALL, skips: 'nothing' };

/**
 * One reading of a text. The mark of a cut, which `shorten` sets, is never a part of a secret. Before it, the beginning of a
 * secret is one.
 */
class Scan {
  readonly #text: string;
  readonly #automaton: Automaton;
  readonly #reading: Reading;
  readonly #spans: Span[];
  #node = 0;
  /** Symbols within secrets so far. */
  #count = 0;
  /** Up to where the last long secret was followed. */
  #followed = 0;

  constructor(text: string, automaton: Automaton, reading: Reading, spans: Span[]) {
    this.#text = text;
    this.#automaton = automaton;
    this.#reading = reading;
    this.#spans = spans;
  }

  run(): void {
    const text = this.#text;
    const { symbolOf } = this.#reading;
    const { ended, places } = this.#automaton;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const symbol = code < SYMBOLS ? (symbolOf[code] as number) : 0;
      // Outside of a secret, what is between its symbols means nothing.
      if (this.#node !== 0 && (symbol === 0 || code === BACKSLASH || code === PERCENT || code === TILDE)) {
        const skipped = this.#between(at, code);
        at += skipped;
        if (skipped > 0) continue;
      }
      if (symbol === 0) continue;
      this.#node = this.#automaton.next(this.#node, symbol);
      if (this.#node === 0) continue;
      places[this.#count % MAX_HEAD] = at;
      this.#count += 1;
      const end = ended[this.#node] as number;
      if (end !== 0) this.#atEnd(end, at);
    }
  }

  /** @returns how many characters after this one belong to it */
  #between(at: number, code: number): number {
    if (code === MARK) {
      const length = this.#automaton.beginning(this.#node);
      if (length >= SHORT) mark(this.#spans, this.#startOf(length), at);
      this.#node = 0;
      return 0;
    }
    const { symbolOf, skips } = this.#reading;
    const skipped = cutOff(this.#text, at, code) || (skips === 'escapes' ? escapeAt(this.#text, at, code) : 0);
    if (skipped === 0 && skips === 'nothing' && !symbolOf[code]) this.#node = 0;
    return skipped;
  }

  /** The place of a symbol, as counted from the last one. */
  #startOf(length: number): number {
    return this.#automaton.places[(this.#count - length) % MAX_HEAD] as number;
  }

  /** A secret, its head or the prefix of a key ends here. */
  #atEnd(node: number, at: number): void {
    const [text, spans, reading] = [this.#text, this.#spans, this.#reading];
    const from = this.#startOf(this.#automaton.depth[node] as number);
    if (this.#automaton.isPrefix(node)) {
      const to = keyEnd(text, at + 1, reading.skips);
      if (to > 0) mark(spans, from, to);
    }
    const all = this.#automaton.words.get(node) ?? [];
    for (const { before, after, rest } of all) {
      if (rest !== '') continue;
      const start = text.slice(Math.max(0, from - before.length), from) === before ? from - before.length : from;
      mark(spans, start, text.startsWith(after, at + 1) ? at + 1 + after.length : at + 1);
    }
    const toFollow = at < this.#followed ? [] : all.filter(({ rest }) => rest !== '');
    if (toFollow.length === 0) return;
    this.#followed = tokenEnd(text, Math.max(...toFollow.map(({ rest }) => followSecret(text, at + 1, rest, reading))));
    mark(spans, from, this.#followed);
  }
}

/** Adds a span; one that overlaps the last one is a part of it. */
function mark(spans: Span[], from: number, to: number): void {
  const last = spans.at(-1);
  if (last === undefined || from > last[1] || to < last[0]) spans.push([from, to]);
  else {
    last[0] = Math.min(last[0], from);
    last[1] = Math.max(last[1], to);
  }
}

/** The characters after a `%` or a backslash, where the text was cut within an encoded character. */
function cutOff(text: string, at: number, code: number): number {
  if (code !== PERCENT && code !== BACKSLASH) return 0;
  const isUnicode = code === BACKSLASH && text.charCodeAt(at + 1) === SMALL_U;
  let to = isUnicode ? at + 2 : at + 1;
  const most = to + (code === PERCENT ? 1 : isUnicode ? 3 : 0);
  while (to < most && isHex(text.charCodeAt(to))) to += 1;
  return text.charCodeAt(to) === MARK ? to - at - 1 : 0;
}

const isHex = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);

/** The characters of an escape after its first one: `/` is `~1` in a JSON pointer, a long line is broken by `\n`. */
function escapeAt(text: string, at: number, code: number): number {
  const next = text.charCodeAt(at + 1);
  if (code === BACKSLASH) return IN_ESCAPES.has(next) ? 1 : 0;
  return code === TILDE && (next === 0x30 || next === 0x31) ? 1 : 0;
}

/** How far a text goes on with symbols. */
function followSecret(text: string, from: number, rest: string, { symbolOf, skips }: Reading): number {
  let matched = 0;
  let end = from;
  for (let at = from; at < text.length && matched < rest.length; at++) {
    const code = text.charCodeAt(at);
    if (code === MARK) return at;
    const escaped = skips === 'escapes' ? escapeAt(text, at, code) : 0;
    const symbol = escaped === 0 && code < SYMBOLS ? (symbolOf[code] as number) : 0;
    at += escaped;
    if (symbol === 0) {
      if (skips === 'nothing') break;
      continue;
    }
    if (symbol !== rest.charCodeAt(matched)) break;
    matched += 1;
    end = at + 1;
  }
  return end;
}

function tokenEnd(text: string, from: number): number {
  let to = from;
  while (to < text.length && (OF_TOKEN[text.charCodeAt(to)] ?? 0) !== 0) to += 1;
  return to;
}

/** The most characters of a key that is split. */
const MAX_SPLIT_KEY = 256;

/**
 * Where an issued key ends whose prefix ends before `from`; 0 if none is there. Its checksum decides. Of a key that was cut,
 * its letters do: words of a sentence have blanks between them, and mix no digits and capitals.
 */
function keyEnd(text: string, from: number, skips: Reading['skips']): number {
  const near = text.slice(from, from + MAX_SPLIT_KEY);
  const cut = near.indexOf('…');
  const whole = (cut < 0 ? near : near.slice(0, cut)).replace(/(?:%[0-9a-f]?|\\u?[0-9a-f]{0,3})$/i, '');
  const plain = skips === 'escapes' ? whole.replaceAll(/\\[nrtbf]|~[01]/g, '\n\n') : whole;
  const start = /^[^0-9a-z]*_[^0-9a-z]*/i.exec(plain)?.[0].length;
  if (start === undefined) return 0;
  let letters = '';
  for (let at = start; at < plain.length; at++) {
    if (!LETTERS[plain.charCodeAt(at)]) continue;
    letters += plain[at];
    if (letters.length >= KEY_LETTERS && isKey(letters)) return from + at + 1;
    if (letters.length === KEY_LETTERS + NAME_LETTERS) return 0;
  }
  return cut >= 0 && letters !== '' && !isSentence(plain.slice(start)) ? from + cut : 0;
}

/** @param letters after the prefix: those of the server's name, if it has one, and those of the key */
function isKey(letters: string): boolean {
  const name = letters.slice(0, -KEY_LETTERS);
  return PREFIXES.some((prefix) => !isDamaged(prefix + namePart(name || undefined) + letters.slice(name.length)));
}

/** Whether words follow, with blanks between them: of small letters, or with a first capital, or numbers. A key mixes them. */
const isSentence = (text: string): boolean =>
  /[0-9a-z][^0-9a-z\r\n]* [^0-9a-z\r\n]*[0-9a-z]/i.test(text) &&
  text.split(/[^0-9a-z]+/i).every((word) => /^(?:[a-z]?[a-z]*|[A-Z][a-z]*|[0-9]+)$/.test(word));

/**
 * The base64 of a text for each of the three alignments to a group of three bytes, without the first and last
 * character, which depend on adjacent bytes.
 */
export function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.byteLength(text);
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + text).toString('base64');
    return encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes) * 8) / 6));
  });
}
