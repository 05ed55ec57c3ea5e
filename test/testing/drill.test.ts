/** `drill()` for the tests of a client. */
import { describe, expect, it } from 'vitest';
import { drill as drillInVitest } from '../../src/testing/vitest.ts';
import { type DrillCall, DrillError, drill } from '../../src/testing.ts';
import { startTestServer } from '../support/server.ts';

const create = async ({ url, key, pet }: DrillCall): Promise<void> => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/pets`, { method: 'POST', headers, body: JSON.stringify(pet) });
  if (!response.ok) throw new Error(`status ${response.status}`);
};
const createAgain = (call: DrillCall): Promise<void> => create(call).catch(() => create(call));

describe('drill', () => {
  it('resolves for a client that does no harm, and leaves no sandbox', async () => {
    const server = await startTestServer();
    const { verdict, checks } = await drill('lost-create', create, { server });
    expect(verdict).toBe('pass');
    expect(checks.map(({ id, status }) => [id, status])).toEqual([
      ['one-pet', 'pass'],
      ['looked', 'skipped'],
    ]);
    expect([...server.sandboxes.all()]).toEqual([]);
  });

  it('throws for one that does, and says what it found', async () => {
    const server = await startTestServer();
    const failed = drill('lost-create', createAgain, { server });
    await expect(failed).rejects.toThrow(DrillError);
    await expect(failed).rejects.toThrow(/^✗ lost-create: 2 pets have the name/);
    await expect(drill('no-such', create, { server })).rejects.toThrow('no-such is not known here');
  });

  it('throws for a should only where it is strict', async () => {
    const server = await startTestServer();
    const looksAway = (call: DrillCall) => create(call).catch(() => undefined);
    await drill('lost-create', looksAway, { server });
    await expect(drill('lost-create', looksAway, { server, strict: true })).rejects.toThrow('without a look');
  });

  it('starts a server of its own where none is given, in Vitest as well', async () => {
    await drill('lost-create', create);
    await expect(drillInVitest('lost-create', createAgain)).rejects.toThrow('2 pets have the name');
  });
});
