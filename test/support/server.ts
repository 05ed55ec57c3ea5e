/**
 * Servers for tests: in memory, on a free port, closed when the test (or, begun in `beforeAll`, the file) is over. Each is
 * watched: an error in its log, or a word of its judge against the service, fails the test that did not announce it.
 */
import type { Clock } from '../../src/clock.ts';
import { type Level, settle } from '../../src/config.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server.ts';
import { Client } from './client.ts';
import { KeptLog, type LogLine } from './log.ts';

export interface TestServerOptions
  extends Partial<Pick<ServerOptions, 'readyKey' | 'patience' | 'heartbeatMs' | 'idleMs' | 'readingMs' | 'memory'>> {
  /** Settings that differ from: any free port, memory. */
  readonly settings?: Level;
  readonly clock?: Clock;
}

export interface TestServer extends RunningServer {
  /** All that it logged so far. */
  readonly lines: readonly LogLine[];
  /** A client without a key, or with this one. */
  client(key?: string): Client;
  /** A new sandbox, and a client that holds its key. */
  sandbox(ask?: { fixture?: string; ttlSeconds?: number; label?: string }): Promise<Client>;
  /** Announces errors in its log by their message; the judge logs whatever it counts against the service. */
  expectTrouble(pattern: RegExp): void;
}

/** Starts a server that needs no closing. */
export async function startTestServer({ settings = {}, ...options }: TestServerOptions = {}): Promise<TestServer> {
  const log = new KeptLog();
  const place = settings.data === undefined ? { memory: true } : {};
  const running = await startServer({ ...options, log, settings: settle([{ port: 0, ...place, ...settings }]) });
  servers.add(running, log);
  return {
    ...running,
    lines: log.lines,
    client: (key) => new Client(running.url, key),
    sandbox: async (ask = {}) => new Client(running.url, (await running.sandboxes.create(ask)).secret),
    expectTrouble: (pattern) => log.expect(pattern),
  };
}

interface Watched {
  readonly server: RunningServer;
  readonly log: KeptLog;
  readonly ofTest: boolean;
  /** What the judge had counted against the service when the troubles were last told. */
  counted: number;
}

/** The servers of this test file that still run. */
class Servers {
  readonly #running = new Set<Watched>();
  #inTest = false;

  add(server: RunningServer, log: KeptLog): void {
    this.#running.add({ server, log, ofTest: this.#inTest, counted: 0 });
  }

  enterTest(): void {
    this.#inTest = true;
  }

  async leaveTest(): Promise<void> {
    this.#inTest = false;
    for (const { server } of this.#running) await server.judge.settled();
    await this.#end(({ ofTest }) => ofTest);
    this.#complain([...this.#running]);
  }

  closeAll(): Promise<void> {
    return this.#end(() => true);
  }

  async #end(which: (watched: Watched) => boolean): Promise<void> {
    const ended = [...this.#running].filter(which);
    for (const watched of ended) this.#running.delete(watched);
    await Promise.all(ended.map(({ server }) => server.close()));
    this.#complain(ended);
  }

  /** @throws an error with every trouble that was not told before */
  #complain(all: readonly Watched[]): void {
    const troubles = all.flatMap(takeTroubles);
    if (troubles.length > 0) throw new Error(`the server was in trouble: ${troubles.join('\n')}`);
  }
}

function takeTroubles(watched: Watched): readonly string[] {
  const { troubles, announced } = watched.log.take();
  const { unjudged, disagreements, brokenAnswers } = watched.server.judge.tallies;
  const counted = unjudged + disagreements + brokenAnswers;
  const fresh = counted - watched.counted;
  watched.counted = counted;
  // The judge logs what it counts: more counts than lines means that something was counted in silence.
  if (fresh <= announced || troubles.length > 0) return troubles;
  return [`the judge counted in silence: ${JSON.stringify(watched.server.judge.tallies)}`];
}

export const servers = new Servers();
