/** Reads the text of a recording, line by line: everything is checked before anything is used. */

import { METHODS } from 'node:http';
import { TextDecoder } from 'node:util';
import { ApiError } from '../../base/api/errors.ts';
import { faultFields } from '../../base/generated/facts.ts';
import { describeJson, isInt64, isObject, type JsonValue, parseJson, plainValue } from '../../base/int64.ts';
import { countMembers, JsonError } from '../../base/json.ts';
import { inSlices, type RunSlice } from '../../base/lane.ts';
import { MAX_EXCHANGES, MAX_LINE_BYTES, MAX_RECORDING_BYTES, MAX_STORED_BODY } from '../../base/limits.ts';
import { headerName } from '../../base/settings/settings.ts';
import { quoted, shorten } from '../../base/text.ts';
import { readTime } from '../../base/time.ts';
import type { Schema } from '../../client/routes.ts';
import { isRandom } from '../../sandbox/faults.ts';
import { EntryError, fixtureNameIn, readEntry, withFixture } from '../../sandbox/store/entries.ts';
import { type Fixture, inlineFixture } from '../../sandbox/store/fixture.ts';
import type { FaultRecord } from '../../sandbox/store/record.ts';
import { apply, type State } from '../../sandbox/store/state.ts';
import type { RecordingExchange } from '../shown.ts';
import {
  RECORDING_VERSION,
  type Recording,
  type RecordingChecks,
  RecordingError,
  recordingChecks,
} from './recording.ts';

/** Members and array items of a line. */
const MAX_LINE_MEMBERS = { exchange: 10_000, other: 100_000 };
/** The present state and 50 snapshots. */
const MAX_FIXTURES = 51;
const LINE_BREAK = 0x0a;
const BYTE_ORDER_MARK = 'efbbbf';

/**
 * The recording in a file, read in slices.
 * @param checks kept for the next recording
 * @param turn runs each slice
 * @throws {RecordingError}
 */
export async function readRecording(bytes: Buffer, checks?: RecordingChecks, turn?: RunSlice): Promise<Recording> {
  if (bytes.length > MAX_RECORDING_BYTES) {
    throw new RecordingError(`a recording has at most ${MAX_RECORDING_BYTES / 2 ** 20} MiB`);
  }
  return inSlices(reading(bytes, new RecordingReading(checks ?? (await recordingChecks()))), turn);
}

function* reading(file: Buffer, found: RecordingReading): Generator<void, Recording> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const bytes = file.subarray(file.toString('hex', 0, 3) === BYTE_ORDER_MARK ? 3 : 0);
  let line = 0;
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(LINE_BREAK, at);
    const end = next < 0 ? bytes.length : next;
    line++;
    try {
      if (end - at > MAX_LINE_BYTES) throw new RecordingError(`must have at most ${MAX_LINE_BYTES / 2 ** 20} MiB`);
      found.add(decoder.decode(bytes.subarray(at, end)), line);
    } catch (error) {
      throw rejected(line, error);
    }
    at = end + 1;
    yield;
  }
  return found.whole();
}

function rejected(line: number, error: unknown): unknown {
  if (error instanceof TypeError && 'code' in error)
    return new RecordingError(`line ${line}: not valid UTF-8; save the file as export --out does`);
  const isTheirs = [RecordingError, EntryError, JsonError, ApiError, RangeError].some((kind) => error instanceof kind);
  return isTheirs ? new RecordingError(`line ${line}: ${(error as Error).message}`, { cause: error }) : error;
}

