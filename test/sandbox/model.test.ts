/**
 * Sandboxes against a plain model of themselves: creates, resets, snapshots, restores, forks, clocks and faults in any
 * order, on disk or in an engine, with restarts in between. After each step every sandbox must show exactly what its model says.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Level } from '../../src/settings/config.ts';
import { newFolder } from '../support/folder.ts';
import { areTwo, startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const REMOVAL = Date.UTC(2030, 11, 5);
const DAY = 86_400_000;
const SEEDED = { empty: 0, default: 12 };
type FixtureName = keyof typeof SEEDED;

/** What a reset to a snapshot brings back. */
interface State {
  readonly fixture: FixtureName;
  /** Names of what was added: the n-th has the n-th id after the fixture's. */
  readonly added: readonly string[];
  readonly clock: { readonly offset: number; readonly frozenAt: number | undefined } | undefined;
  /** How often each rule still fails a getPet. */
  readonly faults: readonly number[];
}

interface Modeled {
  readonly key: string;
  readonly id: string;
  state: State;
  readonly snapshots: Map<string, State>;
}

/** What the model knows of everything. */
interface Model {
  worlds: Modeled[];
}

/** The thing itself: a server on a directory, or two on a store, which can be started again, and the real time it is told. */
class Real {
  readonly settings: Level;
  readonly time = { at: Date.UTC(2026, 0, 31, 12), now: () => this.time.at };
  server!: TestServer;

  constructor(settings: Level) {
    this.settings = settings;
  }

  async start(): Promise<void> {
    this.server = await startTestServer({ settings: this.settings, clock: this.time });
  }

  async request(world: Modeled, method: string, path: string, body?: unknown) {
    const headers = { 'Content-Type': 'application/json' };
    return this.server.client(world.key).send({ method, path, headers, body: JSON.stringify(body ?? {}) });
  }
}

const BLANK = (fixture: FixtureName): State => ({ fixture, added: [], clock: undefined, faults: [] });
const timeIn = ({ clock }: State, now: number): number => clock?.frozenAt ?? now + (clock?.offset ?? 0);
const clockAt = (at: number, frozen: boolean, now: number): State['clock'] =>
  frozen ? { offset: 0, frozenAt: at } : { offset: at - now, frozenAt: undefined };

/** Every sandbox shows what its model says. */
async function compare({ worlds }: Model, real: Real): Promise<void> {
  await Promise.all(worlds.map((world) => compareOne(world, real)));
}

