/** Reads the text of a recording: everything is checked before anything is used. */
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
import { type Pet, type ReadResult, readStrictPet } from '../core/pet.ts';
import { shorten } from '../core/text.ts';
import { MAX_RECORDING_BYTES } from './bounds.ts';
import { readChange } from './change.ts';
import { inSlices, type Turn } from './in-slices.ts';
import { checkLinks } from './links.ts';
import { Complaints, RecordingError } from './problems.ts';
import { RECORDING_VERSION, type Recording, type RecordingExchange, type RecordingStep } from './recording.ts';
import type { RecordingFile, StepFile } from './recording-file.ts';
import type { SavedLog } from './saved.ts';
import { type RecordingChecks, RecordingSchema } from './schema.ts';
import { type Items, split } from './split.ts';

/** Members and array items of a pet or a change, of an exchange, and of all the rest. */
const MAX_MEMBERS = { item: 1_000, exchange: 100_000, rest: 400_000 };
/** Bytes that are decoded, and items that are read, between two pauses. */
const CHUNK = 256 * 1024;
const ITEMS = 50;
const MAX_EXCHANGES = 1_000;

/**
 * The recording in a file, read in slices.
 * @param schema keeps its validators for the next recording
 * @param turn runs each slice
 * @throws {RecordingError}
 */
export async function readRecording(
  bytes: Buffer,
  schema: RecordingSchema = new RecordingSchema(),
  turn?: Turn,
): Promise<Recording> {
  if (bytes.length > MAX_RECORDING_BYTES) throw new RecordingError(tooLarge);
  return inSlices(reading(bytes, await schema.checks()), turn);
}

const tooLarge = `a recording has at most ${MAX_RECORDING_BYTES / 2 ** 20} MiB`;

function* reading(bytes: Buffer, checks: RecordingChecks): Generator<void, Recording> {
  const text = yield* decoded(bytes);
  const { rest, lists } = yield* orRecordingError(split(text));
  const file = parse(rest, '', MAX_MEMBERS.rest);
  if (!isObject(file))
    throw new RecordingError(
      `a recording is a JSON object, as petstore-sandbox export writes it; got ${describeJson(file)}`,
    );
  rejectOthers(file);
  const complaints = new Complaints();
  yield;
  const outside = yield* listsOut(file, { text, lists, complaints });
  const read = plain(file) as RecordingFile;
  checks.file(read, complaints);
  if (complaints.none) checks.rules(read, complaints);
  const exchanges = complaints.none ? yield* exchangesIn(text, lists, checks, complaints) : [];
  // The lists agree with the heads once the schema holds.
  const found = complaints.none ? recordingOf(read, outside, exchanges) : undefined;
  if (found) yield* checkLinks(found, complaints);
  if (found && complaints.none) return found;
  throw new RecordingError(complaints.text());
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
    throw new RecordingError('not valid UTF-8', { cause });
  }
  return parts.join('');
}

function* orRecordingError<T>(work: Generator<void, T>): Generator<void, T> {
  try {
    return yield* work;
  } catch (error) {
    throw asRecordingError(error, '');
  }
}

const asRecordingError = (error: unknown, location: string): unknown =>
  error instanceof JsonError ? new RecordingError(location + error.message, { cause: error }) : error;

function parse(text: string, location: string, maxMembers: number): JsonValue {
  try {
    return parseJson(text, maxMembers);
  } catch (error) {
    throw asRecordingError(error, location === '' ? '' : `${location}: `);
  }
}

/** Another file, or a recording of another version: its other members would only mislead. */
function rejectOthers({ recording: version, program }: JsonObject): void {
  if (version === undefined) {
    throw new RecordingError('this is no recording: it has no field "recording"; petstore-sandbox export writes one');
  }
  if (version === BigInt(RECORDING_VERSION)) return;
  const by = typeof program === 'string' ? `, written by version ${shorten(program, 40)} of the program` : '';
  const newer = typeof version === 'bigint' && version > BigInt(RECORDING_VERSION);
  throw new RecordingError(
    `this recording is of version ${describeJson(version)}${by}; this program reads version ${RECORDING_VERSION}${newer ? ': use a newer one' : ''}`,
  );
}

/** The pets of fixtures, the changes of logs, and the next ids, digit for digit. */
interface Lists {
  readonly fixtures: readonly { readonly pets: readonly Pet[]; readonly nextId: bigint }[];
  readonly logs: readonly (readonly Pet[])[];
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
  read: (value: JsonValue, location: string) => ReadResult<T>,
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
  checks: RecordingChecks,
  complaints: Complaints,
): Generator<void, RecordingExchange[]> {
  const items = lists.get('requestLog/exchanges') ?? [];
  if (items.length > 2 * MAX_EXCHANGES)
    complaints.add('requestLog/exchanges', `must NOT have more than ${MAX_EXCHANGES} items`);
  const exchanges: RecordingExchange[] = [];
  for (let at = 0; at < items.length && complaints.none; at += 2) {
    yield;
    const where = `requestLog/exchanges[${at / 2}]`;
    const exchange = plain(parse(text.slice(items[at], items[at + 1]), where, MAX_MEMBERS.exchange));
    checks.exchange(exchange, where, complaints);
    exchanges.push(exchange as RecordingExchange);
  }
  return exchanges;
}

function recordingOf(
  file: RecordingFile,
  { fixtures, logs }: Lists,
  exchanges: readonly RecordingExchange[],
): Recording {
  const { program, specification, exportedAt, sandbox, now, start, requestLog, report, drill } = file;
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
      logs: file.logs.map(({ from }, i): SavedLog => ({ from, changes: logs[i] as readonly Pet[] })),
      contents: { fixture: now.fixture, upTo: now.upTo },
      clock: now.clock,
      faults: now.faults,
      snapshots: file.snapshots.map(({ name, createdAt, fixture, upTo: point, ...settings }) => ({
        name,
        createdAt: timeOf(createdAt),
        contents: { fixture, upTo: point },
        ...settings,
      })),
    },
    start: { atMs, upTo, clock, faults, steps: steps.map(stepOf) },
    exchanges,
    dropped: requestLog.dropped,
    report,
    drill,
  };
}

/** With its ids as integers. */
const stepOf = (step: StepFile): RecordingStep =>
  'pets' in step ? { ...step, pets: [BigInt(step.pets[0]), BigInt(step.pets[1])] } : step;

const timeOf = (text: string): number => readTime(text) ?? 0;

/** The first id to assign. `null` in the file means that none is left. */
function nextIdIn({ nextId }: JsonObject, location: string, complaints: Complaints): bigint {
  if (nextId === null) return INT64_MAX + 1n;
  if (typeof nextId === 'bigint') return nextId;
  complaints.add(`${location}/nextId`, `must be an int64, or null; got ${describeJson(nextId)}`);
  return 0n;
}

/** The same with plain numbers: nothing else in a recording is beyond 53 bits, and a larger number breaks its bounds. */
function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof NumberLiteral) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
