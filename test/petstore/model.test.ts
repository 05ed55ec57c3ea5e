import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { runs } from '../support/runs.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ settings: { maxSandboxes: 1000 } });

interface ModelPet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status?: string;
}

/** What a sandbox is, said as plainly as possible. */
class Model {
  pets: ModelPet[] = [];
  nextId = 1;
  #fixture: readonly ModelPet[];

  constructor(fixture: readonly ModelPet[]) {
    this.#fixture = fixture;
    this.reset();
  }

  reset(fixture = this.#fixture): void {
    this.#fixture = fixture;
    this.pets = [...fixture];
    this.nextId = Math.max(0, ...fixture.map(({ id }) => id)) + 1;
  }

  create(newPet: Omit<ModelPet, 'id'>): ModelPet {
    const pet = { id: this.nextId++, ...newPet };
    this.pets.push(pet);
    return pet;
  }

  list(limit = 20, status?: string): ModelPet[] {
    return this.pets.filter((pet) => status === undefined || pet.status === status).slice(0, limit);
  }
}

const statuses = fc.constantFrom('available', 'pending', 'sold');
const newPets = fc.record(
  { name: fc.string({ maxLength: 10 }), categoryId: fc.integer(), status: statuses },
  { requiredKeys: ['name', 'categoryId'] },
);
const limits = fc.integer({ min: 1, max: 100 });
const fixtureNames = fc.constantFrom('default' as const, 'empty' as const);

/** One call on one of the two sandboxes; it answers what the model says. */
const calls = fc.oneof(
  { weight: 4, arbitrary: fc.record({ call: fc.constant('create' as const), newPet: newPets }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('createBad' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ call: fc.constant('list' as const), limit: fc.option(limits), status: fc.option(statuses) }),
  },
  { weight: 2, arbitrary: fc.record({ call: fc.constant('get' as const), id: fc.integer({ min: -1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('reset' as const), fixture: fc.option(fixtureNames) }) },
);
type Call = typeof calls extends fc.Arbitrary<infer T> ? T : never;

async function both(
  client: Client,
  model: Model,
  call: Call,
  fixtures: Record<string, readonly ModelPet[]>,
): Promise<void> {
  switch (call.call) {
    case 'create': {
      const reply = await client.post('/v1/pets', call.newPet);
      expect(reply).toMatchObject({ status: 201 });
      expect(reply.json).toStrictEqual(model.create(call.newPet));
      return;
    }
    case 'createBad':
      expect((await client.post('/v1/pets', { name: 'Rex', categoryId: 'x' })).status).toBe(400);
      return;
    case 'list': {
      const query = new URLSearchParams();
      if (call.limit !== null) query.set('limit', String(call.limit));
      if (call.status !== null) query.set('status', call.status);
      const reply = await client.get(`/v1/pets?${query}`);
      expect(reply.json).toStrictEqual(model.list(call.limit ?? 20, call.status ?? undefined));
      return;
    }
    case 'get': {
      const reply = await client.get(`/v1/pets/${call.id}`);
      const pet = model.pets.find(({ id }) => id === call.id);
      if (pet) expect(reply.json).toStrictEqual(pet);
      else expect(reply.json).toMatchObject({ status: 404, code: 'not_found' });
      return;
    }
    case 'reset': {
      const reply = await client.post('/_sandbox/reset', call.fixture === null ? {} : { fixture: call.fixture });
      expect(reply.status).toBe(200);
      model.reset(call.fixture === null ? undefined : fixtures[call.fixture]);
      expect(reply.json.sandbox).toMatchObject({ nextId: model.nextId, pets: { total: model.pets.length } });
    }
  }
}

test('any sequence of creates, lists, gets and resets on two sandboxes agrees with a plain model', async () => {
  const plain = (await (await server.sandbox()).get('/v1/pets?limit=100')).json as ModelPet[];
  expect(plain).toHaveLength(12);
  const fixtures = { default: plain, empty: [] };
  const steps = fc.array(fc.tuple(fc.constantFrom(0, 1), calls), { maxLength: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const clients = [await server.sandbox(), await server.sandbox({ fixture: 'empty' })] as const;
      const models = [new Model(fixtures.default), new Model(fixtures.empty)] as const;
      for (const [which, call] of sequence) await both(clients[which], models[which], call, fixtures);
      for (const [i, client] of clients.entries()) {
        expect((await client.get('/v1/pets?limit=100')).json).toStrictEqual(models[i]?.list(100));
        await client.delete('/_sandbox');
      }
    }),
    { numRuns: runs(60) },
  );
});
