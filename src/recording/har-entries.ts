/**
 * Finds the entries of an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/) one by one while its text
 * arrives, so that a large file needs no more memory than its largest entry.
 */

/** A file that isn't a HAR. The message says what is wrong, and where. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

export type Fields = Readonly<Record<string, unknown>>;

/** One item of `log.entries`. */
export interface HarEntry {
  readonly index: number;
  /** `undefined` if it is too large, or too deep; empty for what is no object. */
  readonly fields: Fields | undefined;
  /** The address in its request, which is also known of a large one if it stands at its beginning. */
  readonly url: string | undefined;
}

/** What an archive says of itself. */
export interface HarArchive {
  /** Requests that its recorder had, and that are not in it: `_missing`, as this server writes it. */
  missing: number;
}

/** Characters of an entry that is parsed, and levels within it. */
export const MAX_ENTRY = 4 * 1024 * 1024;
export const MAX_ENTRY_DEPTH = 100;
/** Characters of all that is not in an entry. */
const MAX_FRAME = 16 * 1024 * 1024;
const MAX_MISSING = 1_000_000_000;
/** Depths within `{"log":{"entries":[`. */
const [LOG, LIST] = [2, 3];
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** What stands before the two values that lead to the list, and how much of it is looked at. */
const [AFTER_LOG, AFTER_ENTRIES] = [/"log"\s*:\s*$/, /"entries"\s*:\s*$/];
const BEFORE = 40;

/** @throws {HarError} if it isn't a HAR */
export async function* entriesIn(text: AsyncIterable<string>, archive?: HarArchive): AsyncGenerator<HarEntry> {
  const scanner = new Scanner();
  for await (const part of text) yield* scanner.add(part);
  const missing = scanner.end();
  if (archive) archive.missing = missing;
}

/** Follows strings and nesting, and cuts a file into the items of its list and the frame around them. */
class Scanner {
  /** The file with an empty list; its end alone, because to look into all of it would copy it. */
  #frame = '';
  #frameEnd = '';
  /** The present item. */
  #item = '';
  #depth = 0;
  #deepest = 0;
  #index = 0;
  #isInString = false;
  #isEscaped = false;
  #isInLog = false;
  #isInList = false;
  /** What the present part has, and where what is not kept of it begins. */
  #found: HarEntry[] = [];
  #from = 0;

  /** The entries that end in this part. */
  add(text: string): readonly HarEntry[] {
    if (this.#frame === '' && !/^\s*(?:\{|$)/.test(text)) throw notJson();
    this.#found = [];
    this.#from = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (this.#isInString) at = this.#endOfString(text, at);
      else this.#read(text, at);
    }
    this.#keep(text.slice(this.#from));
    return this.#found;
  }

  #read(text: string, at: number): void {
    switch (text[at]) {
      case '"':
        this.#isInString = true;
        return;
      case '{':
      case '[':
        this.#depth += 1;
        this.#deepest = Math.max(this.#deepest, this.#depth);
        if (this.#depth === LOG) this.#isInLog = this.#isAfter(AFTER_LOG, text, at);
        if (this.#depth === LIST && this.#isInLog && this.#isAfter(AFTER_ENTRIES, text, at)) this.#beginList(text, at);
        return;
      case ',':
        if (this.#isInList && this.#depth === LIST) this.#take(text, at, true);
        return;
      case '}':
      case ']':
        if (this.#isInList && this.#depth === LIST) {
          this.#take(text, at, false);
          this.#isInList = false;
        }
        this.#depth -= 1;
        if (this.#depth < 0) throw notJson();
    }
  }

  /** The place of the quotation mark, or the last place of the part. */
  #endOfString(text: string, from: number): number {
    let isEscaped = this.#isEscaped;
    let at = from;
    for (; at < text.length; at += 1) {
      const sign = text.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (sign === BACKSLASH) isEscaped = true;
      else if (sign === QUOTE) break;
    }
    this.#isEscaped = isEscaped;
    this.#isInString = at === text.length;
    return at;
  }

  /** @returns the number of requests that are missing @throws {HarError} */
  end(): number {
    if (this.#depth > 0 || this.#isInString) throw new HarError('the file was cut: it ends within the archive');
    const { entries, _missing } = parsedOr(this.#frame, notJson)?.log ?? {};
    // A list that is left in the frame has a name that was not seen: in escapes, or far before its list.
    if (!Array.isArray(entries) || entries.length > 0) throw new HarError('this is no HAR: it has no list log.entries');
    return Number.isInteger(_missing) ? Math.min(Math.max(0, _missing), MAX_MISSING) : 0;
  }

  /** What is no list is an error at the end. */
  #beginList(text: string, at: number): void {
    this.#keep(text.slice(this.#from, at + 1));
    this.#from = at + 1;
    this.#isInList = true;
    this.#deepest = LIST;
  }

  #isAfter(name: RegExp, text: string, at: number): boolean {
    return name.test(at < BEFORE ? this.#frameEnd + text.slice(0, at) : text.slice(at - BEFORE, at));
  }

  #keep(text: string): void {
    if (!this.#isInList) {
      this.#frame += text;
      this.#frameEnd = (this.#frameEnd + text.slice(-BEFORE)).slice(-BEFORE);
      if (this.#frame.length > MAX_FRAME)
        throw new HarError(`besides its entries, it has more than ${MAX_FRAME.toLocaleString('en')} characters`);
    } else if (this.#item.length <= MAX_ENTRY) this.#item += text;
  }

  /** The present item ends here. */
  #take(part: string, at: number, isFollowed: boolean): void {
    this.#keep(part.slice(this.#from, at));
    this.#from = isFollowed ? at + 1 : at;
    const text = this.#item;
    const isReadable = text.length <= MAX_ENTRY && this.#deepest <= LIST + 1 + MAX_ENTRY_DEPTH;
    this.#item = '';
    this.#deepest = LIST;
    // An empty list.
    if (this.#index === 0 && !isFollowed && isReadable && text.trim() === '') return;
    const index = this.#index++;
    if (!isReadable) {
      this.#found.push({ index, fields: undefined, url: urlIn(text) });
      return;
    }
    const value = parsedOr(text, () => new HarError(`log.entries[${index}]: not valid JSON`));
    const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
    const url = objectIn(fields, 'request')?.['url'];
    this.#found.push({ index, fields, url: typeof url === 'string' ? url : undefined });
  }
}

/**
 * The address in a request that is not parsed, if it comes before the first object in it: that may have an address as well.
 * A quotation mark within a string has a backslash before it.
 */
function urlIn(text: string): string | undefined {
  const [, url] = /(?<!\\)"request"\s*:\s*\{[^{}]*?"url"\s*:\s*("(?:[^"\\]|\\.){0,16384}")/.exec(text) ?? [];
  try {
    return url && (JSON.parse(url) as string);
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of a stranger
function parsedOr(text: string, error: () => HarError): any {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw Object.assign(error(), { cause });
  }
}

const notJson = (): HarError => new HarError('this is no HAR: it must be one JSON object');

/** The object of that name; `undefined` if there is none. */
export function objectIn(owner: Fields, name: string): Fields | undefined {
  const value = owner[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
