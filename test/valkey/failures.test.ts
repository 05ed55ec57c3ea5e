/**
 * Disasters under load, against a model of what clients were told. Where it is promised, nothing acknowledged is lost; always,
 * what was rejected left nothing, all servers have the same, and no report passes that lacks a request.
 */
import { describe, expect, it, vi } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';
import type { Forwarder } from '../support/forwarder.ts';
import { limit } from '../support/slow.ts';
import {
  create,
  engineWith,
  forwardTo,
  newClient,
  replicaOf,
  startOn,
  startProcess,
  startTwo,
  twoClients,
} from './support.ts';

/** What is struck: servers on a store behind a port; `process` is one of the servers. */
interface World {
  readonly engine: TestEngine;
  readonly replica: TestEngine;
  /** From the servers to the store, and from the replica to it. */
  readonly forwarder: Forwarder;
  readonly link: Forwarder;
  /** Resolves when so many more creates were answered, or are in doubt. */
  readonly more: (creates: number) => Promise<void>;
  readonly process: { kill(): Promise<void> };
}

interface Disaster {
  readonly what: string;
  readonly isPromised: boolean;
  readonly storeWait?: number;
  readonly settings?: readonly string[];
  /** Before the requests that break the specification, which a report must not lose. */
  readonly prepare?: (world: World) => Promise<unknown>;
  readonly strike: (world: World) => unknown;
}

const restartStore = async ({ engine }: World): Promise<void> => {
  await engine.kill();
  await engine.start();
};

/** The replica lacks the latest changes. */
const failOver = async ({ engine, replica, link, forwarder, more }: World): Promise<void> => {
  link.halfOpen();
  await more(5);
  await engine.kill();
  await replica.client.replicaof('NO', 'ONE');
  forwarder.switchTo(replica.port);
};

/** In a request to the store: a create. */
const CREATE = '{"pets":[';

const standStill = async ({ engine, forwarder }: World): Promise<void> => {
  await forwarder.atRequest(CREATE, () => engine.pause());
  await new Promise((done) => setTimeout(done, 3_000));
  engine.resume();
};

const cutBeforeReply = async ({ engine, forwarder }: World): Promise<void> => {
  const letPass = await forwarder.atRequest(CREATE, () => forwarder.holdFrom(''));
  // By its reply the store has carried out the create.
  await engine.client.ping();
  forwarder.switchTo(engine.port);
  letPass();
};

const failOverWithReplica = async (world: World): Promise<void> => {
  await failOver(world);
  await replicaOf(world.replica);
};

const kept = { isPromised: true };
const lost = { isPromised: false };
const [always, never] = [
  ['--appendfsync', 'always'],
  ['--appendonly', 'no'],
];
const save = ({ engine }: World): Promise<unknown> => engine.client.save();

const DISASTERS: readonly Disaster[] = [
  { what: 'a server is killed', ...kept, strike: ({ process }) => process.kill() },
  { what: 'the store is killed and started again', ...kept, settings: always, strike: restartStore },
  { what: 'the store stands still', ...kept, strike: standStill },
  { what: 'the connections are cut before the reply to a create', ...kept, strike: cutBeforeReply },
  { what: 'the connections are half-open', ...kept, strike: ({ forwarder }) => forwarder.halfOpen() },
  { what: 'the store comes back as it was earlier', ...lost, settings: never, prepare: save, strike: restartStore },
  { what: 'a replica takes over without a wait', ...lost, strike: failOver },
  { what: 'a replica takes over with --store-wait', ...kept, storeWait: 1, strike: failOverWithReplica },
];

/** What clients were told. */
class Model {
  /** Ids of pets by their names. */
  readonly acknowledged = new Map<string, number>();
  readonly inDoubt = new Set<string>();
  readonly keys: string[] = [];
  readonly unexpected: Reply[] = [];
  /** Ids of requests that the sandbox answered. */
  readonly answered: string[] = [];
  isViolating = false;
  #isOver = false;
  readonly #all: Promise<unknown>;

  constructor(clients: readonly Client[]) {
    this.#all = Promise.all(clients.map((client, writer) => this.#write(client, writer)));
  }

  stop(): Promise<unknown> {
    this.#isOver = true;
    return this.#all;
  }

  async #write(client: Client, writer: number): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const name = `Pet ${writer}-${n}`;
      const reply = await create(client, name).catch(() => undefined);
      this.#count(name, reply);
      if (n % 10 === 0) await this.#share(client);
      if (this.isViolating && n % 5 === 0) await this.#violate(client);
      if (reply?.status !== 201) await new Promise((done) => setTimeout(done, 5));
    }
  }

  #count(name: string, reply: Reply | undefined): void {
    if (reply?.status === 201) {
      this.answered.push(reply.requestId);
      this.acknowledged.set(name, reply.json.id);
    } else if (reply?.status === 503 && /the store|other servers/.test(reply.json.message)) {
      if (/may have happened or not/.test(reply.json.message)) this.inDoubt.add(name);
    } else if (reply) this.unexpected.push(reply);
    else this.inDoubt.add(name);
  }

  async #share(client: Client): Promise<void> {
    const reply = await client.post('/_sandbox/keys', { shared: true }).catch(() => undefined);
    if (reply?.status === 201) this.keys.push(reply.json.key);
  }

  async #violate(client: Client): Promise<void> {
    const reply = await client.post('/v1/pets', { name: 'Rex' }).catch(() => undefined);
    if (reply?.status === 400) this.answered.push(reply.requestId);
  }
}

