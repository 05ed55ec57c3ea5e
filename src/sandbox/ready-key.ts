/** The key that a developer finds printed at every start: kept in the data directory, so that it stays the same. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDamaged, newKey } from './keys.ts';

/**
 * The ready key of a data directory, made where there is none. Only the owner may read its file.
 *
 * @throws {Error} naming the file when it is there but holds no key
 */
export async function readyKeyOf(directory: string): Promise<string> {
  const path = join(directory, 'ready-key.json');
  try {
    const { key } = JSON.parse(await readFile(path, 'utf8')) as { key?: unknown };
    if (typeof key === 'string' && key.startsWith('petsbx_') && !isDamaged(key)) return key;
    throw new Error('it holds no key');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new Error(`${path}: ${(error as Error).message}. Delete it to have a new key made`, { cause: error });
    }
  }
  const key = newKey();
  await writeFile(`${path}.tmp`, `${JSON.stringify({ key })}\n`, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
  return key;
}
