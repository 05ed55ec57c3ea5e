/** Writes a case. Every text in it is redacted, and every integer keeps its digits. */
import { isoTime } from '../clock.ts';
import { INT64_MAX, type JsonObject, parseJson } from '../int64.ts';
import { readPet } from '../pet.ts';
import type { Redact } from '../sandbox/redact.ts';
import { redactedJson } from '../sandbox/redact.ts';
import type { SavedWorld } from '../store/saved.ts';
import { ABOUT, CASE_VERSION, type Case } from './case.ts';
import { inSlices, type Turn } from './in-slices.ts';

/** Characters of one piece. */
const PIECE = 64 * 1024;
/** A line break, the indentation and a comma. */
const BETWEEN = 4;

/** Pets between two pauses. */
const PETS = 2_000;

/** A case as text. */
export interface CaseText {
  /** An upper bound of its bytes. */
  readonly atMost: number;
  /** In pieces, each made when it is asked for. */
  pieces(): Generator<string, void>;
}

/** A part of the text: JSON as it is, or the pets of a list. */
type Part = string | readonly string[];

/** The text of a case, without secrets. @param turn runs each slice of the work */
export const caseText = (facts: Case<string>, redact: Redact, turn?: Turn): Promise<CaseText> =>
  inSlices(writing(facts, redact), turn);

function* writing(facts: Case<string>, redact: Redact): Generator<void, CaseText> {
  const parts = yield* partsOf(facts, (value) => redactedJson(value, redact));
  let atMost = 0;
  for (const part of parts) {
    if (typeof part === 'string') atMost += Buffer.byteLength(part);
    else
      for (const [i, pet] of part.entries()) {
        if (i % PETS === 0) yield;
        atMost += Buffer.byteLength(pet) + BETWEEN;
      }
  }
  return { atMost: atMost + BETWEEN, pieces: () => piecesOf(parts, redact) };
}

function* partsOf(facts: Case<string>, json: (value: unknown) => string): Generator<void, Part[]> {
  const { program, specification, exportedAt, sandbox, fixtures, state, start, exchanges, dropped } = facts;
  const parts: Part[] = [];
  const member = (name: string, value: unknown): void => void parts.push(`,\n"${name}":${json(value)}`);
  parts.push(`{"about":${JSON.stringify(ABOUT)},\n"case":${CASE_VERSION}`);
  member('program', program);
  member('specification', specification);
  member('exportedAt', isoTime(exportedAt));
  member('sandbox', { ...sandbox, createdAt: isoTime(sandbox.createdAt) });
  const listOf = (name: string, heads: readonly string[], lists: readonly (readonly string[])[]): void => {
    parts.push(`,\n"${name}":[`);
    for (const [i, head] of heads.entries())
      parts.push(`${i === 0 ? '\n' : ',\n'}{${head},"pets":[`, lists[i] ?? [], ']}');
    parts.push(']');
  };
  const heads = fixtures.map(({ name, description, nextId }) => {
    const next = nextId > INT64_MAX ? 'null' : String(nextId);
    return `"name":${json(name)},"description":${json(description)},"nextId":${next}`;
  });
  listOf(
    'fixtures',
    heads,
    fixtures.map(({ pets }) => pets),
  );
  listOf(
    'logs',
    state.logs.map(({ from }) => `"from":${json(from)}`),
    state.logs.map(({ pets }) => pets),
  );
  const { fixture } = state.world;
  const { atMs, added, clock, faults, steps } = start;
  member('start', { fixture, added, clock, faults, atMs, steps: steps.map(writtenStep) });
  member('now', { ...writtenWorld(state.world), clock: state.clock, faults: state.faults });
  member(
    'snapshots',
    state.snapshots.map(({ world, createdAt, ...rest }) => ({
      ...rest,
      ...writtenWorld(world),
      createdAt: isoTime(createdAt),
    })),
  );
  parts.push(`,\n"journal":{"dropped":${dropped},"exchanges":[`);
  for (const [i, exchange] of exchanges.entries()) {
    yield;
    parts.push(`${i === 0 ? '\n' : ',\n'}${json(exchange)}`);
  }
  parts.push(']}');
  member('unclaimed', facts.unclaimed);
  member('report', facts.report);
  member('drill', facts.drill);
  parts.push('\n}\n');
  return parts;
}

const writtenWorld = ({ fixture, added }: SavedWorld) => ({ fixture, added });

/** Ids as texts, which no reader rounds. */
export const writtenStep = (step: Case['start']['steps'][number]): object =>
  'pets' in step ? { ...step, pets: step.pets.map(String) } : step;

function* piecesOf(parts: readonly Part[], redact: Redact): Generator<string, void> {
  let piece = '';
  for (const part of parts) {
    if (typeof part === 'string') piece += part;
    for (const [i, pet] of (typeof part === 'string' ? [] : part).entries()) {
      piece += `${i === 0 ? '\n ' : ',\n '}${withoutSecrets(pet, redact)}`;
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

/** A pet is redacted text by text: what replaces a secret must not break the JSON. */
function withoutSecrets(pet: string, redact: Redact): string {
  if (redact(pet) === pet) return pet;
  const members = Object.entries(parseJson(pet) as JsonObject);
  const clean = members.map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value] as const);
  const reading = readPet(Object.fromEntries(clean), 'pet');
  // Only a text can hold a secret, so what was a pet still is one.
  return reading.ok ? reading.value.json : '{}';
}
