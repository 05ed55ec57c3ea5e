/**
 * The active drills, at most one per sandbox. A drill ends when its sandbox ends or is reset, and with the request log
 * that it is graded by.
 */
import { ApiError } from '../../base/api/errors.ts';
import { type Exchange, isFromDashboard } from '../../base/api/exchange.ts';
import { type Clock, stopwatch } from '../../base/clock.ts';
import { operations } from '../../base/generated/facts.ts';
import { newId } from '../../base/ids.ts';
import { isObject, type JsonValue, parseJson } from '../../base/int64.ts';
import { shorten } from '../../base/text.ts';
import { isoTime } from '../../base/time.ts';
import type { Schema } from '../../client/routes.ts';
import type { DrillResult } from '../../client/run-drill.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import {
  type DrillRecord,
  type EndedDrill,
  type KeyRecord,
  MAX_DRILL_REQUESTS,
  MAX_WORDS,
} from '../../sandbox/store/record.ts';
import { inOrder } from '../../traffic/attempts.ts';
import { type Redact, redactedJson } from '../../traffic/redact.ts';
import type { RequestLogs } from '../../traffic/request-logs.ts';
import { drillOf } from './catalog.ts';
import type { Drill, DrillRun } from './drill.ts';
import { gradeDrill } from './grade.ts';
import { missingFrom, type Wanted } from './result-check.ts';

interface DrillRunsOptions {
  readonly sandboxes: Sandboxes;
  /** Tells the real time. */
  readonly clock: Clock;
  readonly requestLogs: RequestLogs;
  readonly redact: Redact;
}

/** @throws {ApiError} `storage_failed` */
const setDrill = (sandbox: Sandbox, drill: DrillRecord | null): Promise<unknown> => sandbox.journal.update({ drill });

const DEFAULT_LIMIT = operations.listPets.parameters['query/limit'].schema.default;
/** More than a sandbox holds. */
const ALL = { limit: Number.MAX_SAFE_INTEGER };

