/**
 * Finds the entries of an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/) one by one while its bytes
 * arrive, so that a large file needs no more memory than its largest entry. Method and address of an entry are read
 * without parsing it: requests to other addresses may have any size and form.
 */
import { StringDecoder } from 'node:string_decoder';
import { HarError } from './har-file.ts';

/** One item of `log.entries`. */
export interface HarEntry {
  readonly index: number;
  /** What `request` has as strings; the beginning of a very long one. */
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** Its JSON; `undefined` if that is too large or too deep, or not wanted. */
  readonly text: string | undefined;
}

/** What an archive says of itself. */
export interface HarArchive {
  /** Requests that its recorder had, and that are not in it: `_missing`, as this server writes it. */
  missing: number;
}

/** Bytes of an entry that is parsed. */
export const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
/** Levels within an entry that is parsed. */
export const MAX_ENTRY_DEPTH = 100;
/** Bytes that are read of an address. */
const MAX_STRING = 64 * 1024;

/** Depths of `{"log":{"entries":[{"request":{`. */
const [LOG, LIST, ENTRY, REQUEST] = [2, 3, 4, 5];
const MAX_MISSING = 1_000_000_000;
/** ASCII. */
const [ZERO, NINE] = [0x30, 0x39];
const [SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * @param parts UTF-8
 * @param options `withText: false` for method and address alone; `archive` is filled in
 * @throws {HarError} if it isn't a HAR
 */
export async function* entriesIn(
  parts: AsyncIterable<Buffer>,
  { withText, archive }: { readonly withText: boolean; readonly archive?: HarArchive },
): AsyncGenerator<HarEntry> {
  const scanner = new Scanner(withText);
  for await (const part of parts) yield* scanner.add(part);
  scanner.end();
  if (archive) archive.missing = scanner.missing;
}

/** Follows strings and nesting, byte by byte. */
class Scanner {
  readonly #withText: boolean;
  missing = 0;
  #depth = 0;
  #isOver = false;
  #isInString = false;
  #isEscaped = false;
  /** The last string, as far as it is wanted. */
  #string = '';
  #isStringWanted = false;
  /** Whether the next string is a value. */
  #isValue = false;
  /** The name at each depth, down to those in a request. */
  readonly #names: string[] = [];
  #isInList = false;
  #hasList = false;
  /** What the present part has, and where the present entry and string begin in it. */
  #found: HarEntry[] = [];
  #entryAt = -1;
  #stringAt = 0;
  /** Whether the present item of the list has begun. */
  #hasBegun = false;
  #index = 0;
  #method: string | undefined;
  #url: string | undefined;
  #deepest = 0;
  /** The beginning of an entry that goes on in the next part: as text, because parts share their memory. */
  #text = '';
  readonly #decoder = new StringDecoder('utf8');
  #bytes = 0;

  constructor(withText: boolean) {
    this.#withText = withText;
  }

  /** The entries that end in this part. */
  add(part: Buffer): readonly HarEntry[] {
    this.#found = [];
    this.#entryAt = this.#isInList && this.#depth >= ENTRY ? 0 : -1;
    this.#stringAt = 0;
    for (let at = 0; at < part.length; at += 1) {
      if (this.#isInString) at = this.#readString(part, at);
      else if ((part[at] as number) > SPACE) this.#readToken(part, at);
    }
    if (this.#entryAt >= 0) this.#keep(part.subarray(this.#entryAt));
    return this.#found;
  }

  /** @throws {HarError} */
  end(): void {
    if (this.#depth > 0 || this.#isInString) throw new HarError('the file was cut: it ends within the archive');
    if (!this.#hasList) throw new HarError('this is no HAR: it has no list log.entries');
  }

  #readToken(part: Buffer, at: number): void {
    const byte = part[at];
    switch (byte) {
      case QUOTE:
        this.#beginItem();
        this.#isInString = true;
        this.#isStringWanted = this.#wantsString();
        this.#string = '';
        this.#stringAt = at + 1;
        break;
      case COLON:
        if (this.#depth <= REQUEST) this.#names[this.#depth] = this.#string;
        this.#isValue = true;
        break;
      case COMMA:
        this.#isValue = false;
        if (this.#depth === LIST) this.#hasBegun = false;
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.#open(byte);
        if (this.#isInList && this.#depth === ENTRY) this.#entryAt = at;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (this.#isInList && this.#depth === ENTRY) {
          this.#keep(part.subarray(this.#entryAt, at + 1));
          this.#entryAt = -1;
          this.#take();
        }
        this.#close();
        break;
      default:
        if (this.#depth === 0) throw notJson();
        if (this.#isMissing() && byte !== undefined && byte >= ZERO && byte <= NINE)
          this.missing = Math.min(this.missing * 10 + byte - ZERO, MAX_MISSING);
        this.#beginItem();
    }
  }

  /** Returns the place of the quotation mark at the end, or the last place of the part. */
  #readString(part: Buffer, from: number): number {
    let at = from;
    let isEscaped = this.#isEscaped;
    for (; at < part.length; at += 1) {
      const byte = part[at];
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) break;
    }
    this.#isEscaped = isEscaped;
    this.#isInString = at === part.length;
    if (this.#isStringWanted) this.#addToString(part, at);
    return at;
  }

  #wantsString(): boolean {
    if (this.#depth > REQUEST) return false;
    if (!this.#isValue) return true;
    return this.#isOfRequest() && (this.#names[REQUEST] === 'url' || this.#names[REQUEST] === 'method');
  }

  #isOfRequest(): boolean {
    return this.#isInList && this.#depth === REQUEST && this.#names[ENTRY] === 'request';
  }

  #addToString(part: Buffer, to: number): void {
    const room = MAX_STRING - this.#string.length;
    this.#string += part.toString('latin1', this.#stringAt, Math.min(to, this.#stringAt + room));
    if (this.#isInString || !this.#isValue) return;
    if (this.#names[REQUEST] === 'url') this.#url = textOfString(this.#string);
    else this.#method = textOfString(this.#string);
  }

  #isMissing(): boolean {
    return this.#depth === LOG && this.#isValue && this.#names[1] === 'log' && this.#names[LOG] === '_missing';
  }

  /** An item of the list that is neither an object nor a list has no content. */
  #beginItem(): void {
    if (this.#isInList && this.#depth === LIST && !this.#hasBegun) this.#take();
  }

  #open(byte: number): void {
    if (this.#isOver || (this.#depth === 0 && byte !== OPEN_OBJECT)) throw notJson();
    const isList = this.#depth === LOG && byte === OPEN_LIST;
    if (isList && this.#names[1] === 'log' && this.#names[LOG] === 'entries') {
      this.#isInList = true;
      this.#hasList = true;
      this.#hasBegun = false;
    }
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
    if (this.#depth <= REQUEST) this.#names[this.#depth] = '';
    this.#isValue = byte === OPEN_LIST;
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#depth < 0) throw new HarError('this is no HAR: it is not valid JSON');
    if (this.#depth < LIST) this.#isInList = false;
    this.#isOver = this.#depth === 0;
  }

  #keep(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (!this.#withText) return;
    const isKept = this.#bytes <= MAX_ENTRY_BYTES && this.#deepest <= ENTRY + MAX_ENTRY_DEPTH;
    this.#text = isKept ? this.#text + this.#decoder.write(bytes) : '';
  }

  #take(): void {
    const rest = this.#decoder.end();
    const isKept = this.#withText && this.#bytes <= MAX_ENTRY_BYTES && this.#deepest <= ENTRY + MAX_ENTRY_DEPTH;
    this.#found.push({
      index: this.#index,
      method: this.#method,
      url: this.#url,
      text: isKept ? this.#text + rest : undefined,
    });
    this.#index += 1;
    this.#method = undefined;
    this.#url = undefined;
    this.#deepest = 0;
    this.#text = '';
    this.#bytes = 0;
    this.#hasBegun = true;
  }
}

const notJson = (): HarError => new HarError('this is no HAR: it must be one JSON object');

/** The text of a string of JSON, which may have been cut, in UTF-8 that was read as Latin-1. */
function textOfString(string: string): string | undefined {
  const text = Buffer.from(string, 'latin1').toString('utf8');
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-f]{0,3})?$/i, '$1')}"`) as string;
  } catch {
    return undefined;
  }
}
