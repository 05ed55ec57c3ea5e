/** Reads the text of a case: everything is checked before anything is used. */
import { readTime } from '../core/clock.ts';
import {
  describeJson,
  INT64_MAX,
  isObject,
  type JsonObject,
  type JsonValue,
  NumberLiteral,
  parseJson,
} from '../core/int64.ts';
import { JsonError } from '../core/json.ts';
import { type Pet, type Reading, readStrictPet } from '../core/pet.ts';
import { shorten } from '../core/text.ts';
import { type Change, readChange } from '../store/change.ts';
import type { SavedLog } from '../store/saved.ts';
import { MAX_CASE_BYTES } from './bounds.ts';
import { inSlices, type Turn } from './in-slices.ts';
import { checkLinks } from './links.ts';
import { CaseError, Complaints } from './problems.ts';
import { CASE_VERSION, type Case, type CaseExchange, type CaseStep } from './recording.ts';
import type { CaseFile, StepFile } from './recording-file.ts';
import { type CaseChecks, CaseSchema } from './schema.ts';
import { type Items, split } from './split.ts';

/** Members and array items of a pet or a change, of an exchange, and of all the rest. */
const MAX_MEMBERS = { item: 1_000, exchange: 100_000, rest: 400_000 };
/** Bytes that are decoded, and items that are read, between two pauses. */
const CHUNK = 256 * 1024;
const ITEMS = 50;
const MAX_EXCHANGES = 1_000;

/**
 * The case in a file, read in slices.
 * @param schema keeps its validators for the next case
 * @param turn runs each slice
 * @throws {CaseError}
 */
export async function readCase(bytes: Buffer, schema: CaseSchema = new CaseSchema(), turn?: Turn): Promise<Case> {
  if (bytes.length > MAX_CASE_BYTES) throw new CaseError(tooLarge);
  return inSlices(reading(bytes, await schema.checks()), turn);
}

const tooLarge = `a case has at most ${MAX_CASE_BYTES / 2 ** 20} MiB`;

function* reading(bytes: Buffer, checks: CaseChecks): Generator<void, Case> {
  const text = yield* decoded(bytes);
  const { rest, lists } = yield* orCaseError(split(text));
  const file = parse(rest, '', MAX_MEMBERS.rest);
  if (!isObject(file))
    throw new CaseError(`a case is a JSON object, as petstore-sandbox export writes it; got ${describeJson(file)}`);
  refuseOthers(file);
  const complaints = new Complaints();
  yield;
  const outside = yield* listsOut(file, { text, lists, complaints });
  const read = plain(file) as CaseFile;
  checks.file(read, complaints);
  if (complaints.none) checks.rules(read, complaints);
  const exchanges = complaints.none ? yield* exchangesIn(text, lists, checks, complaints) : [];
  // The lists agree with the heads once the schema holds.
  const found = complaints.none ? caseOf(read, outside, exchanges) : undefined;
  if (found) yield* checkLinks(found, complaints);
  if (found && complaints.none) return found;
  throw new CaseError(complaints.text());
}

function* decoded(bytes: Buffer): Generator<void, string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parts: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += CHUNK) {
      parts.push(decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true }));
      yield;
    }
    parts.push(decoder.decode());
  } catch (cause) {
    throw new CaseError('not valid UTF-8', { cause });
  }
  return parts.join('');
}

function* orCaseError<T>(work: Generator<void, T>): Generator<void, T> {
  try {
    return yield* work;
  } catch (error) {
    throw asCaseError(error, '');
  }
}

const asCaseError = (error: unknown, location: string): unknown =>
  error instanceof JsonError ? new CaseError(location + error.message, { cause: error }) : error;

function parse(text: string, location: string, maxMembers: number): JsonValue {
  try {
    return parseJson(text, maxMembers);
  } catch (error) {
    throw asCaseError(error, location === '' ? '' : `${location}: `);
  }
}

/** Another file, or a case of another version: its other members would only mislead. */
function refuseOthers({ case: version, program }: JsonObject): void {
  if (version === undefined) {
    throw new CaseError('this is no case: it has no member "case"; petstore-sandbox export writes one');
  }
  if (version === BigInt(CASE_VERSION)) return;
  const by = typeof program === 'string' ? `, written by version ${shorten(program, 40)} of the program` : '';
  const newer = typeof version === 'bigint' && version > BigInt(CASE_VERSION);
  throw new CaseError(
    `this case is of version ${describeJson(version)}${by}; this program reads version ${CASE_VERSION}${newer ? ': use a newer one' : ''}`,
  );
}

/** The pets of fixtures, the changes of logs, and the next ids, digit for digit. */
interface Lists {
  readonly fixtures: readonly { readonly pets: readonly Pet[]; readonly nextId: bigint }[];
  readonly logs: readonly (readonly Change[])[];
}

