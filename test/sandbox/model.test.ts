/**
 * Sandboxes against a plain model of themselves: creates, lists, resets, snapshots, restores, forks, clocks and faults in any
 * order, on disk or in an engine, with restarts in between. After each step every sandbox must show exactly what its model says.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Level } from '../../src/base/settings/config.ts';
import { newFolder } from '../support/folder.ts';
import { runs } from '../support/random.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const REMOVAL = Date.UTC(2030, 11, 5);
const DAY = 86_400_000;
type FixtureName = 'empty' | 'default';

interface ModelPet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status?: string;
}

/** What a reset to a snapshot brings back. */
interface State {
  readonly fixture: FixtureName;
  readonly pets: readonly ModelPet[];
  readonly clock: { readonly offset: number; readonly frozenAt: number | undefined } | undefined;
  /** How often each rule still fails a getPet. */
  readonly faults: readonly number[];
}

interface Modeled {
  readonly key: string;
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
  readonly seeded: Record<FixtureName, readonly ModelPet[]> = { empty: [], default: [] };
  readonly time = { at: Date.UTC(2026, 0, 31, 12), now: () => this.time.at };
  server!: TestServer;

  constructor(settings: Level) {
    this.settings = settings;
  }

  async start(): Promise<void> {
    this.server = await startTestServer({ settings: this.settings, clock: this.time });
  }

  request(world: Modeled, method: string, path: string, body: unknown = {}) {
    const headers = { 'Content-Type': 'application/json' };
    return this.server.client(world.key).send({ method, path, headers, body: JSON.stringify(body) });
  }

  blank = (fixture: FixtureName): State => ({
    ...{ fixture, pets: this.seeded[fixture], clock: undefined, faults: [] },
  });

  timeIn = ({ clock }: State): number => clock?.frozenAt ?? this.time.at + (clock?.offset ?? 0);

  /** A clock that goes from there, or stands. */
  clockAt = (at: number, frozen: boolean): State['clock'] =>
    frozen ? { offset: 0, frozenAt: at } : { offset: at - this.time.at, frozenAt: undefined };
}

const nextId = ({ pets }: State): number => (pets.at(-1)?.id ?? 0) + 1;
const add = (world: Modeled, newPets: readonly Omit<ModelPet, 'id'>[]): void => {
  const first = nextId(world.state);
  const pets = newPets.map((pet, n) => ({ ...pet, id: first + n }));
  world.state = { ...world.state, pets: [...world.state.pets, ...pets] };
};

/** The sandbox shows what its model says. */
async function compare(world: Modeled, real: Real): Promise<void> {
  const { fixture, pets, faults, clock } = world.state;
  const paths = ['/_sandbox', '/v1/pets?limit=100', '/_sandbox/clock', '/_sandbox/faults', '/_sandbox/snapshots'];
  const [about, list, time, rules, saved] = await Promise.all(
    paths.map(async (path) => (await real.request(world, 'GET', path)).json),
  );
  expect(about).toMatchObject({ fixture, nextId: nextId(world.state), pets: { total: pets.length } });
  expect(list).toStrictEqual(pets.slice(0, 100));
  const now = new Date(real.timeIn(world.state)).toISOString();
  expect(time).toEqual({ now, frozen: clock?.frozenAt !== undefined });
  const left = rules.faults.map(({ times, triggered }: Record<string, number>) => (times ?? 0) - (triggered ?? 0));
  expect(left).toEqual(faults);
  expect(saved.snapshots.map(({ name }: { name: string }) => name)).toEqual([...world.snapshots.keys()]);
}

type Command = fc.AsyncCommand<Model, Real>;

/** Something that is done with a value to one of the sandboxes there are. */
const action = <T>(
  label: string,
  values: fc.Arbitrary<T>,
  act: (world: Modeled, value: T, real: Real, model: Model) => Promise<void>,
): fc.Arbitrary<Command> =>
  fc.tuple(fc.nat({ max: 3 }), values).map(([at, value]) => ({
    check: () => true,
    run: async (model, real) => {
      await act(model.worlds[at % model.worlds.length] as Modeled, value, real, model);
      await Promise.all(model.worlds.map((world) => compare(world, real)));
    },
    toString: () => `${label} ${JSON.stringify(value)} in ${at}`,
  }));

const nothing = fc.constant(undefined);
const statuses = fc.constantFrom('available', 'pending', 'sold');
const newPets = fc.record(
  { name: fc.string({ maxLength: 10 }), categoryId: fc.integer(), status: statuses },
  { requiredKeys: ['name', 'categoryId'] },
);
const snapshotNames = fc.constantFrom('a', 'b');

const create = action('create', newPets, async (world, newPet, real) => {
  const { status, json } = await real.request(world, 'POST', '/v1/pets', newPet);
  add(world, [newPet]);
  expect([status, json]).toStrictEqual([201, world.state.pets.at(-1)]);
});

const list = action(
  'list',
  fc.record({ limit: fc.constantFrom(1, 2, 5, 100), status: statuses }, { requiredKeys: [] }),
  async (world, query, real) => {
    const of = Object.entries(query).map(([name, value]) => `${name}=${value}`);
    const matching = world.state.pets.filter(({ status }) => status === (query.status ?? status));
    const reply = await real.request(world, 'GET', `/v1/pets?${of.join('&')}`);
    expect(reply.json).toStrictEqual(matching.slice(0, query.limit ?? 20));
  },
);

