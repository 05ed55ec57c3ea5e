/** Makes UTF-8 of an archive in UTF-16, as PowerShell and some editors save it. */
import { TextDecoder } from 'node:util';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** @param parts each is valid until the next one is asked for, and so is what becomes of it */
export async function* asUtf8(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const part of parts) {
    if (part.length === 0) continue;
    if (isFirst) decoder = decoderFor(part);
    const bytes = decoder ? Buffer.from(decoder.decode(part, { stream: true })) : part;
    yield isFirst && bytes.indexOf(BYTE_ORDER_MARK) === 0 ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
    isFirst = false;
  }
}

/** By the byte order mark, or the first brace. The first part of a file has more than one byte. */
function decoderFor(part: Buffer): TextDecoder | undefined {
  const beginning = part.toString('latin1', 0, 2);
  if (beginning === '\xff\xfe' || beginning === '{\0') return new TextDecoder('utf-16le');
  if (beginning === '\xfe\xff' || beginning === '\0{') return new TextDecoder('utf-16be');
  return undefined;
}
