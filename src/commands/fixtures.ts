/** `petstore-sandbox fixtures`: what a server has, and the pets of a sandbox as a file. */
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClientError } from '../client/errors.ts';
import { counted, table } from '../client/text.ts';
import { SettingsError } from '../server/settings.ts';
import type { CommandRun } from './connection.ts';

export const list: CommandRun<object> = async ({ client, out }) => {
  const response = await client.request('GET /fixtures');
  out.show(response, () => [
    ...table(response.fixtures.map(({ name, pets, description }) => [name, counted(Number(pets), 'pet'), description])),
    counted(response.fixtures.length, 'fixture'),
  ]);
  return undefined;
};

/** The names that `--fixtures` takes. */
const FILE = /^[a-z0-9][a-z0-9_-]{0,63}\.json$/;

/** Writes the present pets as a fixture file: whole, or not at all. */
export const save: CommandRun<object> = async ({ client, args: [file = ''], out }) => {
  const name = basename(file);
  if (!FILE.test(name)) {
    throw new SettingsError(
      `${file}: the name must be 1 to 64 of a-z, 0-9, _ and -, begin with a letter or a digit, and end in .json, or --fixtures does not read it`,
    );
  }
  const response = await client.stream('GET /export', { query: { format: 'fixture' } });
  const draft = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(draft));
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw ClientError.notReached(client.url, cause);
    throw new SettingsError(`${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
  const { size } = await stat(file);
  out.show({ file, bytes: size }, () => [
    `saved ${file}: ${size} bytes; serve --fixtures with its directory reads it as ${name.slice(0, -'.json'.length)}`,
  ]);
  return undefined;
};