interface Source {
  readonly text: string;
  readonly lists: ReadonlyMap<string, Items>;
  readonly complaints: Complaints;
}

function* listsOut(file: JsonObject, source: Source): Generator<void, Lists> {
  const fixtures: Lists['fixtures'][number][] = [];
  for (const [fixture, location] of objectsIn(file, 'fixtures'))
    fixtures.push({
      nextId: nextIdIn(fixture, location, source.complaints),
      pets: yield* listAt(`${location}/pets`, readStrictPet, source),
    });
  const logs: Lists['logs'][number][] = [];
  for (const [, location] of objectsIn(file, 'logs'))
    logs.push(yield* listAt(`${location}/changes`, readChange, source));
  return { fixtures, logs };
}

function objectsIn(file: JsonObject, name: string): [JsonObject, string][] {
  const list = file[name];
  return Array.isArray(list) ? list.flatMap((item, i) => (isObject(item) ? [[item, `${name}[${i}]`]] : [])) : [];
}

function* listAt<T>(
  list: string,
  read: (value: JsonValue, location: string) => Reading<T>,
  { text, lists, complaints }: Source,
): Generator<void, T[]> {
  const items = lists.get(list) ?? [];
  const all: T[] = [];
  for (let at = 0; at < items.length; at += 2) {
    if (at % (2 * ITEMS) === 0) yield;
    const where = `${list}[${at / 2}]`;
    const reading = read(parse(text.slice(items[at], items[at + 1]), where, MAX_MEMBERS.item), where);
    if (reading.ok) all.push(reading.value);
    else for (const problem of reading.problems) complaints.add(problem.location, problem.message);
  }
  return all;
}

function* exchangesIn(
  text: string,
  lists: Source['lists'],
  checks: CaseChecks,
  complaints: Complaints,
): Generator<void, CaseExchange[]> {
  const items = lists.get('journal/exchanges') ?? [];
  if (items.length > 2 * MAX_EXCHANGES)
    complaints.add('journal/exchanges', `must NOT have more than ${MAX_EXCHANGES} items`);
  const exchanges: CaseExchange[] = [];
  for (let at = 0; at < items.length && complaints.none; at += 2) {
    yield;
    const where = `journal/exchanges[${at / 2}]`;
    const exchange = plain(parse(text.slice(items[at], items[at + 1]), where, MAX_MEMBERS.exchange));
    checks.exchange(exchange, where, complaints);
    exchanges.push(exchange as CaseExchange);
  }
  return exchanges;
}

function caseOf(file: CaseFile, { fixtures, logs }: Lists, exchanges: readonly CaseExchange[]): Case {
  const { program, specification, exportedAt, sandbox, now, start, journal, report, drill } = file;
  const { atMs, upTo, clock, faults, steps } = start;
  return {
    program,
    specification,
    exportedAt: timeOf(exportedAt),
    sandbox: { ...sandbox, createdAt: timeOf(sandbox.createdAt) },
    fixtures: file.fixtures.map(({ name, description }, i) => ({
      name,
      description,
      ...(fixtures[i] as Lists['fixtures'][number]),
    })),
    state: {
      logs: file.logs.map(({ from }, i): SavedLog => ({ from, changes: logs[i] as readonly Change[] })),
      world: { fixture: now.fixture, upTo: now.upTo },
      clock: now.clock,
      faults: now.faults,
      snapshots: file.snapshots.map(({ name, createdAt, fixture, upTo: point, ...settings }) => ({
        name,
        createdAt: timeOf(createdAt),
        world: { fixture, upTo: point },
        ...settings,
      })),
    },
    start: { atMs, upTo, clock, faults, steps: steps.map(stepOf) },
    exchanges,
    dropped: journal.dropped,
    report,
    drill,
  };
}

/** With its ids as integers. */
export const stepOf = (step: StepFile): CaseStep =>
  'pets' in step ? { ...step, pets: [BigInt(step.pets[0]), BigInt(step.pets[1])] } : step;

const timeOf = (text: string): number => readTime(text) ?? 0;

/** The first id to assign. `null` in the file means that none is left. */
function nextIdIn({ nextId }: JsonObject, location: string, complaints: Complaints): bigint {
  if (nextId === null) return INT64_MAX + 1n;
  if (typeof nextId === 'bigint') return nextId;
  complaints.add(`${location}/nextId`, `must be an int64, or null; got ${describeJson(nextId)}`);
  return 0n;
}

/** The same with plain numbers: nothing else in a case is beyond 53 bits, and a larger number breaks its bounds. */
function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof NumberLiteral) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
