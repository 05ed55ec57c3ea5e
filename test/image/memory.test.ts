/** A container with as little memory as is promised: filled until it rejects, killed, and started again. What else fills it: test/faults. */
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { FILLINGS, fill } from '../support/fill.ts';
import { limit } from '../support/slow.ts';
import { HARDENED, KEY, newVolume, startSandbox } from './container.ts';
import { engine, inspect } from './engine.ts';

const MIB = 256;

const addedTo = async (client: Client): Promise<number> => (await client.get('/_sandbox')).json.pets.added;

const title = `in ${MIB} MiB it rejects pets before it is killed, and starts again with all that it acknowledged`;
test(title, { timeout: limit(120_000) }, async () => {
  const memory = [`--memory=${MIB}m`, `--memory-swap=${MIB}m`];
  const options = {
    flags: [...HARDENED, ...memory, `--volume=${await newVolume()}:/data`],
    env: { SANDBOX_API_KEYS: KEY },
  };
  const first = await startSandbox(options);
  const client = new Client(first.url, KEY);
  const filled = await fill(client, FILLINGS['names of 90 KB with a wide character']);
  expect(filled?.rejection.json).toMatchObject({ status: 409, code: 'limit_reached' });
  // Another process in the same memory.
  expect((await first.exec('petstore-sandbox', 'wait', '--timeout', '0')).code).toBe(0);
  const added = filled?.done.length ?? 0;
  expect(await addedTo(client)).toBe(added);
  expect((await inspect(first.name)).State).toMatchObject({ Running: true, OOMKilled: false });
  // The limit was there, and was seen: an engine that cannot set one would let this test pass.
  expect((await first.logs()).stdout).toContain(`"limit":{"bytes":${MIB * 2 ** 20},"from":"container"}`);
  await engine('kill', '--signal=KILL', first.name);

  const second = await startSandbox(options);
  expect(await addedTo(new Client(second.url, KEY))).toBe(added);
  process.stdout.write(`image: ${added} pets in ${MIB} MiB, healthy again after ${second.healthyAfterMs} ms\n`);
});
