/** Whether a client returned what its task asked for: an error that it swallowed is no success. */
import { isObject, type JsonValue, readDecimal } from '../../base/int64.ts';
import { type Check, type Drill, graded, NO_OUTCOME } from './drill.ts';

/** What each task asks for, once for each time. */
const ASKED = {
  list: ['list'],
  'list-at-once': ['list'],
  create: ['created'],
  get: ['found'],
  'list-and-get': ['found'],
  all: ['list', 'created', 'found'],
} as const satisfies Readonly<Record<Drill['task'], readonly string[]>>;

export interface NamedPet {
  readonly id: bigint;
  readonly name: string;
}

/** The pets that the sandbox has of each thing that a task may ask for. */
export interface Wanted {
  /** The pets of a list without parameters. */
  readonly list: readonly NamedPet[];
  /** The pets of the name that the task creates. */
  readonly created: readonly NamedPet[];
  /** The pet that the task gets; none if there is no such task. */
  readonly found: readonly NamedPet[];
}

/**
 * What a client did not give back of what its task asked for; `null` if nothing is missing. A pet is recognized by its id
 * and name, so a client may leave out other fields, and write an id as text.
 *
 * @param results a pet or a list for each step of the task, in order; earlier ones than asked for are ignored
 */
export function missingFrom(
  results: readonly JsonValue[],
  { task, times }: Pick<Drill, 'task' | 'times'>,
  wanted: Wanted,
): string | null {
  const asked = Array.from({ length: times }, () => ASKED[task]).flat();
  const last = results.slice(-asked.length);
  for (const [i, what] of asked.entries()) {
    const missing =
      what === 'list'
        ? missingInList(last[i], wanted.list)
        : missingPet(last[i], what, what === 'found' && asked.includes('created') ? gettable(wanted) : wanted[what]);
    if (missing !== null) return asked.length === 1 ? missing : `${missing} (result ${i + 1} of ${asked.length})`;
  }
  return null;
}

/** Of a task that creates a pet before: getting that one is no mistake. */
const gettable = ({ found, created }: Wanted): readonly NamedPet[] => [...found, ...created];

function missingInList(result: JsonValue | undefined, pets: readonly NamedPet[]): string | null {
  if (!Array.isArray(result)) return 'the list of pets';
  const absent = pets.filter((pet) => !result.some((item) => isPet(item, pet)));
  return absent.length === 0 ? null : `${absent.length} of the ${pets.length} pets of the list`;
}

const missingPet = (result: JsonValue | undefined, what: string, pets: readonly NamedPet[]): string | null =>
  pets.some((pet) => isPet(result, pet)) ? null : `the pet that it ${what}, with id and name`;

function isPet(result: JsonValue | undefined, { id, name }: NamedPet): boolean {
  if (!isObject(result) || result['name'] !== name) return false;
  return result['id'] === id || (typeof result['id'] === 'string' && readDecimal(result['id']) === id);
}

/** The last check of every drill. */
export const resultCheck: Check = {
  id: 'result',
  level: 'must',
  title: 'The client returns what the task asks for, or reports failure.',
  source: 'RFC 9110, section 15; RFC 9112, section 8',
  fix: "Don't swallow errors. On success, return the pet or list, or print it as a line of JSON.",
  grade: ({ exchanges, outcome }) => {
    if (!outcome) return NO_OUTCOME;
    const { success, crashed, missing } = outcome;
    return graded(!success || missing === null, {
      words: success
        ? `the client reported success ${missing === null ? 'with its result' : `without ${missing}`}`
        : `the client ${crashed ? 'crashed' : 'reported failure'}`,
      measured: success ? 'success' : 'failure',
      expected: 'the result, or failure',
      exchanges: exchanges.slice(-1),
    });
  },
};
