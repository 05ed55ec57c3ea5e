import { describe, expect, it } from 'vitest';
import controls from '../../../src/base/generated/control-api.json' with { type: 'json' };
import description from '../../../src/base/generated/petstore.json' with { type: 'json' };
import { sharedServer, startTestServer } from '../../support/server.ts';

const server = await sharedServer();

describe('GET /_sandbox/pets', () => {
  it('shows pets with every digit, and takes no part in what it watches', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    await client.post('/v1/pets', '{"name":"Exact","categoryId":9223372036854775807,"status":"sold"}');
    await client.post('/_sandbox/faults', { status: 503, times: 1 });
    await client.put('/_sandbox/drill', { drill: 'outage' });
    const before = (await client.get('/_sandbox/drill')).json;
    const { text } = await client.get('/_sandbox/pets?limit=1');
    expect(JSON.parse(text).total).toBeGreaterThan(1);
    expect((await client.get('/_sandbox/drill')).json).toEqual(before);
    expect((await client.get('/_sandbox/requests')).json.total).toBe(0);
    expect((await client.get('/_sandbox/faults')).json.faults[0].triggered).toBe(0);
  });

  it('filters by status, finds by id, and says that there is none', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    await client.post('/v1/pets', '{"name":"Exact","categoryId":9223372036854775807,"status":"sold"}');
    const one = '{"id":1,"name":"Exact","categoryId":9223372036854775807,"status":"sold"}';
    for (const query of ['status=sold', 'id=1', 'id=1&status=sold'])
      expect((await client.get(`/_sandbox/pets?${query}`)).text).toBe(`{"total":1,"pets":[${one}]}`);
    expect((await client.get('/_sandbox/pets?status=pending')).text).toBe('{"total":1,"pets":[]}');
    for (const query of ['id=2', 'id=1&status=pending'])
      expect((await client.get(`/_sandbox/pets?${query}`)).json).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('POST /_sandbox/pets', () => {
  it('adds as many pets as asked for, and answers them as the API serves them', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const made = await client.post('/_sandbox/pets', { count: 30, seed: 7, status: 'sold' });
    expect([made.status, made.json]).toMatchObject([201, { count: 30, seed: 7, firstId: 1, lastId: 30 }]);
    expect((await client.get('/v1/pets?limit=100&status=sold')).json).toEqual(made.json.pets);
    expect(made.json.pets).toHaveLength(30);
    expect((await client.post('/v1/pets', { name: 'Next', categoryId: 1 })).json.id).toBe(31);
  });

  it('makes the same pets for the same seed, which it draws and tells where none is given; each sandbox has its own', async () => {
    const [one, two] = [await server.sandbox({ fixture: 'empty' }), await server.sandbox({ fixture: 'empty' })];
    const drawn = (await one.post('/_sandbox/pets', { count: 500 })).json;
    expect((await two.post('/_sandbox/pets', { count: 500, seed: drawn.seed })).json).toEqual(drawn);
    expect((await one.post('/_sandbox/pets', { count: 1 })).json.seed).not.toBe(drawn.seed);
    expect((await one.get('/_sandbox')).json.pets.total).toBe(501);
    expect((await two.get('/_sandbox')).json.pets.total).toBe(500);
  });

  it('adds all or none: at the limit of pets nothing is added', async () => {
    const small = await startTestServer({ settings: { maxPets: 50 } });
    const client = await small.sandbox({ fixture: 'empty' });
    expect((await client.post('/_sandbox/pets', { count: 40, seed: 1 })).status).toBe(201);
    const rejected = await client.post('/_sandbox/pets', { count: 11, seed: 1 });
    expect([rejected.status, rejected.json.code]).toEqual([409, 'limit_reached']);
    expect((await client.get('/_sandbox')).json).toMatchObject({ pets: { total: 40 }, nextId: 41 });
  });
});

it('describes Pet and PetStatus for the control API exactly as for the API', () => {
  const { Pet, PetStatus } = controls.components.schemas;
  expect({ ...Pet, description: '' }).toEqual({ ...description.components.schemas.Pet, description: '' });
  expect(PetStatus.enum).toEqual(description.components.schemas.PetStatus.enum);
});
