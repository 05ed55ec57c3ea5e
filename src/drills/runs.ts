/**
 * The drills that are under way, one a sandbox. They live in memory, as journals do, and end when their sandbox ends or
 * is reset.
 */
import type { Schema } from '../client/routes.ts';
import { type Clock, isoTime } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { newId } from '../ids.ts';
import { NumberLiteral, parseJson } from '../int64.ts';
import type { Histories } from '../sandbox/backend.ts';
import { drillEvent } from '../sandbox/events.ts';
import { isFromDashboard } from '../sandbox/intent.ts';
import type { Journals } from '../sandbox/journals.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SandboxClocks } from '../sandbox/sandbox-clocks.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { KeyRecord } from '../store/record.ts';
import { drillOf } from './catalogue.ts';
import type { Drill, Evidence, Outcome } from './drill.ts';
import { type DrillResult, gradeDrill } from './grade.ts';

export interface DrillRunsOptions {
  readonly sandboxes: Sandboxes;
  readonly clocks: SandboxClocks;
  /** Tells the real time. */
  readonly clock: Clock;
  readonly journals: Journals;
  readonly histories: Pick<Histories, 'clear' | 'tell'>;
}

interface Run {
  readonly drill: Drill;
  readonly startedAt: number;
  readonly petName: string;
  /** Ids of the rules that make it go wrong. */
  readonly faults: readonly string[];
  outcome: Outcome | undefined;
}

/** A drill as its result shows it, and the ids of its fault rules. */
export type SavedDrill = Pick<DrillResult, 'drill' | 'startedAt' | 'petName' | 'outcome'> & {
  readonly faults: readonly string[];
};

/** More than a sandbox holds. */
const ALL = { limit: Number.MAX_SAFE_INTEGER };

export class DrillRuns {
  readonly #runs = new Map<string, Run>();
  readonly #options: DrillRunsOptions;

  constructor(options: DrillRunsOptions) {
    this.#options = options;
  }

  /**
   * Resets the sandbox to a drill's start and arms it.
   *
   * @param key the key that the request came with; `undefined` for the admin
   * @throws {ApiError} `not_found` (no such drill), `conflict` (its key cannot be revoked), `storage_failed`
   */
  async start(sandbox: Sandbox, id: string, key: KeyRecord | undefined): Promise<Schema<'DrillTask'>> {
    const { sandboxes, clocks, clock, histories } = this.#options;
    const drill = drillOf(id);
    if (drill.revokesKey && !key) {
      throw new ApiError(
        'conflict',
        `the drill ${id} revokes the key that starts it; send that key, not the admin token`,
      );
    }
    await sandboxes.reset(sandbox, { fixture: drill.fixture });
    await histories.clear(sandbox);
    if (drill.clockAt !== undefined) await clocks.set(sandbox, { now: drill.clockAt });
    const faults: string[] = [];
    for (const rule of drill.faults) faults.push((await sandbox.faults.add(rule)).id);
    const petName = await petNameFor(sandbox, drill);
    const startedAt = clock.now();
    this.#runs.set(sandbox.id, { drill, startedAt, petName, faults, outcome: undefined });
    histories.tell(sandbox, drillEvent(startedAt, id));
    const secondKey = drill.revokesKey && key ? await this.#replaceKey(sandbox, key) : null;
    const { group, title, task, times, petId } = drill;
    return {
      drill: id,
      group,
      title,
      task,
      times,
      petName: petName || null,
      petId: petId?.toString() ?? null,
      secondKey,
      startedAt: isoTime(startedAt),
    };
  }