/** What must be the same at each server. */
async function stateOf(client: Client, keys: readonly string[]) {
  const { pets } = (await client.get('/_sandbox/export?format=fixture')).json;
  const opens = await Promise.all(keys.map(async (key) => (await new Client(client.url, key).get('/_sandbox')).status));
  const { verdict, totals, incompleteReasons } = (await client.get('/_sandbox/report')).json;
  const { requests, dropped } = (await client.get('/_sandbox/requests?limit=1000')).json;
  const ids: string[] = requests.map(({ id }: { id: string }) => id);
  return {
    ...{ pets: pets as { id: number; name: string }[], opens, verdict, totals },
    ...{ incompleteReasons: incompleteReasons as string[], ids, dropped: dropped as number },
  };
}

it.each(DISASTERS)('servers agree, and no report passes, when $what', { timeout: limit(120_000) }, async (disaster) => {
  const { isPromised, storeWait = 0, settings = [], prepare, strike } = disaster;
  const engine = await engineWith(...settings);
  const link = await forwardTo(engine);
  const replica = strike === failOver || storeWait > 0 ? await replicaOf(link) : engine;
  const { store, ...forwarder } = await forwardTo(engine);
  const [one, two] = [await startOn(store, { storeWait }), await startOn(store, { storeWait })];
  const process = startProcess(store, '--store-wait', String(storeWait));
  const [dies] = await process.wrote(/http:\/\/127\.0\.0\.1:\d+/);
  const first = await newClient(one.url, { fixture: 'empty' });
  const second = new Client(two.url, first.key);
  const clients = [first, second];
  const model = new Model([...clients, ...clients, new Client(dies, first.key)]);
  const reached = (message: string, count: () => number, enough: number) =>
    expect.poll(count, { timeout: limit(30_000), message }).toBeGreaterThan(enough);
  const succeeded = () => model.acknowledged.size;
  const answered = () => model.acknowledged.size + model.inDoubt.size;
  const acknowledged = (more: number) => reached('creates that succeed', succeeded, succeeded() + more);
  const more = (creates: number) => reached('creates', answered, answered() + creates);
  const world = { engine, replica, link, forwarder, more, process };
  await acknowledged(50);
  await prepare?.(world);
  model.isViolating = true;
  await acknowledged(100);
  model.isViolating = false;
  // One server has read what the store may lose.
  expect((await first.get('/_sandbox/report')).status).toBe(200);
  await strike(world);
  for (const client of clients) {
    const health = async () => (await client.get('/_sandbox/health')).status;
    await expect.poll(health, { timeout: limit(20_000), message: 'health' }).toBe(200);
  }
  await acknowledged(50);
  await model.stop();

  // What a killed server had open counts as lost after 15 seconds: one server may say so a moment before another.
  const { pets, opens, verdict } = await vi.waitFor(
    async () => {
      const [state, other] = [await stateOf(first, model.keys), await stateOf(second, model.keys)];
      expect(other, 'another server').toEqual(state);
      return state;
    },
    { timeout: limit(30_000), interval: 500 },
  );
  const found = new Map(pets.map(({ id, name }) => [id, name]));
  const names = pets.map(({ name }) => name);
  const isKnown = (name: string): boolean => model.acknowledged.has(name) || model.inDoubt.has(name);
  expect({
    unexpected: model.unexpected,
    sameIds: pets.length - found.size,
    createdTwice: names.filter((name, n) => names.indexOf(name) !== n),
    rejectedAndThere: names.filter((name) => !isKnown(name)),
  }).toEqual({ unexpected: [], sameIds: 0, createdTwice: [], rejectedAndThere: [] });
  const lost = [...model.acknowledged].filter(([name, id]) => found.get(id) !== name);
  if (isPromised) {
    expect(lost, 'acknowledged, and lost').toEqual([]);
    expect(new Set(opens), 'what acknowledged keys open').toEqual(new Set([200]));
  } else expect(lost, 'the disaster lost something').not.toEqual([]);
  expect(verdict).not.toBe('pass');
  const unaccounted = async (): Promise<number> => {
    const { incompleteReasons, ids, dropped } = await stateOf(first, []);
    const reasons = incompleteReasons.join();
    if (reasons.includes('exchanges are missing')) return 0;
    const ended = Number(/(\d+) exchanges? ended with a server/.exec(reasons)?.[1] ?? 0);
    const recorded = new Set(ids);
    return model.answered.filter((id) => !recorded.has(id)).length - ended - dropped;
  };
  await expect
    .poll(unaccounted, { interval: 500, timeout: limit(30_000), message: 'answered, and in no account' })
    .toBeLessThanOrEqual(0);

  // A cleared request log is whole again.
  expect((await first.delete('/_sandbox/requests')).status).toBe(204);
  await first.get('/v1/pets');
  const cleared = await Promise.all(clients.map(async (client) => (await client.get('/_sandbox/report')).json));
  for (const report of cleared) {
    expect(report.totals.exchanges).toBe(1);
    expect(report.incompleteReasons.filter((why: string) => /missing|ended with/.test(why))).toEqual([]);
  }
});

