/** Writes a recording. Every text in it is redacted, and every integer keeps its digits. */

import type { Exchange } from '../../base/api/exchange.ts';
import { interfaceVersion } from '../../base/generated/facts.ts';
import { endOfString } from '../../base/json.ts';
import { inSlices, type RunSlice } from '../../base/lane.ts';
import { MAX_LINE_BYTES, MAX_RECORDING_BYTES } from '../../base/limits.ts';
import { isoTime } from '../../base/time.ts';
import { entriesWith, entryText } from '../../sandbox/store/entries.ts';
import { type Fixture, isSameFixture } from '../../sandbox/store/fixture.ts';
import { entriesOf, type State, withSeeds } from '../../sandbox/store/state.ts';
import type { Store } from '../../sandbox/store/store.ts';
import type { Redact } from '../redact.ts';
import type { RequestLog } from '../request-log.ts';
import { type RecordingExchange, shownExchange } from '../shown.ts';
import { RECORDING_VERSION, type Recording } from './recording.ts';

/** The head of every recording, for readers of the file. */
const ABOUT =
  'A recording of the petstore sandbox: what one sandbox holds, and what its client sent and got. It contains no keys, ' +
  'no secrets of the settings, and no credentials in headers, cookies and query parameters: they are replaced by [key]. ' +
  'It does contain the pets, the requests and the responses. ' +
  'Open it with: npx petstore-sandbox open <file>.';

/** Characters of one piece. */
const PIECE = 64 * 1024;

interface Sources {
  readonly store: Store;
  readonly requestLog: RequestLog;
  /** How many requests are in no sandbox, and may be of its client. */
  readonly unattributed: number;
  /** The program's. */
  readonly version: string;
  /** Real time in milliseconds since 1970. */
  readonly now: number;
  readonly turn: RunSlice;
}

/** No client could send a malformed request again, and no archive has a place for it, nor for the target of `OPTIONS *`. */
export const hasPlace = ({ malformed, request }: Exchange): boolean =>
  malformed === undefined && request.target !== '*';

/** A recording whose exchanges are shown while it is written. */
export interface OpenRecording extends Omit<Recording, 'exchanges'> {
  readonly exchanges: Iterable<RecordingExchange>;
}

/** The recording of a sandbox; it may contain secrets until it is written. */
export async function recordingOf(
  sandbox: string,
  { store, requestLog, unattributed, version, now, turn }: Sources,
): Promise<OpenRecording> {
  // At once: they belong to this state.
  const settled = requestLog.settled();
  const exchanges = settled.filter(hasPlace);
  const leftOut = settled.filter((each) => !hasPlace(each));
  const remains = requestLog.remains(leftOut, unattributed);
  const { state, fixtures } = await inSlices(forEverybody(store.journal(sandbox).state), turn);
  return {
    program: version,
    specification: interfaceVersion,
    exportedAt: now,
    ...remains,
    fixtures,
    state,
    exchanges: {
      *[Symbol.iterator]() {
        for (const exchange of exchanges) yield recorded(exchange);
      },
    },
  };
}

/** The state without keys; its fixtures have names of their own. Pauses where fixtures are compared. */
function* forEverybody({ record, ...rest }: State) {
  const fixtures = new Map<string, Fixture>();
  const here = new Map<Fixture, Fixture>();
  for (const { seed } of [rest, ...rest.snapshots.values()]) {
    yield;
    here.set(seed, namedIn(fixtures, seed));
  }
  const bare: State = { ...rest, record: { ...record, keys: [], expiresAt: null, preconfigured: false } };
  return { state: withSeeds(bare, (seed) => here.get(seed) as Fixture), fixtures };
}

/** Fixtures that came with requests have one name, and so have two versions of a file. */
function namedIn(fixtures: Map<string, Fixture>, fixture: Fixture): Fixture {
  const isKnown = (known: Fixture): boolean => fixture.isInline || known.name === fixture.name;
  for (const known of fixtures.values()) if (isKnown(known) && isSameFixture(known, fixture)) return known;
  let { name } = fixture;
  for (let n = 2; fixtures.has(name); n++) name = `${fixture.name.slice(0, 60)}-${n}`;
  fixtures.set(name, { ...fixture, name, isInline: false });
  return fixtures.get(name) as Fixture;
}

const recorded = (exchange: Exchange): RecordingExchange => ({
  ...shownExchange(exchange),
  accepted: exchange.decision.kind === 'accepted',
  startMs: exchange.startedMs,
});

/** The lines of a recording, without their line breaks; secrets are still in them. */
function* recordingLines(recording: OpenRecording): Generator<string, void> {
  let end = 0;
  for (const line of contentOf(recording)) {
    yield line;
    end++;
  }
  yield JSON.stringify({ end });
}

function* contentOf({ fixtures, state, exchanges, ...head }: OpenRecording): Generator<string, void> {
  yield JSON.stringify({ recording: RECORDING_VERSION, about: ABOUT, ...head, exportedAt: isoTime(head.exportedAt) });
  for (const [fixture, { description, nextId, pets }] of fixtures) {
    yield JSON.stringify({ fixture, description, nextId: String(nextId) });
    for (const entry of entriesWith(pets.each())) yield entryText(entry);
  }
  for (const entry of entriesOf(state)) yield entryText(entry);
  for (const exchange of exchanges) yield JSON.stringify({ exchange });
}

/** Whether the file is as short as a recording must be. Yields where it may pause. */
export function* fits(recording: OpenRecording): Generator<void, boolean> {
  let all = 0;
  for (const line of recordingLines(recording)) {
    const bytes = Buffer.byteLength(line) + 1;
    all += bytes;
    if (bytes > MAX_LINE_BYTES || all > MAX_RECORDING_BYTES) return false;
    yield;
  }
  return true;
}

/** The file in pieces, without secrets; each is made when it is asked for. */
export function* piecesOf(recording: OpenRecording, redact: Redact): Generator<string, void> {
  let piece = '';
  for (const line of recordingLines(recording)) {
    piece += `${withoutSecrets(line, redact)}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** A line without secrets: string by string, because what replaces a secret must not break the JSON. Names are ours. */
function withoutSecrets(line: string, redact: Redact): string {
  if (line.startsWith('{"pets":') && redact(line) === line) return line;
  let clean = '';
  let at = 0;
  for (let from = line.indexOf('"'); from >= 0; from = line.indexOf('"', at)) {
    const end = endOfString(line, from) + 1;
    const text = line.slice(from, end);
    clean += line.slice(at, from) + (line[end] === ':' ? text : JSON.stringify(redact(JSON.parse(text))));
    at = end;
  }
  return clean + line.slice(at);
}
