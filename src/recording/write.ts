/** Writes a recording. Every text in it is redacted, and every integer keeps its digits. */
import { isoTime } from '../core/clock.ts';
import { INT64_MAX, isObject, type JsonValue, parseJson } from '../core/int64.ts';
import { readPet } from '../core/pet.ts';
import type { Redact } from '../requests/redact.ts';
import { redactedJson } from '../requests/redact.ts';
import { readChange } from './change.ts';
import { inSlices, type Turn } from './in-slices.ts';
import { ABOUT, RECORDING_VERSION, type Recording, type RecordingToWrite } from './recording.ts';
import { changeText, type SavedContents } from './saved.ts';

/** Characters of one piece. */
const PIECE = 64 * 1024;
/** A line break, the indentation and a comma. */
const BETWEEN = 4;

/** Pets between two pauses. */
const PETS = 2_000;

/** A recording as text. */
interface RecordingText {
  /** An upper bound of its bytes. */
  readonly atMost: number;
  /** In pieces, each made when it is asked for. */
  pieces(): Generator<string, void>;
}

/** A part of the text: JSON as it is, or a list of texts that are redacted one by one. */
type Part = string | List;

interface List {
  readonly texts: readonly string[];
  /** The text of a value again, from its redacted JSON. */
  readonly rewrite: (value: JsonValue) => string | undefined;
}

const rewritePet = (value: JsonValue): string | undefined => {
  const reading = readPet(value, 'pet');
  return reading.ok ? reading.value.json : undefined;
};

const rewriteChange = (value: JsonValue): string | undefined => {
  const reading = readChange(value, 'change');
  return reading.ok ? changeText(reading.value.json) : undefined;
};

/** The text of a recording, without secrets. @param turn runs each slice of the work */
export const recordingText = (facts: RecordingToWrite, redact: Redact, turn?: Turn): Promise<RecordingText> =>
  inSlices(writing(facts, redact), turn);

function* writing(facts: RecordingToWrite, redact: Redact): Generator<void, RecordingText> {
  const parts = yield* partsOf(facts, (value) => redactedJson(value, redact));
  let atMost = 0;
  for (const part of parts) {
    if (typeof part === 'string') atMost += Buffer.byteLength(part);
    else
      for (const [i, text] of part.texts.entries()) {
        if (i % PETS === 0) yield;
        atMost += Buffer.byteLength(text) + BETWEEN;
      }
  }
  return { atMost: atMost + BETWEEN, pieces: () => piecesOf(parts, redact) };
}

function* partsOf(facts: RecordingToWrite, json: (value: unknown) => string): Generator<void, Part[]> {
  const { program, specification, exportedAt, sandbox, fixtures, state, start, exchanges, dropped } = facts;
  const parts: Part[] = [];
  const member = (name: string, value: unknown): void => void parts.push(`,\n"${name}":${json(value)}`);
  parts.push(`{"about":${JSON.stringify(ABOUT)},\n"recording":${RECORDING_VERSION}`);
  member('program', program);
  member('specification', specification);
  member('exportedAt', isoTime(exportedAt));
  member('sandbox', { ...sandbox, createdAt: isoTime(sandbox.createdAt) });
  const begin = (i: number): string => (i === 0 ? '\n' : ',\n');
  parts.push(',\n"fixtures":[');
  for (const [i, { name, description, nextId, pets }] of fixtures.entries()) {
    const next = nextId > INT64_MAX ? 'null' : String(nextId);
    const head = `"name":${json(name)},"description":${json(description)},"nextId":${next}`;
    parts.push(`${begin(i)}{${head},"pets":[`, { texts: pets, rewrite: rewritePet }, ']}');
  }
  parts.push('],\n"logs":[');
  for (const [i, { from, changes }] of state.logs.entries())
    parts.push(`${begin(i)}{"from":${json(from)},"changes":[`, { texts: changes, rewrite: rewriteChange }, ']}');
  parts.push(']');
  const { fixture } = state.contents;
  const { atMs, upTo, clock, faults, steps } = start;
  member('start', { fixture, upTo, clock, faults, atMs, steps: steps.map(writtenStep) });
  member('now', { ...writtenContents(state.contents), clock: state.clock, faults: state.faults });
  member(
    'snapshots',
    state.snapshots.map(({ contents, createdAt, ...rest }) => ({
      ...rest,
      ...writtenContents(contents),
      createdAt: isoTime(createdAt),
    })),
  );
  parts.push(`,\n"requestLog":{"dropped":${dropped},"exchanges":[`);
  for (const [i, exchange] of exchanges.entries()) {
    yield;
    parts.push(`${begin(i)}${json(exchange)}`);
  }
  parts.push(']}');
  member('report', facts.report);
  member('drill', facts.drill);
  parts.push('\n}\n');
  return parts;
}

const writtenContents = ({ fixture, upTo }: SavedContents) => ({ fixture, upTo });

/** Ids as texts, which no reader rounds. */
const writtenStep = (step: Recording['start']['steps'][number]): object =>
  'pets' in step ? { ...step, pets: step.pets.map(String) } : step;

const NO_LIST: List = { texts: [], rewrite: () => undefined };

function* piecesOf(parts: readonly Part[], redact: Redact): Generator<string, void> {
  let piece = '';
  for (const part of parts) {
    if (typeof part === 'string') piece += part;
    const { texts, rewrite }: List = typeof part === 'string' ? NO_LIST : part;
    for (const [i, text] of texts.entries()) {
      piece += `${i === 0 ? '\n ' : ',\n '}${withoutSecrets(text, rewrite, redact)}`;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Redacted string by string: what replaces a secret must not break the JSON. */
function withoutSecrets(text: string, rewrite: List['rewrite'], redact: Redact): string {
  if (redact(text) === text) return text;
  // Only a string can hold a secret, so what was a pet still is one.
  return rewrite(redacted(parseJson(text), redact)) ?? '{}';
}

function redacted(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redacted(member, redact)]));
}
