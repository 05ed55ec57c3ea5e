/** Opens a case from a file: as a new sandbox, whose key this tab then holds. */
import { MAX_CASE_BYTES } from '../../../cases/bounds.ts';
import { openClient, openSession, type Session } from '../session.ts';

/** @throws {Error} saying what is wrong with the file; nothing of it is left on the server */
export async function openCase(files: ArrayLike<File>): Promise<Session> {
  const [file, another] = Array.from(files);
  if (!file || another) throw new Error('One file is a case: give one file.');
  if (file.size > MAX_CASE_BYTES) throw new Error(`${file.name} is too large: a case has at most 64 MiB.`);
  const text = await file.text().catch((cause) => {
    throw new Error(`${file.name} cannot be read: is it a folder?`, { cause });
  });
  const { key } = await openClient().importCase(text);
  const session = await openSession(key);
  location.hash = '#/traffic';
  return session;
}
