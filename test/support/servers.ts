/**
 * The servers of a test file, closed when the test (or, begun in `beforeAll`, the file) is over. Of a server that files share,
 * only the sandboxes end with the file. Each is watched: an error in its log, or a word of its validator against the service,
 * fails the test that did not announce it.
 *
 * Every test file loads this, so it does not import the server. Tests without a server start faster.
 */
import type { Exchange } from '../../src/base/api/exchange.ts';
import type { RunningServer } from '../../src/server/server.ts';
import type { RecordingChecks } from '../../src/traffic/files/recording.ts';
import type { KeptLog } from './log.ts';

/** What a server is closed with. */
type Lasts = 'test' | 'file' | 'process';

interface Watched {
  readonly server: RunningServer;
  readonly log: KeptLog;
  readonly lasts: Lasts;
  /** Requests of the control API that were not checked yet. */
  readonly controls: Exchange[];
  /** What the validator had counted against the service when the troubles were last told. */
  counted: number;
}

/** How many sandboxes of a server are exported at the end of its test. */
const EXPORTED = 2;

/** The servers that still run. */
class Servers {
  readonly #running = new Set<Watched>();
  #inTest = false;
  #checks: RecordingChecks | undefined;
  #controlCheck: ReturnType<typeof import('./control-check.ts').controlCheck> | undefined;

  /** @param isShared whether other test files of this process use it, too */
  add(
    server: RunningServer,
    log: KeptLog,
    { isShared, controls }: Pick<Watched, 'controls'> & { readonly isShared: boolean },
  ): void {
    const lasts = isShared ? 'process' : this.#inTest ? 'test' : 'file';
    this.#running.add({ server, log, lasts, controls, counted: 0 });
  }

  enterTest(): void {
    this.#inTest = true;
  }

  async leaveTest(): Promise<void> {
    this.#inTest = false;
    for (const { server } of this.#running) await server.validator.whenValidated();
    await this.#end('test');
    await this.#complain([...this.#running]);
  }

  async leaveFile(): Promise<void> {
    for (const those of ['test', 'file', 'process'] as const) await this.#end(those);
  }

  async #end(those: Lasts): Promise<void> {
    const ended = [...this.#running].filter(({ lasts }) => lasts === those);
    if (those !== 'process') for (const watched of ended) this.#running.delete(watched);
    const rejected = await Promise.all(
      ended.map(async ({ server }) => {
        await server.validator.whenValidated();
        const problems = server.store.problem === undefined ? await this.#readBack(server) : [];
        if (those !== 'process') await server.close();
        else for (const sandbox of [...server.sandboxes.all()]) server.sandboxes.end(sandbox);
        return problems;
      }),
    );
    await this.#complain(ended);
    const problems = rejected.flat();
    if (problems.length > 0) throw new Error(`an import would reject an export: ${problems.join('\n')}`);
  }

  /** Exports the newest sandboxes as they are, whatever a test did to them, and reads the recordings as an import does. */
  async #readBack({ url, adminToken, sandboxes }: RunningServer): Promise<readonly string[]> {
    const ids = [...sandboxes.all()].slice(-EXPORTED).map(({ id }) => id);
    if (ids.length === 0 || url.startsWith('https:')) return [];
    const { recordingChecks } = await import('../../src/traffic/files/recording.ts');
    const { readRecording } = await import('../../src/traffic/files/read.ts');
    this.#checks ??= await recordingChecks();
    const problems: string[] = [];
    for (const id of ids) {
      const headers = { Authorization: `Bearer ${adminToken}` };
      // A server that a test made impatient, or without room, may answer with nothing or with a part.
      const bytes = await fetch(`${url}/_sandbox/export?format=recording&sandbox=${id}`, { headers })
        .then((reply) => (reply.status === 200 ? reply.arrayBuffer() : undefined))
        .catch(() => undefined);
      if (bytes === undefined) continue;
      await readRecording(Buffer.from(bytes), this.#checks).catch((error: Error) =>
        problems.push(`${id}: ${error.message}`),
      );
    }
    return problems;
  }

  /** @throws an error with every trouble that was not told before */
  async #complain(all: readonly Watched[]): Promise<void> {
    const controls = all.flatMap((watched) => watched.controls.splice(0));
    if (controls.length > 0) this.#controlCheck ??= (await import('./control-check.ts')).controlCheck();
    const problemOf = await this.#controlCheck;
    const troubles = [...all.flatMap(takeTroubles), ...controls.flatMap((each) => problemOf?.(each) ?? [])];
    if (troubles.length > 0) throw new Error(`the server was in trouble: ${troubles.join('\n')}`);
  }
}

function takeTroubles(watched: Watched): readonly string[] {
  const { troubles, announced } = watched.log.take();
  const { validationFailures: validationError, disagreements, brokenResponses } = watched.server.validator.tallies;
  const counted = validationError + disagreements + brokenResponses;
  const fresh = counted - watched.counted;
  watched.counted = counted;
  // The validator logs what it counts: more counts than lines means that something was counted in silence.
  if (fresh <= announced || troubles.length > 0) return troubles;
  return [`the validator counted in silence: ${JSON.stringify(watched.server.validator.tallies)}`];
}

export const servers = new Servers();
