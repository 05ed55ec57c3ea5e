/** Backups of a server under load: each of them starts, with everything that was acknowledged before it was begun. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startProgram } from '../crash/program.ts';
import { sendAs } from '../crash/storm.ts';
import { openFiles } from '../store/support.ts';
import { send } from '../support/client.ts';
import { runProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';

const BACKUPS = 14;
const JSON_TYPE = { 'Content-Type': 'application/json' };

it(
  'all of them start, and none misses what was acknowledged before',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-backup-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const data = join(folder, 'data');
    const server = await startProgram(data);
    onTestFinished(() => server.kill());
    const load = new Load(server.url);
    onTestFinished(() => load.stop());
    await load.start();
    const made: { to: string; acknowledged: ReadonlyMap<string, number> }[] = [];
    for (let n = 1; n <= BACKUPS; n++) {
      await load.moves();
      const to = join(folder, `copy-${n}`);
      const acknowledged = load.acknowledged();
      const { code, stderr } = await runProgram(['backup', '--data', data, '--to', to]);
      expect([n, code, stderr]).toEqual([n, 0, '']);
      made.push({ to, acknowledged });
    }
    await load.stop();
    expect(load.wrongs).toEqual([]);
    for (const { to, acknowledged } of made) {
      const notices: unknown[] = [];
      const store = await openFiles(to, undefined, (notice) => notices.push(notice));
      // Nothing had to be mended or moved.
      expect(notices).toEqual([]);
      for (const [sandbox, ids] of acknowledged) {
        const { pets } = await store.list(sandbox, { limit: 1_000_000 });
        expect(pets.length, `${sandbox} in ${to}`).toBeGreaterThanOrEqual(ids);
        expect(pets.map(({ id }) => Number(id))).toEqual(pets.map((_, i) => i + 1));
      }
      await store.close();
    }
  },
  limit(240_000),
);

/** Clients of one server: some only add, the others reset, keep snapshots, fork and end. */
class Load {
  readonly wrongs: string[] = [];
  readonly counts = { creates: 0, resets: 0, ends: 0 };
  readonly #url: string;
  /** Acknowledged pets of the sandboxes that are only added to: their ids are 1 to this. */
  readonly #added = new Map<string, number>();
  #stopping = false;
  #workers: Promise<void>[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  acknowledged(): ReadonlyMap<string, number> {
    return new Map(this.#added);
  }

  async start(): Promise<void> {
    const [first, second] = [await this.#key(), await this.#key()];
    this.#workers = [
      this.#loop(first, (key) => this.#grow(key)),
      this.#loop(second, (key) => this.#grow(key)),
      ...Array.from({ length: 4 }, async () => this.#loop(await this.#key(), (key) => this.#turnOver(key))),
      ...Array.from({ length: 2 }, async () => this.#loop(first, (key) => this.#forkAndEnd(key))),
    ];
  }

  /** Resolves once there were creates, resets and ends since now. */
  async moves(): Promise<void> {
    const before = { ...this.counts };
    const kinds = Object.keys(before) as (keyof typeof before)[];
    while (this.wrongs.length === 0 && kinds.some((kind) => this.counts[kind] <= before[kind])) await sleep(5);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#workers);
  }

  async #loop(key: Key, step: (key: Key) => Promise<void>): Promise<void> {
    try {
      while (!this.#stopping) await step(key);
    } catch (error) {
      if (!this.#stopping) this.wrongs.push(String(error));
    }
  }

  async #grow(key: Key): Promise<void> {
    const replies = await Promise.all(Array.from({ length: 8 }, () => this.#create(key)));
    this.#added.set(key.sandbox, Math.max(this.#added.get(key.sandbox) ?? 0, ...replies));
  }

  async #turnOver(key: Key): Promise<void> {
    for (let n = 0; n < 5; n++) await this.#create(key);
    await this.#request(key, 'POST', '/_sandbox/snapshots', { name: 's' }, 201);
    await this.#create(key);
    await this.#request(key, 'POST', '/_sandbox/reset', { snapshot: 's' }, 200);
    await this.#create(key);
    await this.#request(key, 'DELETE', '/_sandbox/snapshots/s', undefined, 204);
    await this.#request(key, 'POST', '/_sandbox/reset', undefined, 200);
    this.counts.resets += 2;
  }

  async #forkAndEnd(key: Key): Promise<void> {
    const fork = await this.#request(key, 'POST', '/_sandbox/fork', {}, 201);
    await this.#create(fork);
    const second = await this.#request(fork, 'POST', '/_sandbox/fork', {}, 201);
    await this.#create(second);
    await this.#request(fork, 'DELETE', '/_sandbox', undefined, 204);
    this.counts.ends++;
  }

  async #create(key: Key): Promise<number> {
    const { id } = await this.#request(key, 'POST', '/v1/pets', { name: 'Ada', categoryId: 1 }, 201);
    this.counts.creates++;
    return id;
  }

  async #key(): Promise<Key> {
    return (await send(this.#url, { method: 'POST', path: '/_sandbox/keys' })).json;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what a reply holds is the test's business
  async #request(key: Key, method: string, path: string, body: object | undefined, status: number): Promise<any> {
    const sent = body ? { headers: JSON_TYPE, body: JSON.stringify(body) } : {};
    const reply = await sendAs(this.#url, key.key, { method, path, ...sent });
    if (reply.status !== status && this.wrongs.length < 10) this.wrongs.push(`${method} ${path}: ${reply.text}`);
    return reply.text === '' ? undefined : reply.json;
  }
}

interface Key {
  readonly key: string;
  readonly sandbox: string;
}
