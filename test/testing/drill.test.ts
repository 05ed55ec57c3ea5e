/** `drill()` for the tests of a client. */
import { describe, expect, it } from 'vitest';
import { type DrillCall, DrillError, drill } from '../../src/testing.ts';
import { drill as drillInVitest } from '../../src/vitest.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

const create = async ({ url, key, pet }: DrillCall): Promise<unknown> => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/pets`, { method: 'POST', headers, body: JSON.stringify(pet) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
};
const createAgain = (call: DrillCall): Promise<unknown> => create(call).catch(() => create(call));

describe('drill', () => {
  it('resolves for a client that does no harm, and leaves no sandbox', async () => {
    const { verdict, checks } = await drill('lost-create', create, { server });
    expect(verdict).toBe('pass');
    expect(checks.map(({ id, status }) => [id, status])).toEqual([
      ['one-pet', 'pass'],
      ['result', 'pass'],
    ]);
    expect([...server.sandboxes.all()]).toEqual([]);
  });

  it('throws for one that does, and says what it found', async () => {
    const failed = drill('lost-create', createAgain, { server });
    await expect(failed).rejects.toThrow(DrillError);
    await expect(failed).rejects.toThrow(/^✗ lost-create: 2 pets have the name/);
    await expect(drill('no-such', create, { server })).rejects.toThrow('no-such is not known here');
  });

  it('throws for one that gives back no pet, also something that refers to itself, as a response of axios does', async () => {
    const swallows = (call: DrillCall) => create(call).catch((error) => Object.assign(error, { id: error }));
    await expect(drill('lost-create', swallows, { server })).rejects.toThrow('reported success without the pet');
  });

  it('takes ids as numbers, bigints and text, and an array where the task has several steps', async () => {
    const send = async ({ url, key }: DrillCall, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
      return (await (await fetch(url + path, init)).json()) as { id: number };
    };
    const all = async (call: DrillCall) => {
      const [list, created] = [await send(call, '/pets'), await send(call, '/pets', call.pet)];
      const found = await send(call, `/pets/${call.petId}`);
      return [list, { ...created, id: BigInt(created.id) }, { ...found, id: String(found.id) }];
    };
    expect((await drill('deprecated-operation', all, { server })).outcome).toMatchObject({ missing: null });
  });

  it('starts a server of its own where none is given, in Vitest as well', async () => {
    await drill('lost-create', create);
    await expect(drillInVitest('lost-create', createAgain)).rejects.toThrow('2 pets have the name');
  });
});
