/** Containers with little memory: filled until they reject, killed, and started again with as little. */
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { FILLINGS, type Filling, fill } from '../support/fill.ts';
import { limit } from '../support/slow.ts';
import { HARDENED, KEY, newVolume, startSandbox } from './container.ts';
import { engine, inspect } from './engine.ts';

const addedTo = async (client: Client): Promise<number> => (await client.get('/_sandbox')).json.pets.added;

test.each([
  [256, 'pets made up, 10,000 at once'],
  [256, 'names of 60 KB'],
  [256, 'names of 900 KB with a wide character'],
] as const)(
  'in %i MiB it rejects %s before it is killed, and starts again with all that it acknowledged',
  async (mib, kind) => {
    const limit = `${mib}m`;
    const flags = [...HARDENED, `--memory=${limit}`, `--memory-swap=${limit}`, `--volume=${await newVolume()}:/data`];
    const options = { flags, env: { SANDBOX_API_KEYS: KEY } };
    const filling: Filling = FILLINGS[kind];
    const first = await startSandbox(options);
    const client = new Client(first.url, KEY);
    const filled = await fill(client, filling);
    expect(filled?.rejection.json).toMatchObject({ status: 409, code: 'limit_reached' });
    // Another process in the same memory.
    expect((await first.exec('petstore-sandbox', 'wait', '--timeout', '0')).code).toBe(0);
    const added = (filled?.done.length ?? 0) * filling.pets;
    expect(await addedTo(client)).toBe(added);
    expect((await inspect(first.name)).State).toMatchObject({ Running: true, OOMKilled: false });
    // The limit was there, and was seen: an engine that cannot set one would let this test pass.
    expect((await first.logs()).stdout).toContain(`"limit":{"bytes":${mib * 2 ** 20},"from":"container"}`);
    await engine('kill', '--signal=KILL', first.name);

    const second = await startSandbox(options);
    expect(await addedTo(new Client(second.url, KEY))).toBe(added);
    process.stdout.write(
      `image: ${added} pets (${kind}) in ${mib} MiB, healthy again after ${second.healthyAfterMs} ms\n`,
    );
  },
  limit(120_000),
);
