/** Files of pets: that of `--fixture-file`, as JSON or CSV, and a directory of fixtures to check. */

import { stat } from 'node:fs/promises';
import { parseJson } from '../base/int64.ts';
import { JsonError } from '../base/json.ts';
import { MAX_FIXTURE_BYTES } from '../base/limits.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { counted, fileName, table } from '../base/text.ts';
import type { Schema } from '../client/routes.ts';
import { CsvPetsError, type FixtureValue, readCsv } from '../sandbox/csv-pets.ts';
import { FixtureError, readInlineFixture } from '../sandbox/fixture-file.ts';
import { openFixtures } from '../sandbox/fixtures.ts';
import { EXIT, output, readIn } from './terminal.ts';

/**
 * The fixture of a request. A file is checked before anything is sent.
 * @throws {SettingsError} with every problem of the file
 */
export async function fixtureOf({
  fixture,
  fixtureFile,
}: {
  readonly fixture: Schema<'NewKey'>['fixture'];
  readonly fixtureFile: string | undefined;
}): Promise<Schema<'NewKey'>['fixture']> {
  if (fixtureFile === undefined) return fixture;
  const text = await readIn(fileName(fixtureFile), fixtureFile, MAX_FIXTURE_BYTES);
  const name = fixtureFile === '-' ? 'standard input' : fixtureFile;
  // A pipe has no name to go by.
  const isJson = /^\s*[{[]/.test(text) || /\.json$/i.test(name);
  const { value, petAt } = await (isJson ? fromJson : readCsv)(text, name).catch((cause: unknown) => {
    if (!(cause instanceof CsvPetsError || cause instanceof JsonError)) throw cause;
    throw new SettingsError(cause instanceof JsonError ? `${name}: ${cause.message}` : cause.message, { cause });
  });
  const reading = readInlineFixture(value, name, petAt);
  // The client writes integers digit for digit.
  if (reading.ok) return value as unknown as Schema<'InlineFixture'>;
  const places = (location: string): string => location.replace(`${name}/`, `${name}: `);
  throw new SettingsError(reading.problems.map(({ location, message }) => `${places(location)} ${message}`).join('\n'));
}

const fromJson = async (text: string): Promise<FixtureValue> => ({ value: parseJson(text) });

/**
 * Validates each file, and generates pets where needed; returns the exit code, 1 if a file is invalid.
 * @throws {SettingsError} if the path is not a directory
 */
export async function checkFixtures(
  directory: string,
  { json = false }: { readonly json: boolean | undefined },
): Promise<number> {
  const out = output({ json });
  const about = await stat(directory).catch(() => undefined);
  if (!about?.isDirectory()) throw new SettingsError(`${directory} is not a directory; name the one with the fixtures`);
  try {
    const fixtures = await openFixtures({ shipped: directory });
    const list = fixtures.list();
    // A directory without fixtures is probably a mistake.
    if (list.length === 0) throw new FixtureError(`${directory}: no fixtures; they are files that end in .json`);
    for (const { name } of list) await fixtures.load(name);
    out.show({ ok: true, fixtures: list, problems: [] }, () => [
      ...table(list.map(({ name, count, description }) => [name, counted(count, 'pet'), description])),
      `${counted(list.length, 'fixture')}, nothing wrong`,
    ]);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    const problems = error.message.split('\n');
    out.show({ ok: false, fixtures: [], problems }, () => problems);
    return EXIT.failed;
  }
}
