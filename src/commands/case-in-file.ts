/** Reads a case from a file. */
import { readFile, stat } from 'node:fs/promises';
import { MAX_CASE_BYTES } from '../cases/bounds.ts';
import type { Case } from '../cases/case.ts';
import { CaseError } from '../cases/complaints.ts';
import { readCase, tooLarge } from '../cases/read-case.ts';
import { SettingsError } from '../settings.ts';

/** @throws {SettingsError} naming the file, for one that cannot be read or is no case */
export async function caseInFile(file: string): Promise<Case> {
  try {
    const about = await stat(file);
    // Reading a pipe might never end.
    if (!about.isFile()) throw new CaseError('not a file');
    if (about.size > MAX_CASE_BYTES) throw new CaseError(tooLarge);
    return await readCase(await readFile(file));
  } catch (cause) {
    const { message } = cause as Error;
    const why = cause instanceof CaseError ? message : `cannot be read: ${message}`;
    throw new SettingsError(`${file}: ${why.replaceAll('\n', `\n${file}: `)}`, { cause });
  }
}