/** The first member of an object tells what a line is. */
const KIND = /^\s*\{\s*"([a-z]{1,20})"/;

/** Headers that the request log has of every request, besides those that a setting may add. */
const ALWAYS = ['Authorization', 'Content-Type', 'Content-Length'];

/** They may be sent again, by the script of an export: none may be about the connection or carry a credential. @throws {RecordingError} */
function rejectOtherHeader(name: string): void {
  try {
    if (!ALWAYS.includes(name)) headerName(name);
  } catch (cause) {
    throw new RecordingError(
      `/request/headers must only have headers of the request log: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

/** Exchanges hold no integers beyond 53 bits, so JavaScript's own parser reads them, in a fifth of the time. */
function plainJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // It tells what is wrong, and where.
    return parseJson(line);
  }
}

/** What the lines so far lead to. */
class RecordingReading {
  readonly #checks: RecordingChecks;
  #head: Schema<'RecordingHead'> | undefined;
  readonly #fixtures = new Map<string, Fixture>();
  #state: State | undefined;
  readonly #exchanges: RecordingExchange[] = [];
  readonly #ids = new Set<string>();
  #isWhole = false;

  constructor(checks: RecordingChecks) {
    this.#checks = checks;
  }

  /** @param number of the line, from 1 */
  add(line: string, number: number): void {
    const [, kind] = KIND.exec(line) ?? [];
    if (this.#isWhole) throw new RecordingError('must not be there: the line {"end":…} before it is the last');
    countMembers(line, kind === 'exchange' ? MAX_LINE_MEMBERS.exchange : MAX_LINE_MEMBERS.other);
    if (!this.#head) this.#head = this.#headIn(parseJson(line));
    else if (kind === 'fixture') this.#addFixture(line);
    else if (kind === 'exchange') this.#addExchange(line);
    else if (kind === 'end') this.#end(line, number - 1);
    else this.#addEntry(line);
  }

  #headIn(value: JsonValue): Schema<'RecordingHead'> {
    if (!isObject(value) || value['recording'] === undefined) {
      throw new RecordingError(
        `this is no recording: it begins with an object that has a field "recording", as petstore-sandbox export writes it; got ${describeJson(value)}`,
      );
    }
    const { recording: version, program } = value;
    if (version !== BigInt(RECORDING_VERSION)) {
      const by = typeof program === 'string' ? `, written by version ${shorten(program, 40)} of the program` : '';
      throw new RecordingError(
        `this recording is of version ${describeJson(version)}${by}; this program reads version ${RECORDING_VERSION}: open it with the version that wrote it`,
      );
    }
    return this.#checked('RecordingHead', plainValue(value));
  }

  #addFixture(line: string): void {
    const value = plainValue(parseJson(line));
    const { fixture, description, nextId } = this.#checked<Schema<'RecordingFixture'>>('RecordingFixture', value);
    if (this.#state) throw new RecordingError('must come before the journal, which begins with {"begin":…}');
    if (this.#fixtures.has(fixture)) throw new RecordingError(`a fixture named ${fixture} is there already`);
    if (this.#fixtures.size === MAX_FIXTURES)
      throw new RecordingError(`there must be at most ${MAX_FIXTURES} fixtures`);
    const next = BigInt(nextId);
    if (!isInt64(next) && !isInt64(next - 1n)) throw new RecordingError('/nextId is an int64, or one more');
    this.#fixtures.set(fixture, { ...inlineFixture({ nextId: next, pets: [] }), description });
  }

  /** Pets before the journal are those of the fixture before them. */
  #addEntry(line: string): void {
    const written = readEntry(line);
    const name = fixtureNameIn(written);
    const fixture = name === undefined ? undefined : this.#fixtures.get(name);
    if (name !== undefined && !fixture) throw new RecordingError('its fixture must be one of the recording');
    const entry = withFixture(written, fixture);
    if (this.#exchanges.length > 0) throw new RecordingError('must come before the exchanges');
    const last = [...this.#fixtures].at(-1);
    if (this.#state || !('pets' in entry)) this.#state = apply(this.#state, entry);
    else if (!last) throw new RecordingError('pets must come after their fixture, {"fixture":…}, or after {"begin":…}');
    else this.#fixtures.set(last[0], { ...last[1], pets: last[1].pets.with(entry.pets) });
  }

  #addExchange(line: string): void {
    if (!this.#state) throw new RecordingError('must come after the journal, which begins with {"begin":…}');
    if (this.#exchanges.length === MAX_EXCHANGES)
      throw new RecordingError(`there must be at most ${MAX_EXCHANGES} exchanges`);
    const { exchange, ...others } = plainJson(line) as { exchange: RecordingExchange };
    const [more] = Object.keys(others);
    if (more !== undefined)
      throw new RecordingError(`the line must hold an exchange alone; it has ${quoted(more, 64)}`);
    this.#checked('RecordingExchange', exchange);
    const { id, method, changes, request, response } = exchange;
    if (this.#ids.has(id)) throw new RecordingError('/id must not be that of an exchange before it');
    this.#ids.add(id);
    // A server answers CONNECT with a tunnel: no sandbox has recorded one.
    if (!METHODS.includes(method) || method === 'CONNECT')
      throw new RecordingError('/method is a method of HTTP other than CONNECT');
    if (!(changes?.created ?? []).every((each) => isInt64(BigInt(each))))
      throw new RecordingError('/changes/created is int64');
    if ((request.body?.length ?? 0) > MAX_STORED_BODY || response.body.length > MAX_STORED_BODY)
      throw new RecordingError(`must have bodies of at most ${MAX_STORED_BODY} characters`);
    for (const name of Object.keys(request.headers)) rejectOtherHeader(name);
    this.#exchanges.push(exchange);
  }

  /** @param before how many lines there are before it */
  #end(line: string, before: number): void {
    const { end } = this.#checked<Schema<'RecordingEnd'>>('RecordingEnd', plainValue(parseJson(line)));
    if (end !== before) throw new RecordingError(`the file must have ${end} lines before this one; it has ${before}`);
    this.#isWhole = true;
  }

  #checked<T>(name: 'RecordingHead' | 'RecordingFixture' | 'RecordingExchange' | 'RecordingEnd', value: unknown): T {
    this.#checks.check(name, value, 'it');
    return value as T;
  }

  /** What only the whole file tells. @throws {RecordingError} */
  whole(): Recording {
    const [head, state] = [this.#head, this.#state];
    if (!head) throw new RecordingError('this is no recording: it is empty');
    if (!state) throw new RecordingError('the journal is missing: it begins with a line {"begin":…}');
    if (!this.#isWhole) throw new RecordingError('the last line, {"end":…}, is missing: the file was cut');
    const { program, specification, exportedAt, dropped, isRunBegun } = head;
    const named = new Set(this.#fixtures.values());
    for (const [location, point] of [['the state', state] as const, ...state.snapshots]) {
      if (!named.has(point.seed)) throw new RecordingError(`${location}: its fixture must be one of the recording`);
    }
    this.#rejectFaults(state);
    return {
      ...{ program, specification, dropped, isRunBegun, exportedAt: readTime(exportedAt) ?? 0 },
      ...{ fixtures: this.#fixtures, state, exchanges: this.#exchanges },
    };
  }

  /** A rule that no server accepts could not have been exported by one. */
  #rejectFaults({ record, snapshots }: State): void {
    const all = [record.faults, ...[...snapshots.values()].map(({ faults }) => faults)];
    const isAsked = ([name]: [string, unknown]): boolean => (faultFields as readonly string[]).includes(name);
    for (const faults of new Set<readonly FaultRecord[]>(all)) {
      for (const rule of faults) {
        const asked = Object.fromEntries(Object.entries(rule).filter(isAsked));
        this.#checks.check('NewFault', asked, `the fault rule ${rule.id}`);
        if (isRandom(rule) && rule.seed === undefined)
          throw new RecordingError(`the fault rule ${rule.id} must have a seed: it acts at random`);
      }
      if (new Set(faults.map(({ id }) => id)).size < faults.length)
        throw new RecordingError('fault rules must have an id of their own each');
    }
  }
}