export class DrillRuns {
  readonly #options: DrillRunsOptions;
  /** When the drill of a sandbox started, by the stopwatch; not known after a restart. */
  readonly #startedMs = new WeakMap<Sandbox, number>();

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
    const { sandboxes, clock, requestLogs } = this.#options;
    const drill = drillOf(id);
    if (drill.revokesKey && !key) {
      throw new ApiError(
        'conflict',
        `the drill ${id} revokes the key that starts it; send that key, not the admin token`,
      );
    }
    await sandboxes.reset(sandbox, { fixture: drill.fixture }, { requestLog: true });
    if (drill.clockAt !== undefined) await sandbox.setClock({ now: drill.clockAt });
    const faults: string[] = [];
    for (const rule of drill.faults) faults.push((await sandbox.addFault(rule)).id);
    const petName = await petNameFor(sandbox, drill);
    const startedAt = clock.now();
    this.#startedMs.set(sandbox, stopwatch());
    const run = { drill: id, startedAt: isoTime(startedAt), petName: petName || null, outcome: null, faults };
    await setDrill(sandbox, run);
    requestLogs.notify(sandbox, { event: 'drill', data: { at: run.startedAt, drill: id } });
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
      startedAt: run.startedAt,
    };
  }

  /** The checks so far. @throws {ApiError} `not_found` where no drill is under way, `too_many_requests` */
  async result(sandbox: Sandbox, strict: boolean): Promise<DrillResult> {
    const run = this.#of(sandbox);
    const drill = drillOf(run.drill);
    const startedAt = Date.parse(run.startedAt);
    const startedMs = this.#startedMs.get(sandbox);
    const petName = run.petName ?? '';
    const requestLog = this.#options.requestLogs.of(sandbox);
    const isSinceStart = (each: Exchange): boolean =>
      startedMs === undefined ? each.at >= startedAt : each.startedMs >= startedMs;
    const sent: DrillRun = {
      // The request log has them in the order of their ends.
      exchanges: inOrder(requestLog.settled().filter((each) => isSinceStart(each) && !isFromDashboard(each))),
      dropped: requestLog.dropped.requests,
      petName,
      petId: drill.petId,
      petsOfName: await petsOfName(sandbox, petName),
      outcome: run.outcome === null ? undefined : { ...run.outcome, at: Date.parse(run.outcome.at) },
    };
    return gradeDrill(drill, sent, { strict, startedAt });
  }

  /**
   * @param results what the client gave back; compared at once, because the pets may change later
   * @throws {ApiError} `not_found` where no drill is under way
   */
  async reportOutcome(
    sandbox: Sandbox,
    { success, crashed = false }: { success: boolean; crashed?: boolean },
    results: readonly JsonValue[],
  ): Promise<void> {
    const run = this.#of(sandbox);
    const drill = drillOf(run.drill);
    const missing = success ? missingFrom(results, drill, await wantedFrom(sandbox, drill, run.petName ?? '')) : null;
    await setDrill(sandbox, { ...run, outcome: { success, crashed, missing, at: isoTime(this.#options.clock.now()) } });
  }

  /** Ends the drill; its faults and its clock go. @throws {ApiError} `not_found`, `storage_failed` */
  async end(sandbox: Sandbox): Promise<void> {
    const { clock, requestLogs } = this.#options;
    const { faults, drill } = this.#of(sandbox);
    await this.keepResult(sandbox);
    await setDrill(sandbox, null);
    const standing = sandbox.record.faults.map(({ id }) => id).filter((id) => faults.includes(id));
    for (const id of standing) await sandbox.removeFault(id);
    if (drillOf(drill).clockAt !== undefined) await sandbox.resetClock();
    requestLogs.notify(sandbox, { event: 'drill', data: { at: isoTime(clock.now()), drill: null } });
  }

  /**
   * Keeps the result of the drill under way before it ends, unless no client began it.
   * @throws {ApiError} `storage_failed`
   */
  async keepResult(sandbox: Sandbox): Promise<void> {
    if (!sandbox.record.drill) return;
    await this.#options.requestLogs.whenValidated(sandbox.id);
    const result = await this.result(sandbox, false);
    if (result.requests.length === 0 && result.outcome === null) return;
    const ended = JSON.parse(redactedJson(endedFrom(result), this.#options.redact)) as EndedDrill;
    await sandbox.journal.update(({ drillResults }) => ({
      drillResults: [...drillResults.filter(({ drill }) => drill !== ended.drill), ended],
    }));
  }

  /** The last result of a drill that has ended. @throws {ApiError} `not_found` */
  ended({ record }: Sandbox, id: string): EndedDrill {
    const { id: drill } = drillOf(id);
    const ended = record.drillResults.find((each) => each.drill === drill);
    if (ended) return ended;
    throw new ApiError('not_found', `the drill ${drill} has no result in this sandbox; PUT /_sandbox/drill starts it`);
  }

  #of({ record: { drill } }: Sandbox): DrillRecord {
    if (drill) return drill;
    throw new ApiError('not_found', 'no drill is under way in this sandbox; PUT /_sandbox/drill starts one');
  }

  /** @returns the new key, which is shown this once */
  async #replaceKey(sandbox: Sandbox, key: KeyRecord): Promise<string> {
    const { secret } = await this.#options.sandboxes.share(sandbox, key, { label: 'second key of a drill' });
    await this.#options.sandboxes.revoke(sandbox, key.id);
    return secret;
  }
}

/** What of a result is kept: the rest is in the catalog. */
function endedFrom({ drill, startedAt, verdict, reason, petName, outcome, checks, requests }: DrillResult): EndedDrill {
  const cut = (text: string): string => shorten(text, MAX_WORDS);
  return {
    ...{ drill, startedAt, verdict, petName, outcome },
    reason: reason === null ? null : cut(reason),
    checks: checks.map(({ id, status, words, requests: shown }) => ({
      ...{ id, status, words: cut(words), requests: shown },
    })),
    requests: requests.slice(0, MAX_DRILL_REQUESTS).map((request) => {
      const { id, at, respondedAt, disconnectedAt, method, target, status, injectedFault, changes } = request;
      return {
        ...{ id, at, respondedAt, disconnectedAt, status, injectedFault, changes },
        ...{ method: cut(method), target: cut(target) },
      };
    }),
  };
}

/** A new name for a pet to create; the name of the fixture's pet for one to find; none where no pet is asked for. */
async function petNameFor(sandbox: Sandbox, { task, petId }: Drill): Promise<string> {
  if (task === 'create' || task === 'all') return `Drill-${newId('pet').slice('pet_'.length)}`;
  const pet = petId === undefined ? undefined : await sandbox.journal.findPet(petId);
  return pet ? petNameOf(pet.json) : '';
}

/** @param petName of the pet to create or to find; empty where there is none */
async function wantedFrom(sandbox: Sandbox, { petId }: Drill, petName: string): Promise<Wanted> {
  const { pets } = await sandbox.journal.listPets({ limit: DEFAULT_LIMIT });
  const found = petId === undefined ? undefined : await sandbox.journal.findPet(petId);
  return {
    // A task that creates a pet may list before or after.
    list: pets.map(({ id, json }) => ({ id, name: petNameOf(json) })).filter(({ name }) => name !== petName),
    created: (await petsOfName(sandbox, petName)).map((id) => ({ id, name: petName })),
    found: petId === undefined || !found ? [] : [{ id: petId, name: petNameOf(found.json) }],
  };
}

async function petsOfName(sandbox: Sandbox, name: string): Promise<readonly bigint[]> {
  if (name === '') return [];
  const { pets } = await sandbox.journal.listPets(ALL);
  const quotedName = JSON.stringify(name);
  return pets.filter(({ json }) => json.includes(quotedName) && petNameOf(json) === name).map(({ id }) => id);
}

function petNameOf(json: string): string {
  const pet = parseJson(json);
  return isObject(pet) && typeof pet['name'] === 'string' ? pet['name'] : '';
}
