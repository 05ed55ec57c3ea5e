import { describe, expect, test } from 'vitest';
import type { Journal } from '../../../src/sandbox/store/journal.ts';
import { startTestServer } from '../../support/server.ts';

const server = await startTestServer({
  settings: { maxPets: 14, fixtures: new URL('./fixtures', import.meta.url).pathname },
});

const REX = { name: 'Rex', categoryId: 1 };

describe('createPet', () => {
  test('says that the sandbox is full, after the body was found to be right, and other sandboxes go on', async () => {
    const [full, other] = [await server.sandbox(), await server.sandbox()];
    for (const id of [13, 14]) expect((await full.post('/v1/pets', REX)).json.id).toBe(id);
    expect((await full.post('/v1/pets', REX)).json).toMatchObject({ status: 409, code: 'limit_reached' });
    expect((await full.post('/v1/pets', { name: 'Rex' })).json).toMatchObject({ status: 400 });
    expect((await full.get('/v1/pets?limit=100')).json).toHaveLength(14);
    expect((await other.post('/v1/pets', REX)).status).toBe(201);
  });

  test('names a misspelled field where it lacks the right one', async () => {
    const sandbox = await server.sandbox();
    for (const [body, message] of [
      [{ name: 'Rex', catgoryId: 1 }, /categoryId is required \(.*\); "catgoryId" looks like a typo/],
      [{ NAME: 'Rex', color: 'red', categoryId: 1 }, /name is required \(.*\); "NAME" looks like a typo/],
      [{ name: 'Rex', color: 'red' }, /^(?!.*typo)/],
    ] as const)
      expect((await sandbox.post('/v1/pets', body)).json.message).toMatch(message);
  });

  test('says that no id is left, once the largest int64 was given out', async () => {
    const sandbox = await server.sandbox({ fixture: 'last-id' });
    const two = await sandbox.post('/_sandbox/pets', { count: 2 });
    expect(two.json).toMatchObject({ status: 409, code: 'limit_reached' });
    const last = await sandbox.post('/v1/pets', REX);
    expect(last.text).toBe('{"id":9223372036854775807,"name":"Rex","categoryId":1}');
    expect((await sandbox.get('/v1/pets/9223372036854775807')).text).toBe(last.text);
    expect((await sandbox.post('/v1/pets', REX)).json).toMatchObject({ status: 409, code: 'limit_reached' });
    expect((await sandbox.get('/_sandbox')).json.nextId).toBeNull();
  });
});

// It is planted in one process.
test('an error that nobody foresaw is a 500 without a word of its own, and is logged whole', async () => {
  const sandbox = await server.sandbox();
  const journal = [...server.store.journals()].at(-1) as Journal;
  journal.findPet = () => {
    throw new TypeError(`a secret of ${process.cwd()}`);
  };
  server.expectTrouble(/a request failed/);
  const reply = await sandbox.get('/v1/pets/1');
  expect(reply.json).toMatchObject({ status: 500, code: 'internal_error' });
  expect(reply.text).not.toContain('secret');
  const logged = server.lines.map(({ details }) => String((details as { err?: unknown }).err));
  expect(logged).toContainEqual(expect.stringContaining('a secret of'));
  expect(JSON.stringify(server.lines)).not.toContain(sandbox.key);
  Reflect.deleteProperty(journal, 'findPet');
  expect((await sandbox.get('/v1/pets/1')).status).toBe(200);
});