const timeout = limit(60_000);
const soon = { timeout: limit(20_000) };

/** A store that lacks the second of two changes after a restart, and clients of two servers. */
async function older() {
  const engine = await engineWith('--appendonly', 'no');
  const [client, other] = await twoClients(engine.address());
  await create(client, 'Kept');
  await engine.client.save();
  await create(client, 'Lost');
  const restart = async (): Promise<void> => {
    await engine.kill();
    await engine.start();
    // Without its key: the server must not look at the sandbox.
    const health = async () => (await new Client(other.url).get('/_sandbox/health')).status;
    await expect.poll(health, soon).toBe(200);
  };
  return { client, other, restart };
}

/** The names of pets that were created. It enters nothing into the request log. */
const added = async (client: Client): Promise<string[]> =>
  (await client.get('/_sandbox/export?format=fixture')).json.pets.slice(12).map(({ name }: { name: string }) => name);

const reasonsOf = async (client: Client): Promise<string[]> =>
  (await client.get('/_sandbox/report')).json.incompleteReasons;

describe('a store', () => {
  it('that forgot its scripts is taught them again', async () => {
    const engine = await engineWith();
    const client = await newClient((await startTwo(engine.address()))[0].url);
    await engine.client.script('FLUSH');
    expect((await create(client, 'Ada')).status).toBe(201);
    await engine.client.script('FLUSH');
    expect((await client.get('/v1/pets/13')).json.name).toBe('Ada');
  });

  it('that came back older is not taken for the newest where it has got as many changes since', {
    timeout,
  }, async () => {
    const { client, other, restart } = await older();
    expect(await added(other)).toEqual(['Kept', 'Lost']);
    await restart();
    await expect.poll(async () => (await create(client, 'Other')).status, soon).toBe(201);
    for (const each of [other, client]) expect(await added(each)).toEqual(['Kept', 'Other']);
  });

  it('that came back older is noticed in reports of a server that knew nothing of what it lost', {
    timeout,
  }, async () => {
    const { client, other, restart } = await older();
    // The server that knew more looks again, and enters nothing.
    expect(await added(client)).toEqual(['Kept', 'Lost']);
    await restart();
    const missing = expect.stringMatching(/exchanges are missing.*lost its latest data/);
    await expect.poll(() => reasonsOf(other), soon).toContainEqual(missing);
  });

  it('that became a replica takes no writes, and says so', { timeout }, async () => {
    const engine = await engineWith();
    const client = await newClient((await startTwo(engine.address()))[0].url);
    await create(client, 'Before');
    await engine.client.replicaof('127.0.0.1', 1);
    const message = async () => (await create(client, 'Demoted')).json.message;
    await expect.poll(message, soon).toMatch(/takes no writes|not reachable/);
    await engine.client.replicaof('NO', 'ONE');
    await expect.poll(async () => (await create(client, 'Again')).status, soon).toBe(201);
  });

  it('that is full rejects creates until it has room, answers reads, and their reports say that they are missing', {
    timeout: limit(90_000),
  }, async () => {
    const engine = await engineWith('--maxmemory-policy', 'noeviction');
    const client = await newClient((await startTwo(engine.address()))[0].url);
    await create(client, 'Before');
    // Only what follows is missing.
    expect((await client.get('/_sandbox/report')).json.totals.exchanges).toBe(1);
    await engine.client.config('SET', 'maxmemory', '1mb');
    const full = (await create(client, 'Full')).json;
    expect(full).toMatchObject({ status: 409, message: expect.stringContaining('full') });
    // At each server.
    for (const _ of [1, 2]) expect((await client.get('/v1/pets?limit=1')).status).toBe(200);
    const missing = expect.stringMatching(/exchanges are missing: the store was full/);
    for (const _ of [1, 2]) expect(await reasonsOf(client)).toContainEqual(missing);
    expect((await client.post('/_sandbox/fork', {})).status).toBe(409);
    await engine.client.config('SET', 'maxmemory', '0');
    expect((await create(client, 'Small')).status).toBe(201);
    await engine.client.config('SET', 'maxmemory', '1mb');
    expect((await client.delete('/_sandbox')).status).toBe(204);
  });
});