  /** Takes over a drill that was saved. @throws {ApiError} `not_found` (no such drill) */
  restore(sandbox: Sandbox, { drill, startedAt, petName, faults, outcome }: SavedDrill): void {
    this.#runs.set(sandbox.id, {
      drill: drillOf(drill),
      startedAt: Date.parse(startedAt),
      petName: petName ?? '',
      faults,
      outcome: outcome === null ? undefined : { ...outcome, at: Date.parse(outcome.at) },
    });
  }

  /** The drill that runs, as data; `undefined` if none does. */
  saved({ id }: Sandbox): SavedDrill | undefined {
    const run = this.#runs.get(id);
    if (!run) return undefined;
    const { drill, startedAt, petName, faults, outcome } = run;
    return {
      drill: drill.id,
      startedAt: isoTime(startedAt),
      petName: petName || null,
      outcome: outcome === undefined ? null : { ...outcome, at: isoTime(outcome.at) },
      faults,
    };
  }

  /** The ids of the fault rules of the drill that runs; `undefined` if none does. */
  faultsOf({ id }: Sandbox): readonly string[] | undefined {
    return this.#runs.get(id)?.faults;
  }

  /** The checks so far. @throws {ApiError} `not_found` where no drill is under way */
  async result(sandbox: Sandbox, strict: boolean): Promise<DrillResult> {
    const { drill, startedAt, petName, outcome } = this.#of(sandbox);
    const { journal } = this.#options.journals.of(sandbox);
    const sinceStart = [...journal.newestFirst()].filter((each) => each.at >= startedAt && !isFromDashboard(each));
    const evidence: Evidence = {
      // The journal has them in the order of their ends.
      exchanges: sinceStart.toReversed().sort((a, b) => a.at - b.at),
      petName,
      petId: drill.petId,
      petsOfName: await petsOfName(sandbox, petName),
      outcome,
    };
    return gradeDrill(drill, evidence, { strict, startedAt });
  }

  /** @throws {ApiError} `not_found` where no drill is under way */
  tell(sandbox: Sandbox, { success, crashed = false }: { success: boolean; crashed?: boolean }): void {
    this.#of(sandbox).outcome = { success, crashed, at: this.#options.clock.now() };
  }

  /** Ends the drill; its faults and its clock go. @throws {ApiError} `not_found`, `storage_failed` */
  async end(sandbox: Sandbox): Promise<void> {
    const { clocks, clock, histories } = this.#options;
    const { faults, drill } = this.#of(sandbox);
    this.#runs.delete(sandbox.id);
    const standing = sandbox.faults.rules.map(({ id }) => id).filter((id) => faults.includes(id));
    for (const id of standing) await sandbox.faults.remove(id);
    if (drill.clockAt !== undefined) await clocks.reset(sandbox);
    histories.tell(sandbox, drillEvent(clock.now(), null));
  }

  /** The sandbox was reset or is gone, and its drill with it. */
  forget(sandbox: Sandbox): void {
    this.#runs.delete(sandbox.id);
  }

  #of(sandbox: Sandbox): Run {
    const run = this.#runs.get(sandbox.id);
    if (run) return run;
    throw new ApiError('not_found', 'no drill is under way in this sandbox; PUT /_sandbox/drill starts one');
  }

  /** @returns the new key, which is shown this once */
  async #replaceKey(sandbox: Sandbox, key: KeyRecord): Promise<string> {
    const { secret } = await this.#options.sandboxes.share(sandbox, key, { label: 'second key of a drill' });
    await this.#options.sandboxes.revoke(sandbox, key.id);
    return secret;
  }
}

/** A new name for a pet to create; the name of the fixture's pet for one to find; none where no pet is asked for. */
async function petNameFor(sandbox: Sandbox, { task, petId }: Drill): Promise<string> {
  if (task === 'create' || task === 'all') return `Drill-${newId('pet').slice('pet_'.length)}`;
  const pet = petId === undefined ? undefined : await sandbox.findPet(petId);
  return pet ? nameOf(pet.json) : '';
}

async function petsOfName(sandbox: Sandbox, name: string): Promise<readonly bigint[]> {
  if (name === '') return [];
  const { pets } = await sandbox.listPets(ALL);
  const quotedName = JSON.stringify(name);
  return pets.filter(({ json }) => json.includes(quotedName) && nameOf(json) === name).map(({ id }) => id);
}

function nameOf(json: string): string {
  const pet = parseJson(json);
  const isObject = typeof pet === 'object' && pet !== null && !Array.isArray(pet) && !(pet instanceof NumberLiteral);
  return isObject && typeof pet['name'] === 'string' ? pet['name'] : '';
}
