/**
 * With the memory of a small container: filled until it rejects, read, killed, and started again with as little. Every
 * time it comes up, with all that was acknowledged.
 */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { FILLINGS, type Filling, fill } from '../support/fill.ts';
import { KEY, memoryGroup, say } from '../support/memory-group.ts';

/** Of many ids, this many are looked at. */
const LOOKED_AT = 40;
/** Lists that are asked for at once. */
const LISTS = 16;

const addedTo = async (client: Client): Promise<number> => (await client.get('/_sandbox')).json.pets.added;

const CASES: readonly [mib: number, kind: keyof typeof FILLINGS][] = [
  [128, 'pets made up, 10,000 at once'],
  [128, 'names of 900 KB'],
  [128, 'names of 60 KB'],
  [128, 'sandboxes'],
  // Older lines of Node take about 20 MiB more to read one.
  [Number.parseInt(process.versions.node, 10) >= 24 ? 128 : 160, 'recordings'],
  [256, 'recordings'],
  [192, 'names of 900 KB with a wide character'],
];

describe('a server with little memory', () => {
  test.for(CASES)('of %i MiB rejects %s before it is killed, and starts again', async ([mib, kind], context) => {
    const filling: Filling = FILLINGS[kind];
    const program = await memoryGroup(mib, context);
    const first = await program.start();
    const client = new Client(first.url, KEY);
    const filled = await fill(client, filling);
    expect(filled?.rejection.json).toMatchObject({ status: 409, code: 'limit_reached' });
    expect((await client.get('/v1/pets?limit=100')).status).toBe(200);
    const done = filled?.done ?? [];
    expect(done.length).toBeGreaterThan(0);
    if (filling.pets > 0) expect(await addedTo(client)).toBe(done.length * filling.pets);
    expect(first.ended).toBeUndefined();
    const running = program.peak();
    await first.kill();

    const second = await program.start();
    const again = new Client(second.url, KEY);
    say(`${mib} MiB, ${kind}: ${done.length} acknowledged, peak ${running} MiB, at the start ${program.peak()} MiB`);
    if (filling.pets > 0) expect(await addedTo(again)).toBe(done.length * filling.pets);
    for (const { text } of filling.pets === 1 ? done.slice(-LOOKED_AT) : []) {
      const [, id, name] = /^{"id":(\d+),"name":"(.{16})/.exec(text) ?? [];
      expect((await again.get(`/v1/pets/${id}`)).text).toContain(`{"id":${id},"name":"${name}`);
    }
    for (const { text } of filling.pets === 0 ? done.slice(-LOOKED_AT) : []) {
      const [, key] = /"key":"(petsbx_\w+)"/.exec(text) ?? [];
      if (key) expect((await new Client(second.url, key).get('/v1/pets')).status).toBe(200);
    }
  });

  test('of 256 MiB holds 60 pets of 900 KB, is asked for all of them many times at once, and starts again', async (context) => {
    const program = await memoryGroup(256, context);
    const first = await program.start();
    const client = new Client(first.url, KEY);
    await fill(client, { ...FILLINGS['names of 900 KB'], clients: 4 }, 60);
    expect(await addedTo(client)).toBe(60);
    const replies = await Promise.all(Array.from({ length: LISTS }, () => lengthOf(client)));
    expect(new Set(replies).size).toBe(1);
    expect(replies[0]).toBeGreaterThan(60 * 900_000);
    expect(first.ended).toBeUndefined();
    const running = program.peak();
    await first.kill();
    const second = await program.start();
    say(`256 MiB, 60 pets and ${LISTS} lists of them: peak ${running} MiB, at the start ${program.peak()} MiB`);
    expect(await addedTo(new Client(second.url, KEY))).toBe(60);
  });
});

/** Bytes of the list of all pets: the texts of all of them at once are too much for this process too. */
async function lengthOf({ url, key }: Client): Promise<number> {
  const response = await fetch(`${url}/v1/pets?limit=100`, { headers: { Authorization: `Bearer ${key}` } });
  let bytes = 0;
  for await (const part of response.body ?? []) bytes += part.length;
  return bytes;
}