async function compareOne(world: Modeled, real: Real): Promise<void> {
  const { fixture, added, faults, clock } = world.state;
  const seeded = SEEDED[fixture];
  const [about, pets, time, rules, snapshots] = await Promise.all(
    ['', '/v1/pets?limit=100', '/clock', '/faults', '/snapshots'].map(
      async (path) => (await real.request(world, 'GET', path.startsWith('/v1') ? path : `/_sandbox${path}`)).json,
    ),
  );
  expect(about).toMatchObject({ fixture, nextId: seeded + added.length + 1 });
  expect(pets.slice(seeded).map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual(
    added.slice(0, 100 - seeded).map((name, index) => [seeded + index + 1, name]),
  );
  const now = new Date(timeIn(world.state, real.time.at)).toISOString();
  expect(time).toEqual({ now, frozen: clock?.frozenAt !== undefined });
  expect(rules.faults.map(({ times, triggered }: { times: number; triggered: number }) => times - triggered)).toEqual(
    faults,
  );
  expect(snapshots.snapshots.map(({ name }: { name: string }) => name)).toEqual([...world.snapshots.keys()]);
}

type Command = fc.AsyncCommand<Model, Real>;

/** A command that acts on one of the sandboxes there are. */
const onOne = (
  label: string,
  index: number,
  act: (world: Modeled, real: Real, model: Model) => Promise<void>,
): Command => ({
  check: () => true,
  run: async (model, real) => {
    await act(model.worlds[index % model.worlds.length] as Modeled, real, model);
    await compare(model, real);
  },
  toString: () => `${label} in ${index}`,
});

const index = fc.nat({ max: 3 });
const snapshotName = fc.constantFrom('a', 'b');
const fixture = fc.constantFrom<FixtureName>('empty', 'default');

const commands: fc.Arbitrary<Command>[] = [
  fc.tuple(index, fc.constantFrom('Ada', 'Bea', 'Cleo')).map(([at, name]) =>
    onOne(`create ${name}`, at, async (world, real) => {
      expect((await real.request(world, 'POST', '/v1/pets', { name, categoryId: 1 })).status).toBe(201);
      world.state = { ...world.state, added: [...world.state.added, name] };
    }),
  ),
  fc.tuple(index, fc.integer({ min: 1, max: 5 })).map(([at, count]) =>
    onOne(`generate ${count}`, at, async (world, real) => {
      const made = (await real.request(world, 'POST', '/_sandbox/pets', { count, seed: count })).json;
      const names = made.pets.map(({ name }: { name: string }) => name);
      world.state = { ...world.state, added: [...world.state.added, ...names] };
    }),
  ),
  fc.tuple(index, fixture).map(([at, name]) =>
    onOne(`reset to ${name}`, at, async (world, real) => {
      expect((await real.request(world, 'POST', '/_sandbox/reset', { fixture: name })).status).toBe(200);
      world.state = BLANK(name);
    }),
  ),
  fc.tuple(index, snapshotName).map(([at, name]) =>
    onOne(`snapshot ${name}`, at, async (world, real) => {
      const { status } = await real.request(world, 'POST', '/_sandbox/snapshots', { name });
      expect(status).toBe(world.snapshots.has(name) ? 409 : 201);
      if (status === 201) world.snapshots.set(name, world.state);
    }),
  ),
  fc.tuple(index, snapshotName).map(([at, name]) =>
    onOne(`restore ${name}`, at, async (world, real) => {
      const { status } = await real.request(world, 'POST', '/_sandbox/reset', { snapshot: name });
      expect(status).toBe(world.snapshots.has(name) ? 200 : 404);
      world.state = world.snapshots.get(name) ?? world.state;
    }),
  ),
  fc.tuple(index, snapshotName).map(([at, name]) =>
    onOne(`drop ${name}`, at, async (world, real) => {
      const { status } = await real.request(world, 'DELETE', `/_sandbox/snapshots/${name}`);
      expect(status).toBe(world.snapshots.delete(name) ? 204 : 404);
    }),
  ),
  index.map((at) =>
    onOne('fork', at, async (world, real, model) => {
      if (model.worlds.length >= 4) return;
      const { key, sandbox } = (await real.request(world, 'POST', '/_sandbox/fork', { ttlSeconds: 31_536_000 })).json;
      model.worlds.push({ key, id: sandbox, state: world.state, snapshots: new Map() });
    }),
  ),
  index.map((at) =>
    onOne('end', at, async (world, real, model) => {
      // Forks and origins live on without each other; one is always left.
      if (model.worlds.length === 1) return;
      expect((await real.request(world, 'DELETE', '/_sandbox')).status).toBe(204);
      model.worlds = model.worlds.filter((each) => each !== world);
    }),
  ),
  fc
    .tuple(index, fc.integer({ min: -DAY, max: DAY }), fc.option(fc.boolean(), { nil: undefined }))
    .map(([at, from, frozen]) =>
      onOne(`set the clock ${from} from the removal, frozen: ${frozen}`, at, async (world, real) => {
        const now = new Date(REMOVAL + from).toISOString();
        expect((await real.request(world, 'PUT', '/_sandbox/clock', { now, frozen })).status).toBe(200);
        const stands = frozen ?? world.state.clock?.frozenAt !== undefined;
        world.state = { ...world.state, clock: clockAt(REMOVAL + from, stands, real.time.at) };
      }),
    ),
  fc.tuple(index, fc.integer({ min: 0, max: 3 })).map(([at, days]) =>
    onOne(`advance ${days} days`, at, async (world, real) => {
      expect((await real.request(world, 'POST', '/_sandbox/clock/advance', { duration: `P${days}D` })).status).toBe(
        200,
      );
      const now = timeIn(world.state, real.time.at) + days * DAY;
      world.state = { ...world.state, clock: clockAt(now, world.state.clock?.frozenAt !== undefined, real.time.at) };
    }),
  ),
  index.map((at) =>
    onOne('back to real time', at, async (world, real) => {
      expect((await real.request(world, 'DELETE', '/_sandbox/clock')).status).toBe(200);
      world.state = { ...world.state, clock: undefined };
    }),
  ),
  fc.tuple(index, fc.integer({ min: 1, max: 3 })).map(([at, times]) =>
    onOne(`let ${times} getPet fail`, at, async (world, real) => {
      const rule = { operation: 'getPet', status: 503, times };
      expect((await real.request(world, 'POST', '/_sandbox/faults', rule)).status).toBe(201);
      world.state = { ...world.state, faults: [...world.state.faults, times] };
    }),
  ),
  index.map((at) =>
    onOne('getPet', at, async (world, real) => {
      const { fixture: from, added, faults } = world.state;
      const { status } = await real.request(world, 'GET', '/v1/pets/1');
      const due = faults.findIndex((left) => left > 0);
      if (timeIn(world.state, real.time.at) >= REMOVAL) expect(status).toBe(410);
      else if (due >= 0) {
        expect(status).toBe(503);
        world.state = { ...world.state, faults: faults.map((left, rule) => (rule === due ? left - 1 : left)) };
      } else expect(status).toBe(SEEDED[from] + added.length > 0 ? 200 : 404);
    }),
  ),
  fc.integer({ min: 1, max: DAY }).map((ms) =>
    onOne(`wait ${ms} ms`, 0, async (_, real) => {
      real.time.at += ms;
    }),
  ),
  fc.constant(
    onOne('restart', 0, async (_, real) => {
      await real.server.end();
      await real.start();
    }),
  ),
];

it(
  'shows what a plain model of it says, whatever is done to it in whatever order, restarts included',
  async () => {
    const data = await newFolder();
    const real = new Real(areTwo ? { store: await (await import('../support/pair.ts')).unusedStore() } : { data });
    await real.start();
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), async (run) => {
        const { secret: key, sandbox } = await real.server.sandboxes.create({ fixture: 'empty', ttlSeconds: null });
        const world: Modeled = { key, id: sandbox.id, state: BLANK('empty'), snapshots: new Map() };
        const model: Model = { worlds: [world] };
        await fc.asyncModelRun(() => ({ model, real }), run);
        for (const left of model.worlds) await real.request(left, 'DELETE', '/_sandbox');
      }),
      { numRuns: areTwo ? 5 : 10, endOnFailure: true },
    );
    await real.server.end();
  },
  limit(120_000),
);
