/** Start and stop of a server, as a whole. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { resolveSettings } from '../../src/settings/config.ts';
import { send } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { heldClock } from '../support/held-clock.ts';
import { KeptLog } from '../support/log.ts';
import { limit } from '../support/slow.ts';

/** A server whose validator is this program; resolves with why it stopped. */
async function startWith(validator: string): Promise<{ server: RunningServer; stopped: Promise<Error>; log: KeptLog }> {
  const folder = await newFolder({ 'validator.mjs': validator });
  const log = new KeptLog();
  let server: RunningServer | undefined;
  const stopped = new Promise<Error>((resolve, reject) => {
    startServer({
      settings: resolveSettings([{ port: 0, memory: true }]),
      log,
      worker: pathToFileURL(join(folder, 'validator.mjs')),
      onFatal: resolve,
    }).then((started) => {
      server = started;
    }, reject);
  });
  await expect.poll(() => server).toBeDefined();
  return { server: server as unknown as RunningServer, stopped, log };
}

describe('a validator that never answers', () => {
  it('holds up the end for a bounded time, and what it owes is not validated', async () => {
    const mute =
      "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('ready'); parentPort.on('message', () => undefined);";
    const { server, log } = await startWith(mute);
    const { secret } = await server.sandboxes.create({});
    const headers = { Authorization: `Bearer ${secret}` };
    expect((await send(server.url, { path: '/v1/pets', headers })).status).toBe(200);
    log.expect(/^not validated: the server ended before the validator's verdict/);
    let answered = false;
    void server.validator.settled().then(() => {
      answered = true;
    });
    await server.close();
    expect([answered, server.validator.tallies.validationFailures]).toEqual([true, 1]);
    expect(log.take().troubles).toEqual([]);
  });
});

/** Native code, which no other thread can interrupt. */
describe('a validator that does not end', () => {
  it('is left to itself, with one line at debug level', async () => {
    const stuck = `import { execFileSync } from 'node:child_process';
      import { parentPort } from 'node:worker_threads';
      parentPort.postMessage('ready');
      parentPort.on('message', () => execFileSync(process.execPath, ['-e', 'setTimeout(() => 0, ${limit(8_000)})']));`;
    const { server, log } = await startWith(stuck);
    const { secret } = await server.sandboxes.create({});
    await send(server.url, { path: '/v1/pets', headers: { Authorization: `Bearer ${secret}` } });
    log.allow(/^not validated: the server ended before the validator's verdict/);
    await server.close();
    const { level, message } = log.lines.at(-1) ?? {};
    expect([level, message]).toEqual(['debug', 'the validator did not end in time; it ends with the process']);
    expect(log.take().troubles).toEqual([]);
  });
});

describe('a validator that cannot start', () => {
  it('stops the server, which says why', async () => {
    const { server, stopped, log } = await startWith("throw new Error('a schema does not compile');");
    expect((await stopped).message).toMatch(/the validator cannot start: a schema does not compile/);
    await expect(send(server.url, { path: '/_sandbox/health' })).rejects.toThrow(/ECONNREFUSED/);
    expect(log.lines.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      'the server stops: no validator checks its traffic',
    ]);
    await server.close();
  });

  it('does not count as one when the server is closed before it was ready', async () => {
    const { server, stopped, log } = await startWith('setTimeout(() => undefined, 60_000);');
    await server.close();
    await expect(Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 200))])).resolves.toBeUndefined();
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
