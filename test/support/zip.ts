/** Zip archives, right and wrong ones. */
import { crc32, deflateRawSync } from 'node:zlib';

/** How a file in the archive differs. */
interface Differences {
  readonly isStored?: boolean;
  readonly method?: number;
  readonly flags?: number;
  /** In place of the packed content. */
  readonly content?: Buffer;
}

export type Packed = readonly [name: string, content: string | Buffer, Differences?];

/** @param count of the files, as the directory says it */
export function zipOf(files: readonly Packed[], { comment = '', count = files.length } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content, { isStored = false, method = isStored ? 0 : 8, flags = 0, content: other }] of files.map(
    ([name, content, differences = {}]) => [name, content, differences] as const,
  )) {
    const bytes = Buffer.from(content);
    const packed = other ?? (isStored ? bytes : deflateRawSync(bytes));
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, Buffer.from(name)]));
    locals.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  end.writeUInt16LE(Buffer.byteLength(comment), 16);
  return Buffer.concat([
    ...locals,
    ...directory,
    Buffer.from('PK\x05\x06', 'latin1'),
    end,
    Buffer.from(comment, 'latin1'),
  ]);
}
