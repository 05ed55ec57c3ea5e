/** Reads the text of a case: everything is checked before anything is used. */
import { isUtf8 } from 'node:buffer';
import { readTime } from '../clock.ts';
import { describeJson, type JsonObject, parseJson } from '../int64.ts';
import { JsonError } from '../json.ts';
import type { Pet } from '../pet.ts';
import type { SavedLog } from '../store/saved.ts';
import { shorten } from '../wording.ts';
import { CASE_VERSION, type Case, type CaseStep, MAX_CASE_BYTES } from './case.ts';
import type { CaseFile, StepFile } from './case-file.ts';
import { Complaints } from './complaints.ts';
import { checkLinks } from './links.ts';
import { isObject, nextIdIn, petsIn, plain } from './parts.ts';
import { CaseSchema } from './schema.ts';

/** A text that is no case; each line of `message` says where and what was expected. */
export class CaseError extends Error {
  override readonly name = 'CaseError';
}

/** Members and array items of a file: a million pets. */
const MAX_MEMBERS = 8_000_000;

/**
 * The case in a file.
 * @param schema keeps its validators for the next case
 * @throws {CaseError}
 */
export async function readCase(bytes: Buffer, schema: CaseSchema = new CaseSchema()): Promise<Case> {
  if (bytes.length > MAX_CASE_BYTES) throw new CaseError(tooLarge);
  if (!isUtf8(bytes)) throw new CaseError('not valid UTF-8');
  const file = parse(bytes.toString('utf8'));
  refuseOthers(file);
  const complaints = new Complaints();
  const lists = petsOut(file, complaints);
  const read = plain(file);
  await schema.check(read, complaints);
  if (complaints.none) await schema.checkRules(read as CaseFile, complaints);
  // The lists agree with the heads once the schema holds.
  const found = complaints.none ? caseOf(read as CaseFile, lists) : undefined;
  if (found) checkLinks(found, complaints);
  if (found && complaints.none) return found;
  throw new CaseError(complaints.text());
}

export const tooLarge = `a case has at most ${MAX_CASE_BYTES / 2 ** 20} MiB`;

function parse(text: string): JsonObject {
  try {
    const value = parseJson(text, MAX_MEMBERS);
    if (isObject(value)) return value;
    throw new CaseError(`a case is a JSON object, as petstore-sandbox export writes it; got ${describeJson(value)}`);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new CaseError(error.message, { cause: error });
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

/** The pets of fixtures and logs, and the next ids, digit for digit. They are taken out of the file. */
interface Lists {
  readonly fixtures: readonly { readonly pets: readonly Pet[]; readonly nextId: bigint }[];
  readonly logs: readonly (readonly Pet[])[];
}

function petsOut(file: JsonObject, complaints: Complaints): Lists {
  const each = (name: string): [JsonObject, string][] => {
    const list = file[name];
    return Array.isArray(list) ? list.flatMap((item, i) => (isObject(item) ? [[item, `${name}[${i}]`]] : [])) : [];
  };
  return {
    fixtures: each('fixtures').map(([fixture, place]) => ({
      nextId: nextIdIn(fixture, place, complaints),
      pets: petsIn(fixture, place, complaints),
    })),
    logs: each('logs').map(([log, place]) => petsIn(log, place, complaints)),
  };
}

function caseOf(file: CaseFile, { fixtures, logs }: Lists): Case {
  const { program, specification, exportedAt, sandbox, now, start, journal, unclaimed, report, drill } = file;
  const { atMs, added, clock, faults, steps } = start;
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
      logs: file.logs.map(({ from }, i): SavedLog => ({ from, pets: logs[i] as readonly Pet[] })),
      world: { fixture: now.fixture, added: now.added },
      clock: now.clock,
      faults: now.faults,
      snapshots: file.snapshots.map(({ name, createdAt, fixture, added: point, ...settings }) => ({
        name,
        createdAt: timeOf(createdAt),
        world: { fixture, added: point },
        ...settings,
      })),
    },
    start: { atMs, added, clock, faults, steps: steps.map(stepOf) },
    exchanges: journal.exchanges,
    dropped: journal.dropped,
    unclaimed,
    report,
    drill,
  };
}

/** With its ids as integers. */
export const stepOf = (step: StepFile): CaseStep =>
  'pets' in step ? { ...step, pets: [BigInt(step.pets[0]), BigInt(step.pets[1])] } : step;

const timeOf = (text: string): number => readTime(text) ?? 0;