const commands: fc.Arbitrary<Command>[] = [
  ...[create, create, create, list, list, list],
  action('create a wrong pet', nothing, async (world, _, real) => {
    expect((await real.request(world, 'POST', '/v1/pets', { name: 'Rex', categoryId: 'x' })).status).toBe(400);
  }),
  action('generate', fc.integer({ min: 1, max: 5 }), async (world, count, real) => {
    add(world, (await real.request(world, 'POST', '/_sandbox/pets', { count, seed: count })).json.pets);
  }),
  action('get', fc.oneof(fc.constant(1), fc.integer({ min: -1, max: 30 })), async (world, id, real) => {
    const { status, json } = await real.request(world, 'GET', `/v1/pets/${id}`);
    const { faults, pets } = world.state;
    const due = faults.findIndex((left) => left > 0);
    const pet = pets.find((each) => each.id === id);
    if (real.timeIn(world.state) >= REMOVAL) expect(status).toBe(410);
    else if (due >= 0) {
      expect(status).toBe(503);
      world.state = { ...world.state, faults: faults.map((left, rule) => (rule === due ? left - 1 : left)) };
    } else if (pet) expect(json).toStrictEqual(pet);
    else expect(json).toMatchObject({ status: 404, code: 'not_found' });
  }),
  action('reset to', fc.constantFrom<FixtureName>('empty', 'default'), async (world, fixture, real) => {
    expect((await real.request(world, 'POST', '/_sandbox/reset', { fixture })).status).toBe(200);
    world.state = real.blank(fixture);
  }),
  action('snapshot', snapshotNames, async (world, name, real) => {
    const { status } = await real.request(world, 'POST', '/_sandbox/snapshots', { name });
    expect(status).toBe(world.snapshots.has(name) ? 409 : 201);
    if (status === 201) world.snapshots.set(name, world.state);
  }),
  action('restore', snapshotNames, async (world, snapshot, real) => {
    const { status } = await real.request(world, 'POST', '/_sandbox/reset', { snapshot });
    expect(status).toBe(world.snapshots.has(snapshot) ? 200 : 404);
    world.state = world.snapshots.get(snapshot) ?? world.state;
  }),
  action('drop', snapshotNames, async (world, name, real) => {
    const { status } = await real.request(world, 'DELETE', `/_sandbox/snapshots/${name}`);
    expect(status).toBe(world.snapshots.delete(name) ? 204 : 404);
  }),
  action('fork', nothing, async (world, _, real, model) => {
    if (model.worlds.length >= 4) return;
    const { key } = (await real.request(world, 'POST', '/_sandbox/fork', { ttlSeconds: 31_536_000 })).json;
    model.worlds.push({ key, state: world.state, snapshots: new Map() });
  }),
  action('end', nothing, async (world, _, real, model) => {
    // Forks and origins live on without each other; one is always left.
    if (model.worlds.length === 1) return;
    expect((await real.request(world, 'DELETE', '/_sandbox')).status).toBe(204);
    model.worlds = model.worlds.filter((each) => each !== world);
  }),
  action(
    'set the clock from the removal',
    fc.record({ from: fc.integer({ min: -DAY, max: DAY }), frozen: fc.option(fc.boolean(), { nil: undefined }) }),
    async (world, { from, frozen }, real) => {
      const now = new Date(REMOVAL + from).toISOString();
      expect((await real.request(world, 'PUT', '/_sandbox/clock', { now, frozen })).status).toBe(200);
      const stands = frozen ?? world.state.clock?.frozenAt !== undefined;
      world.state = { ...world.state, clock: real.clockAt(REMOVAL + from, stands) };
    },
  ),
  action('advance days', fc.integer({ min: 0, max: 3 }), async (world, days, real) => {
    const { status } = await real.request(world, 'POST', '/_sandbox/clock/advance', { duration: `P${days}D` });
    expect(status).toBe(200);
    const [now, stands] = [real.timeIn(world.state) + days * DAY, world.state.clock?.frozenAt !== undefined];
    world.state = { ...world.state, clock: real.clockAt(now, stands) };
  }),
  action('back to real time', nothing, async (world, _, real) => {
    expect((await real.request(world, 'DELETE', '/_sandbox/clock')).status).toBe(200);
    world.state = { ...world.state, clock: undefined };
  }),
  action('let getPet fail', fc.integer({ min: 1, max: 3 }), async (world, times, real) => {
    const rule = { operation: 'getPet', status: 503, times };
    expect((await real.request(world, 'POST', '/_sandbox/faults', rule)).status).toBe(201);
    world.state = { ...world.state, faults: [...world.state.faults, times] };
  }),
  action('wait', fc.integer({ min: 1, max: DAY }), async (_, ms, real) => {
    real.time.at += ms;
  }),
  action('restart', nothing, async (_, __, real) => {
    await real.server.end();
    await real.start();
  }),
];

it('shows what a plain model of it says, whatever is done to it in whatever order, restarts included', {
  timeout: limit(120_000),
}, async () => {
  const real = new Real({ data: await newFolder() });
  await real.start();
  const seeded = await real.server.sandbox({ fixture: 'default' });
  real.seeded.default = (await seeded.get('/v1/pets?limit=100')).json;
  expect(real.seeded.default).toHaveLength(12);
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), async (run) => {
      const { secret: key } = await real.server.sandboxes.create({ fixture: 'default', ttlSeconds: null });
      const model: Model = { worlds: [{ key, state: real.blank('default'), snapshots: new Map() }] };
      await fc.asyncModelRun(() => ({ model, real }), run);
      for (const left of model.worlds) await real.request(left, 'DELETE', '/_sandbox');
    }),
    { numRuns: runs(10), endOnFailure: true },
  );
  await real.server.end();
});
