/** Reads the list of known failures: a YAML file with a list of ids of drills. */
import { MAX_SMALL_FILE, readGivenFile } from '../given-file.ts';
import { SettingsError } from '../settings.ts';
import { notKnown } from '../wording.ts';

const FORM = 'it must be a list of drills, like `- lost-create`';

/** @throws {SettingsError} for a file that cannot be read, and for what is no list of known drills */
export async function readExpected(file: string, known: readonly string[]): Promise<ReadonlySet<string>> {
  let list: unknown;
  try {
    const text = String(await readGivenFile(file, MAX_SMALL_FILE));
    // A CommonJS module: bundled or not, its exports are members of the default one.
    const { default: yaml } = await import('yaml');
    list = yaml.parse(text);
  } catch (cause) {
    throw new SettingsError(`--expect ${file} cannot be read: ${(cause as Error).message}; ${FORM}`, { cause });
  }
  if (list === null) return new Set();
  if (!Array.isArray(list)) throw new SettingsError(`--expect ${file}: ${FORM}`);
  for (const id of list) {
    if (typeof id !== 'string') throw new SettingsError(`--expect ${file}: ${FORM}`);
    if (!known.includes(id)) throw new SettingsError(`--expect ${file}: the drill ${id} ${notKnown(id, known)}`);
  }
  return new Set(list);
}
