/** Pets as comma-separated values (RFC 4180), as spreadsheets write them. Digits stay digits. */
import { type CsvError, parse } from 'csv-parse/sync';
import { isInt64, type JsonObject, type JsonValue, NumberLiteral, readDecimal } from '../core/int64.ts';
import { fieldsOf } from '../core/specification.ts';
import { notKnown, shorten } from '../core/text.ts';
import { SettingsError } from '../server/settings.ts';

const FIELDS = fieldsOf('Pet');
const NAMES = FIELDS.map(({ name }) => name);

/** A fixture, and the place of a pet in its file. */
export interface FixtureValue {
  readonly value: JsonValue;
  readonly petAt?: (index: number) => string;
}

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * The fixture of a file whose first line names its columns. An empty cell of an optional column is an absent member.
 * @throws {SettingsError} naming the line
 */
export function readCsv(text: string, file: string): FixtureValue {
  const [header, ...rows] = rowsOf(text, file);
  const columns = columnsOf(header?.record ?? [], file);
  const pets = rows.map(({ record }) => petOf(columns, record));
  return { value: { pets }, petAt: (index) => `line ${rows[index]?.info.lines}` };
}

function rowsOf(text: string, file: string): Row[] {
  try {
    return parse(text, { bom: true, info: true, skip_empty_lines: true }) as unknown as Row[];
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
  const shown = problems.slice(0, 20).map((problem) => `${file}: line 1: the column ${problem}`);
  throw new SettingsError(`${shown.join('\n')}\n${file}: the first line names the columns: ${NAMES.join(',')}`);
}

function petOf(columns: readonly string[], cells: readonly string[]): JsonObject {
  const pet: JsonObject = {};
  for (const [at, name] of columns.entries()) {
    const field = FIELDS.find((each) => each.name === name);
    const cell = cells[at] ?? '';
    if (cell === '' && field?.required === false) continue;
    pet[name] = field?.type === 'integer' ? integerOf(cell) : cell;
  }
  return pet;
}

/** What is no integer stays a text, which is then rejected as such. */
function integerOf(cell: string): JsonValue {
  const value = readDecimal(cell);
  if (value === undefined) return cell;
  return isInt64(value) ? value : new NumberLiteral(cell);
}
