/** Files that a person names, on the command line or in a setting; and directories. */
import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TextDecoder } from 'node:util';

/**
 * The content of a file. A named pipe without a writer would be waited for without end, so it is rejected; what is already
 * open, like `/dev/stdin` or `/dev/fd/3`, may be a pipe.
 * @param path `-`: standard input
 * @throws {Error} for what is no regular file, or has more bytes; the message does not name the file
 */
export async function readGivenFile(path: string, maxBytes: number): Promise<Buffer> {
  const isOpen = path === '-' || /^\/(dev|proc)\//.test(path);
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    if (!isOpen && !(await stat(path)).isFile()) throw new Error('it is not a regular file');
    for await (const part of path === '-' ? process.stdin : createReadStream(path)) {
      parts.push(part);
      bytes += part.length;
      if (bytes > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    }
  } catch (cause) {
    throw new Error(withoutPath(cause as Error), { cause });
  }
  return Buffer.concat(parts);
}

/**
 * The decoder of a text that begins like this: UTF-8, or UTF-16, as PowerShell and some editors save it. It takes a byte order
 * mark away.
 */
export function decoderFor(beginning: Buffer, options?: { readonly fatal: true }): TextDecoder {
  const start = beginning.toString('latin1', 0, 2);
  const isLittle = start === '\xff\xfe' || start === '{\0';
  const isBig = start === '\xfe\xff' || start === '\0{';
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8', options);
}

/** The message of an error of the file system: what was given as a path may be the content of the file, or a secret. */
export const withoutPath = ({ message }: Error): string => message.replace(/, \w+ '.*'$/s, '');

/** More than any certificate or list of names has. */
export const MAX_SMALL_FILE = 1024 * 1024;

/**
 * Creates a directory and its parents, one after the other. Node's recursive `mkdir` tries again and again, on a thread
 * that nothing ends, where a file system such as /proc says of a missing directory that its parent is missing.
 * @param path an absolute one
 * @throws {Error} of `mkdir`
 */
export async function makeDirectory(path: string, mode?: number): Promise<void> {
  if ((await stat(path).catch(() => undefined))?.isDirectory()) return;
  if (dirname(path) !== path) await makeDirectory(dirname(path), mode);
  await mkdir(path, { mode }).catch(async (error: NodeJS.ErrnoException) => {
    // Another program was quicker.
    if (error.code !== 'EEXIST' || !(await stat(path).catch(() => undefined))?.isDirectory()) throw error;
  });
}
