/** `--fixture <name>` and `--fixture-file <file>`: what a sandbox starts with. */
import type { Schema } from '../client/routes.ts';
import { readGivenFile } from '../core/given-file.ts';
import { parseJson } from '../core/int64.ts';
import { JsonError } from '../core/json.ts';
import { readInlineFixture } from '../sandbox/fixture-file.ts';
import { MAX_FIXTURE_BYTES } from '../sandbox/fixture-text.ts';
import { SettingsError } from '../server/settings.ts';
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
  const places = (location: string): string => location.replace(`${fixtureFile}/`, `${fixtureFile}: `);
  throw new SettingsError(reading.problems.map(({ location, message }) => `${places(location)} ${message}`).join('\n'));
}

function fromJson(text: string, file: string): FixtureValue {
  try {
    return { value: parseJson(text) };
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    throw new SettingsError(`${file}: ${cause.message}`, { cause });
  }
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readGivenFile(file, MAX_FIXTURE_BYTES));
  } catch (cause) {
    throw new SettingsError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
