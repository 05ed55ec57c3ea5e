/** `GET /_sandbox/export`: what a sandbox holds as a file. */
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../support/server.ts';

const server = await startTestServer();

describe('GET /_sandbox/export?format=fixture', () => {
  it('saves the pets of the fixture and those that were added, one a line, and the next id', async () => {
    const client = await server.sandbox({ fixture: 'empty', label: 'checkout tests' });
    await client.post('/v1/pets', { name: 'Rex "the" 犬', categoryId: 1, status: 'sold' });
    await client.post('/v1/pets', '{"name":"","categoryId":9223372036854775807}');
    const saved = await client.get('/_sandbox/export?format=fixture');
    expect([saved.status, saved.headers['content-type']]).toEqual([200, 'application/json']);
    expect(saved.text).toBe(`{
  "description": "Saved from checkout tests.",
  "nextId": 3,
  "pets": [
    {"id":1,"name":"Rex \\"the\\" 犬","categoryId":1,"status":"sold"},
    {"id":2,"name":"","categoryId":9223372036854775807}
  ]
}
`);
    expect((await client.get('/_sandbox/export')).text).toBe(saved.text);
  });

  it('streams thirty thousand pets, all of one moment, and answers HEAD without them', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    for (let n = 0; n < 3; n++) await client.post('/_sandbox/pets', { count: 10_000, seed: n });
    const saving = client.get('/_sandbox/export');
    const meanwhile = client.post('/v1/pets', { name: 'Too late', categoryId: 1 });
    const [saved] = await Promise.all([saving, meanwhile]);
    expect(saved.headers['transfer-encoding']).toBe('chunked');
    expect(saved.json.pets).toHaveLength(30_000);
    const head = await client.send({ method: 'HEAD', path: '/_sandbox/export' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('rejects what no fixture file may hold', async () => {
    const client = await server.sandbox({ fixture: 'empty' });
    const name = 'n'.repeat(100_000);
    for (let n = 0; n < 340; n++) await client.post('/v1/pets', { name, categoryId: 1 });
    const message = expect.stringContaining('a fixture file has at most 33554432');
    expect((await client.get('/_sandbox/export')).json).toMatchObject({ status: 409, code: 'limit_reached', message });
  });
});
