/** Reads a case from a file. */
import { MAX_CASE_BYTES } from '../cases/bounds.ts';
import type { Case } from '../cases/case.ts';
import { CaseError } from '../cases/complaints.ts';
import { readCase } from '../cases/read-case.ts';
import { readGivenFile } from '../given-file.ts';
import { SettingsError } from '../settings.ts';

/** @throws {SettingsError} naming the file, for one that cannot be read or is no case */
export async function caseInFile(file: string): Promise<Case> {
  try {
    return await readCase(await readGivenFile(file, MAX_CASE_BYTES));
  } catch (cause) {
    const { message } = cause as Error;
    const why = cause instanceof CaseError ? message : `cannot be read: ${message}`;
    throw new SettingsError(`${file}: ${why.replaceAll('\n', `\n${file}: `)}`, { cause });
  }
}
