/** Reads a case from a file. */

import { readGivenFile } from '../core/given-file.ts';
import { MAX_CASE_BYTES } from '../recording/bounds.ts';
import { CaseError } from '../recording/problems.ts';
import { readCase } from '../recording/read.ts';
import type { Case } from '../recording/recording.ts';
import { SettingsError } from '../server/settings.ts';

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
