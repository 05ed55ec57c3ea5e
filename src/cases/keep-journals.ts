/**
 * `--keep-journals`: journals, counts of reports and drills outlive an orderly restart, as files in the data directory.
 * A stop writes them, and the next start reads and removes them before it serves anything. So after a kill there are
 * none, and journals begin empty: a file never shows another state than that of its sandbox.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stopwatch } from '../clock.ts';
import type { DrillRuns } from '../drills/runs.ts';
import type { Log } from '../log.ts';
import type { MemoryPlan } from '../memory-plan.ts';
import type { Journals } from '../sandbox/journals.ts';
import type { Redact } from '../sandbox/redact.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Unclaimed } from '../sandbox/unclaimed.ts';
import type { Settings } from '../settings.ts';
import { JournalFiles } from '../store/journal-files.ts';
import type { Store } from '../store/store.ts';
import { KeptReader } from './read-kept.ts';
import { restoreHistory } from './restore-history.ts';
import { holdsOf, type Kept, textOfHistory, textOfUnclaimed } from './write-kept.ts';

/** The file of the requests that belong to no sandbox. */
const UNCLAIMED = 'unclaimed.json';
/** Bytes of a file, and of all files, that fit whatever a journal's characters take: one may take six bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
const BYTES_EACH = 3;
/** The part of the time that is left for closing the store, and for the file at hand. */
const RESERVE_MS = 250;

export interface KeepOptions {
  readonly settings: Pick<Settings, 'data' | 'keepJournals'>;
  readonly memory: Pick<MemoryPlan, 'journals'>;
  readonly store: Store;
  readonly sandboxes: Sandboxes;
  readonly journals: Journals;
  readonly unclaimed: Unclaimed;
  readonly drills: DrillRuns;
  readonly redact: Redact;
  readonly log: Log;
}

export class KeptJournals {
  readonly #options: KeepOptions;
  readonly #files: JournalFiles | undefined;
  readonly #maxBytes: number;

  private constructor(options: KeepOptions) {
    this.#options = options;
    const { settings, memory } = options;
    this.#files = settings.data === undefined ? undefined : new JournalFiles(settings.data);
    this.#maxBytes = Math.min(MAX_BYTES, BYTES_EACH * memory.journals);
  }

  /** Reads what the last stop kept, and removes it. A file that cannot be used never stops the start. */
  static async load(options: KeepOptions): Promise<KeptJournals> {
    const kept = new KeptJournals(options);
    await kept.#load();
    return kept;
  }

  async #load(): Promise<void> {
    const { log, settings } = this.#options;
    const isOn = settings.keepJournals;
    if (!this.#files) return;
    const failed = new Map<string, string>();
    try {
      const names = this.#files.names();
      if (names.length > 0 && isOn) await this.#loadAll(this.#files, names, failed);
      const movedTo = this.#files.clear([...failed.keys()]);
      if (names.length > 0 && !isOn)
        log.warn({ files: names.length }, 'the journals of the last stop were removed: --keep-journals is not set');
      const [[file, reason] = []] = failed;
      if (movedTo !== undefined)
        log.warn({ files: failed.size, movedTo, file, reason }, 'some journals cannot be used; they were moved away');
    } catch (err) {
      log.warn({ err }, 'the journals of the last stop cannot be read or removed');
    }
  }

  async #loadAll(files: JournalFiles, names: readonly string[], failed: Map<string, string>): Promise<void> {
    const reader = new KeptReader();
    let left = this.#maxBytes;
    for (const name of names) {
      // What a kill left of a write.
      if (name.startsWith('.')) continue;
      try {
        const bytes = files.read(name, left);
        left -= bytes.length;
        if (name === UNCLAIMED) {
          const { unclaimed, dropped } = await reader.unclaimed(bytes);
          this.#options.unclaimed.restore(unclaimed, dropped);
        } else await this.#loadOne(name, bytes, reader);
      } catch (error) {
        failed.set(name, (error as Error).message);
      }
      await nextTurn();
    }
  }

  async #loadOne(name: string, bytes: Buffer, reader: KeptReader): Promise<void> {
    const { sandboxes, store, journals, drills } = this.#options;
    const { id, holds, history, drill } = await reader.journal(bytes);
    const sandbox = sandboxes.get(id);
    if (!sandbox || name !== `${id}.json`) throw new Error('there is no such sandbox');
    if (JSON.stringify(await holdsOf(store, id)) !== JSON.stringify(holds))
      throw new Error('its sandbox was changed since, by another program');
    try {
      if (drill) await drills.restore(sandbox, drill);
      journals.restore(sandbox, await restoreHistory(sandbox, history), history.dropped, history.tallies);
    } catch (error) {
      drills.forget(sandbox);
      journals.end(sandbox);
      throw error;
    }
  }

  /** Writes all journals, the one of the latest exchange first; what takes longer than this is left out. */
  async save(leftMs: number): Promise<void> {
    const { settings, store, log, unclaimed, redact } = this.#options;
    // A directory that was replaced is not ours.
    if (!this.#files || !settings.keepJournals || store.problem !== undefined) return;
    const until = stopwatch() + leftMs - RESERVE_MS;
    let missed = 0;
    try {
      if (unclaimed.newestFirst().length > 0) this.#files.write(UNCLAIMED, textOfUnclaimed(unclaimed, redact));
      for (const kept of this.#all()) {
        if (await this.#saveOne(kept, this.#files, until)) await nextTurn();
        else missed += 1;
      }
    } catch (err) {
      log.error({ err }, 'the journals could not be kept');
    }
    if (missed > 0) log.warn({ sandboxes: missed }, 'the stop had no time, or no room, to keep some journals');
  }

  async #saveOne(kept: Kept, files: JournalFiles, until: number): Promise<boolean> {
    const { store, redact } = this.#options;
    const holds = await holdsOf(store, kept.sandbox.id);
    const text = textOfHistory(kept, { holds, redact, isLate: () => stopwatch() > until });
    if (text === undefined || Buffer.byteLength(text) > this.#maxBytes) return false;
    files.write(`${kept.sandbox.id}.json`, text);
    return true;
  }

  /** Everything that there is to keep. */
  #all(): Kept[] {
    const { sandboxes, journals, drills } = this.#options;
    const latest = ({ history: { journal } }: Kept): number => journal.at(journal.next - 1)?.at ?? 0;
    const kept = [...sandboxes.all()].flatMap((sandbox: Sandbox): Kept[] => {
      const history = journals.known(sandbox);
      const drill = drills.saved(sandbox);
      if (!history && !drill) return [];
      return [{ sandbox, history: history ?? journals.of(sandbox), drill: drill ?? null }];
    });
    return kept.sort((a, b) => latest(b) - latest(a));
  }
}
