/**
 * Reads the entries of an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/) one by one while its bytes arrive,
 * so that a large file needs no more memory than its largest entry.
 */
import { StringDecoder } from 'node:string_decoder';

/** A file that is no HAR. The message says what is wrong, and where. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

/** An entry, or that it was too large. */
export type HarPiece = { readonly index: number } & ({ readonly entry: unknown } | { readonly isTooLarge: true });

const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 100;
/** Bytes of a name that is looked for. */
const MAX_NAME = 16;
/** Of the objects in `{"log":{"entries":[`. */
const ENTRY_DEPTH = 4;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);

/** @throws {HarError} for what is no HAR */
export async function* entriesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<HarPiece> {
  const scanner = new Scanner();
  for await (const chunk of chunks) for (const piece of scanner.add(chunk)) yield piece;
  scanner.end();
}

/** Follows strings and nesting, byte by byte. */
class Scanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The bytes of the last string, which may be a name. */
  #name: number[] = [];
  /** The names above the present place. */
  readonly #path: string[] = [];
  /** The beginning of an entry that goes on in the next chunk: as text, because chunks may share their memory. */
  #text = '';
  readonly #decoder = new StringDecoder('utf8');
  #bytes = 0;
  #index = 0;
  #hasEntries = false;
  #isOver = false;

  *add(chunk: Buffer): Generator<HarPiece> {
    let from = this.#isInEntry() ? 0 : -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#isInString) this.#inString(byte);
      else if (byte === QUOTE) {
        this.#isInString = true;
        this.#name = [];
      } else if (OPEN.has(byte)) {
        this.#open(byte);
        if (this.#depth === ENTRY_DEPTH && this.#isInEntry()) from = at;
      } else if (CLOSE.has(byte)) {
        const isEntry = this.#depth === ENTRY_DEPTH && this.#isInEntry();
        this.#close();
        if (!isEntry) continue;
        this.#keep(chunk.subarray(from, at + 1));
        from = -1;
        yield this.#take();
      }
    }
    if (from >= 0) this.#keep(chunk.subarray(from));
  }

  /** @throws {HarError} */
  end(): void {
    if (this.#depth > 0 || this.#isInString) throw new HarError('the file was cut: it ends within the archive');
    if (!this.#hasEntries) throw new HarError('this is no HAR: it has no list log.entries');
  }

  #inString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
    else if (this.#name.length < MAX_NAME) this.#name.push(byte);
  }

  #open(byte: number): void {
    if (this.#isOver || (this.#depth === 0 && byte !== 0x7b))
      throw new HarError('this is no HAR: it must be one JSON object');
    if (this.#depth === MAX_DEPTH)
      throw new HarError(`entry ${this.#index}: nesting is limited to ${MAX_DEPTH} levels`);
    if (this.#depth < ENTRY_DEPTH) this.#path[this.#depth] = String.fromCharCode(...this.#name);
    this.#depth += 1;
    this.#name = [];
    if (this.#depth === 3 && this.#path[1] === 'log' && this.#path[2] === 'entries' && byte === 0x5b)
      this.#hasEntries = true;
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#depth < 0) throw new HarError('this is no HAR: it is not valid JSON');
    this.#isOver = this.#depth === 0;
  }

  #isInEntry(): boolean {
    return this.#depth >= ENTRY_DEPTH && this.#path[1] === 'log' && this.#path[2] === 'entries';
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    this.#text = this.#bytes > MAX_ENTRY_BYTES ? '' : this.#text + this.#decoder.write(part);
  }

  #take(): HarPiece {
    const [text, bytes, index] = [this.#text + this.#decoder.end(), this.#bytes, this.#index];
    this.#text = '';
    this.#bytes = 0;
    this.#index += 1;
    if (bytes > MAX_ENTRY_BYTES) return { index, isTooLarge: true };
    try {
      return { index, entry: JSON.parse(text) };
    } catch (cause) {
      throw new HarError(`log.entries[${index}]: not valid JSON`, { cause });
    }
  }
}
