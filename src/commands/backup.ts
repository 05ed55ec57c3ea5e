/** `petstore-sandbox backup`: copies a data directory, even while a server uses it. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { counted } from '../client/text.ts';
import { readEnvironment, resolveSettings } from '../server/config.ts';
import { SettingsError } from '../server/settings.ts';
import { type BackedUp, BackupError, backUp } from '../store/backup.ts';
import { DataFileError } from '../store/data-file.ts';
import { output } from './output.ts';
import { complain, EXIT } from './problems.ts';

/** As given on the command line. */
export interface BackupFlags {
  readonly to: string;
  readonly data?: string;
  readonly json?: boolean;
}

/**
 * Makes the copy and describes it; returns the exit code. A failed copy leaves nothing behind.
 * @throws {SettingsError} if there is nothing to copy, or the target cannot be used
 */
export async function backup({ to, data, json = false }: BackupFlags, environment: NodeJS.ProcessEnv): Promise<number> {
  const from = dataDirectory(data, environment);
  const wasThere = prepareTarget(from, to);
  try {
    const copied = await backUp(from, to);
    output({ json }).show({ from, to, ...copied }, () => [describeBackup(from, to, copied)]);
    return EXIT.done;
  } catch (error) {
    clear(to, wasThere);
    if (error instanceof BackupError) {
      complain(`${error.message}; nothing was kept in ${to}, try again`);
      return EXIT.failed;
    }
    // The copy is validated; its errors are those of the original file.
    if (error instanceof DataFileError) throw new SettingsError(error.message.replaceAll(to, from), { cause: error });
    throw new SettingsError(`${from} could not be copied to ${to}: ${(error as Error).message}`, { cause: error });
  }
}

function dataDirectory(flag: string | undefined, environment: NodeJS.ProcessEnv): string {
  const { level, image } = readEnvironment(environment);
  const { data } = resolveSettings([flag === undefined ? {} : { data: flag }, level], { image });
  if (data === undefined)
    throw new SettingsError('the settings keep everything in memory; name a directory with --data');
  return data;
}

/** Creates the folder of the copy; returns whether it existed. @throws {SettingsError} */
function prepareTarget(from: string, to: string): boolean {
  for (const folder of ['sandboxes', 'changes'])
    if (`${resolve(to)}${sep}`.startsWith(`${resolve(from, folder)}${sep}`))
      throw new SettingsError(`--to must not lie in ${join(from, folder)}, which the server reads`);
  const wasThere = existsSync(to);
  try {
    mkdirSync(to, { recursive: true, mode: 0o700 });
    if (readdirSync(to).length === 0) return wasThere;
  } catch (cause) {
    throw new SettingsError(`${to} cannot be used: ${(cause as Error).message}`, { cause });
  }
  throw new SettingsError(`${to} is not empty; name an empty directory, or a new one, with --to`);
}

function clear(to: string, wasThere: boolean): void {
  for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true, force: true });
  if (!wasThere) rmSync(to, { recursive: true, force: true });
}

const describeBackup = (from: string, to: string, { sandboxes, pets, bytes }: BackedUp): string =>
  `${from} is backed up in ${to}: ${sandboxes} sandbox${sandboxes === 1 ? '' : 'es'}, ${counted(pets, 'added pet')}, ${bytes} bytes`;
