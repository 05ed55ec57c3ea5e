/** Files of pets: that of `--fixture-file`, as JSON or CSV, a directory of fixtures to check, and a fixture to save. */
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CsvError } from 'csv-parse/sync';
import { fieldsOf, valueOfText } from '../api/specification.ts';
import { ClientError } from '../client/errors.ts';
import type { Schema } from '../client/routes.ts';
import { type JsonObject, type JsonValue, parseJson } from '../core/int64.ts';
import { JsonError } from '../core/json.ts';
import { counted, fileName, notKnown, quoted, shorten, table } from '../core/text.ts';
import { FixtureError, readInlineFixture } from '../sandbox/fixture-file.ts';
import { MAX_FIXTURE_BYTES } from '../sandbox/fixture-text.ts';
import { openFixtures } from '../sandbox/fixtures.ts';
import { SettingsError } from '../settings/settings.ts';
import type { Call } from './command.ts';
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
  const { value, petAt } = isJson ? fromJson(text, name) : await readCsv(text, name);
  const reading = readInlineFixture(value, name, petAt);
  // The client writes integers digit for digit.
  if (reading.ok) return value as unknown as Schema<'InlineFixture'>;
  const places = (location: string): string => location.replace(`${name}/`, `${name}: `);
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

/** Pets as separated values (RFC 4180), as spreadsheets write them. Digits stay digits. */
const FIELDS = fieldsOf('Pet');
const NAMES = FIELDS.map(({ name }) => name);
const INTEGERS = FIELDS.flatMap(({ name, type }) => (type === 'integer' ? [name] : []));
const MAX_PROBLEMS = 20;

/** A fixture, and the place of a pet in its file. */
interface FixtureValue {
  readonly value: JsonValue;
  readonly petAt?: (index: number) => string;
}

interface CsvRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * The fixture of a file whose first line names its columns. An empty cell of an optional column is an absent member.
 * @throws {SettingsError} naming the line
 */
async function readCsv(text: string, file: string): Promise<FixtureValue> {
  const [header, ...rows] = await rowsOf(text, file);
  const columns = columnsOf(header?.record ?? [], file);
  const wrong = rows.flatMap((row) => reformattedIn(columns, row)).map((problem) => `${file}: ${problem}`);
  if (wrong.length > 0) throw new SettingsError(wrong.slice(0, MAX_PROBLEMS).join('\n'));
  const pets = rows.map(({ record }) => petOfRow(columns, record));
  return { value: { pets }, petAt: (index) => `line ${rows[index]?.info.lines}` };
}

async function rowsOf(text: string, file: string): Promise<CsvRow[]> {
  const { parse } = await import('csv-parse/sync');
  // Excel's own line before the names. Where commas are decimal points, spreadsheets write semicolons.
  const [sepLine, separator] = /^sep=(.)\r?\n/i.exec(text) ?? [];
  const delimiter = separator ?? /[,;\t]/.exec(text)?.[0] ?? ',';
  const from_line = sepLine === undefined ? 1 : 2;
  try {
    const options = { bom: true, info: true, skip_empty_lines: true, skip_records_with_empty_values: true } as const;
    return parse(text, { ...options, delimiter, from_line }) as unknown as CsvRow[];
  } catch (cause) {
    // The rest of the error quotes the text.
    throw new SettingsError(`${file}: ${shorten((cause as CsvError).message, 200)}`, { cause });
  }
}

/** @throws {SettingsError} for an unknown, repeated or missing column */
function columnsOf(header: readonly string[], file: string): readonly string[] {
  const problems = [
    ...header.filter((name) => !NAMES.includes(name)).map((name) => `${shorten(name, 40)} ${notKnown(name, NAMES)}`),
    ...header
      .filter((name, at) => NAMES.includes(name) && header.indexOf(name) < at)
      .map((name) => `${name} is given twice`),
    ...FIELDS.filter(({ name, required }) => required && !header.includes(name)).map(
      ({ name }) => `${name} is missing`,
    ),
  ];
  if (problems.length === 0) return header;
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `${file}: line 1: the column ${problem}`);
  throw new SettingsError(`${shown.join('\n')}\n${file}: the first line names the columns: ${NAMES.join(',')}`);
}

/** Integers that are not in plain digits: to JSON, `9.22E+18` is an integer too, and another one than what was entered. */
const reformattedIn = (columns: readonly string[], { record, info }: CsvRow): string[] =>
  columns.flatMap((name, at) => {
    const cell = record[at] ?? '';
    if (cell === '' || /^-?(?:0|[1-9]\d*)$/.test(cell) || !INTEGERS.includes(name)) return [];
    const why = /^[-+]?\d[\d.,'\s]*(?:e[-+]?\d+)?$/i.test(cell)
      ? '. A spreadsheet may have rounded it: format the column as text, enter the number again, and save again'
      : '';
    return [`line ${info.lines}/${name} must be an integer in plain digits; got ${quoted(cell)}${why}`];
  });

function petOfRow(columns: readonly string[], cells: readonly string[]): JsonObject {
  const pet: JsonObject = {};
  for (const [at, name] of columns.entries()) {
    const field = FIELDS.find((each) => each.name === name);
    const cell = cells[at] ?? '';
    if (cell === '' && field?.required === false) continue;
    pet[name] = field === undefined ? cell : valueOfText(field, cell);
  }
  return pet;
}

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

/** The names that `serve --fixtures` reads. */
const FIXTURE_FILE = /^[a-z0-9][a-z0-9_-]{0,63}\.json$/;

/**
 * Writes the present pets as a fixture file: whole, or not at all.
 * @throws {SettingsError} for a name that `--fixtures` does not read, and if the file cannot be written
 */
export async function saveFixture({ client, args: [file = ''], out }: Call): Promise<undefined> {
  const name = basename(file);
  if (!FIXTURE_FILE.test(name)) {
    throw new SettingsError(
      `${file}: the name must be 1 to 64 of a-z, 0-9, _ and -, begin with a letter or a digit, and end in .json, or --fixtures does not read it`,
    );
  }
  const { body } = await client.stream('GET /export', { query: { format: 'fixture' } });
  const draft = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(draft));
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw ClientError.notReached(client.url, cause);
    throw new SettingsError(`${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
  const { size } = await stat(file);
  return out.show({ file, bytes: size }, () => [
    `saved ${file}: ${size} bytes; serve --fixtures with its directory reads it as ${name.slice(0, -'.json'.length)}`,
  ]);
}
