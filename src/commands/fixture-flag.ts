/** `--fixture <name>` and `--fixture-file <file>`: what a sandbox starts with. */
import { open } from 'node:fs/promises';
import type { Schema } from '../client/routes.ts';
import { parseJson } from '../int64.ts';
import { JsonError } from '../json.ts';
import { readInlineFixture } from '../sandbox/fixture-file.ts';
import { MAX_FIXTURE_BYTES } from '../sandbox/fixture-text.ts';
import { SettingsError } from '../settings.ts';
import type { FixtureValue } from './csv-fixture.ts';

export interface FixtureFlags {
  readonly fixture?: string;
  readonly fixtureFile?: string;
}

/**
 * The fixture of a request. A file is checked before anything is sent.
 * @throws {SettingsError} with every problem of the file
 */
export async function fixtureOf({ fixture, fixtureFile }: FixtureFlags): Promise<Schema<'NewKey'>['fixture']> {
  if (fixtureFile === undefined) return fixture;
  const text = await readText(fixtureFile);
  const isCsv = /\.csv$/i.test(fixtureFile);
  const { value, petAt } = isCsv
    ? await (await import('./csv-fixture.ts')).readCsv(text, fixtureFile)
    : fromJson(text, fixtureFile);
  const reading = readInlineFixture(value, fixtureFile, petAt);
  // The client writes integers digit for digit.
  if (reading.ok) return value as unknown as Schema<'InlineFixture'>;
  const places = (place: string): string => place.replace(`${fixtureFile}/`, `${fixtureFile}: `);
  throw new SettingsError(reading.problems.map(({ place, message }) => `${places(place)} ${message}`).join('\n'));
}

function fromJson(text: string, file: string): FixtureValue {
  try {
    return { value: parseJson(text) };
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    throw new SettingsError(`${file}: ${cause.message}`, { cause });
  }
}

/** At most as much as a fixture file may hold, whatever is behind the name. */
async function readText(file: string): Promise<string> {
  const bytes = Buffer.alloc(MAX_FIXTURE_BYTES + 1);
  let length = 0;
  try {
    const handle = await open(file);
    try {
      for (let read = -1; read !== 0 && length < bytes.length; length += read) {
        read = (await handle.read(bytes, length, bytes.length - length)).bytesRead;
      }
    } finally {
      await handle.close();
    }
    if (length > MAX_FIXTURE_BYTES) throw new Error(`it has more than ${MAX_FIXTURE_BYTES} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
  } catch (cause) {
    throw new SettingsError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
