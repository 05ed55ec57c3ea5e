/** Start and stop of a server, as a whole. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { resolveSettings } from '../../src/base/settings/config.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { send } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { heldClock } from '../support/held-clock.ts';
import { KeptLog } from '../support/log.ts';
import { limit } from '../support/slow.ts';

/** A server whose validator is this program; `stopped` resolves with why it stopped. */
async function startWith(validator: string): Promise<{ server: RunningServer; stopped: Promise<Error>; log: KeptLog }> {
  const worker = pathToFileURL(join(await newFolder({ 'validator.mjs': validator }), 'validator.mjs'));
  const log = new KeptLog();
  let onFatal: (error: Error) => void = () => undefined;
  const stopped = new Promise<Error>((resolve) => {
    onFatal = resolve;
  });
  const settings = resolveSettings([{ port: 0, memory: true }]);
  return { server: await startServer({ settings, log, worker, onFatal }), stopped, log };
}

/** Sends a request that the validator will be asked about. */
async function list({ url, sandboxes }: RunningServer): Promise<void> {
  const { secret } = await sandboxes.create({});
  const { status } = await send(url, { path: '/v1/pets', headers: { Authorization: `Bearer ${secret}` } });
  expect(status).toBe(200);
}

const READY = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('ready');";

describe('a validator', () => {
  it('that never answers holds up the end for a bounded time, and what it owes is not validated', async () => {
    const { server, log } = await startWith(`${READY} parentPort.on('message', () => undefined);`);
    await list(server);
    log.expect(/^not validated: the server ended before the validator's verdict/);
    let answered = false;
    void server.validator.whenValidated().then(() => {
      answered = true;
    });
    await server.close();
    expect([answered, server.validator.tallies.validationFailures]).toEqual([true, 1]);
    expect(log.take().troubles).toEqual([]);
  });

  // Native code, which no other thread can interrupt.
  it('that does not end is left to itself, with one line at debug level', async () => {
    const stuck = `${READY}
      import { execFileSync } from 'node:child_process';
      parentPort.on('message', () => execFileSync(process.execPath, ['-e', 'setTimeout(() => 0, ${limit(8_000)})']));`;
    const { server, log } = await startWith(stuck);
    await list(server);
    await server.close();
    const message = 'the validator did not end in time; it ends with the process';
    expect(log.lines.at(-1)).toMatchObject({ level: 'debug', message });
    const mayCome = /not validated: the server ended before the validator's verdict/;
    expect(log.take().troubles.filter((trouble) => !mayCome.test(trouble))).toEqual([]);
  });

  it('that cannot start stops the server, which says why', async () => {
    const { server, stopped, log } = await startWith("throw new Error('a schema does not compile');");
    expect((await stopped).message).toMatch(/the validator cannot start: a schema does not compile/);
    await expect(send(server.url, { path: '/_sandbox/health' })).rejects.toThrow(/ECONNREFUSED/);
    const errors = log.lines.filter(({ level }) => level === 'error').map(({ message }) => message);
    expect(errors).toEqual(['the server stops: no validator checks its traffic']);
    await server.close();
  });

  it('that was not ready when the server was closed is none that cannot start', async () => {
    const { server, stopped, log } = await startWith('setTimeout(() => undefined, 60_000);');
    await server.close();
    await expect(Promise.race([stopped, new Promise((resolve) => setImmediate(resolve))])).resolves.toBeUndefined();
    expect(log.lines).toEqual([]);
  });
});

it('sweeps no more once it is closed: another may work on its directory by then', async () => {
  const clock = heldClock(Date.UTC(2026, 0, 1));
  const settings = resolveSettings([{ port: 0, memory: true }]);
  const { sandboxes, close } = await startServer({ settings, clock, log: new KeptLog() });
  const sweepIn = async (ms: number): Promise<number> => {
    clock.time += ms;
    await sandboxes.sweep();
    return [...sandboxes.all()].length;
  };
  await sandboxes.create({ ttlSeconds: 10 });
  await sandboxes.create({ ttlSeconds: 20 });
  expect(await sweepIn(11_000)).toBe(1);
  await close();
  expect(await sweepIn(11_000)).toBe(1);
});
