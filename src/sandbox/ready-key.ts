/** The key that every start prints: stored in the data directory, so that it stays the same. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDamaged, newKey } from '../base/api/api-key.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { DataFileError } from './store/data-file.ts';

/**
 * The ready key of a data directory, created if there is none. Only the owner may read its file.
 * @throws {DataFileError} naming the file if it exists but contains no key
 * @throws {SettingsError} if it cannot be written
 */
export async function readyKeyOf(directory: string, server?: string): Promise<string> {
  const path = join(directory, 'ready-key.json');
  try {
    return keyInFile(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new DataFileError(path, (error as Error).message, { cause: error });
    }
  }
  const key = newKey(server);
  try {
    await writeFile(`${path}.tmp`, `${JSON.stringify({ key })}\n`, { mode: 0o600 });
    await rename(`${path}.tmp`, path);
    return key;
  } catch (cause) {
    await rm(`${path}.tmp`, { force: true });
    throw new SettingsError(`${path} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

/** @throws {Error} without quoting the text: it is a secret */
function keyInFile(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('it is not valid JSON');
  }
  const { key, ...others } = (value ?? {}) as { key?: unknown };
  if (Object.keys(others).length > 0) throw new Error('it must have one field, "key"');
  if (typeof key === 'string' && key.startsWith('petsbx_') && !isDamaged(key)) return key;
  throw new Error('it holds no key');
}
