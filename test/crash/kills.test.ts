/** Kills the server under load, again and again on the same data, and looks each time at what is left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { Client } from '../support/client.ts';
import { type At, accepted, Crowd } from '../support/crowd.ts';
import { newFolder } from '../support/folder.ts';
import { Program } from '../support/program.ts';
import { randomFrom } from '../support/random.ts';
import { limit } from '../support/slow.ts';
import { CHANGES, type Fact } from './changes.ts';

/** A few in `npm test`, many in `npm run test:crash`. */
const KILLS = Number(process.env['KILLS'] ?? 2);
/** `CRASH_SEED` plays a run again: it decides the moments and what is sent, not how the machine interleaves it. */
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const WRITERS = 16;
/** Sandboxes that are written to at a time: the newest ones. */
const BUSY = 6;
/** Before a kill, so that a round proves something. */
const LEAST = { creates: 20, changes: 24 };

async function start(data: string) {
  const program = new Program(['--port', '0', '--data', data, '--fixture', 'empty', '--log-format', 'json']);
  onTestFinished(() => program.kill());
  const [, url = ''] = await program.wrote(/"url":"([^"]+)".*"msg":"listening"/);
  const at: At = (key) => new Client(url, key);
  const newKey = async (): Promise<string> => accepted(await new Client(url).post('/_sandbox/keys', {})).json.key;
  return { at, newKey, kill: () => program.kill() };
}

it(`loses nothing that it acknowledged when it is killed under load, ${KILLS} times`, {
  timeout: limit(60_000 + KILLS * 30_000),
}, async () => {
  process.stdout.write(`crash test: CRASH_SEED=${SEED}\n`);
  const data = await newFolder();
  const random = randomFrom(SEED);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const counts: Record<string, number> = { create: 0 };
  const crowds: Crowd[] = [];
  let facts: Fact[] = [];
  let server = await start(data);
  const recorded = server.at(await server.newKey());
  accepted(await recorded.post('/_sandbox/pets', { count: 3 }));
  const recording = (await recorded.get('/_sandbox/export?format=recording')).text;

  for (let round = 1; round <= KILLS; round++) {
    const { at, newKey } = server;
    const own = await newKey();
    while (crowds.length < round + 3) crowds.push(new Crowd(await newKey()));
    const begun = { creates: counts['create'] ?? 0, facts: facts.length };
    const wrongs: string[] = [];
    let isKilled = false;
    let sent = 0;
    const write = async (): Promise<void> => {
      try {
        while (!isKilled) {
          const name = `r${round}-${++sent}`;
          const crowd = pick(crowds.slice(-BUSY));
          const kind = random() < 0.3 ? pick(Object.keys(CHANGES)) : 'create';
          const place = {
            at,
            own,
            crowd,
            recording,
            name,
            isKept: sent % 8 === 0,
            note: (fact: Fact) => facts.push(fact),
          };
          await (CHANGES[kind]?.(place) ?? crowd.create(at, name));
          counts[kind] = (counts[kind] ?? 0) + 1;
        }
      } catch (error) {
        if (!isKilled) wrongs.push(`before it was killed: ${(error as Error).message}`);
      }
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, write));
    await sleep(50 + random() * 750);
    const isEnough = () =>
      wrongs.length > 0 ||
      ((counts['create'] ?? 0) - begun.creates >= LEAST.creates && facts.length - begun.facts >= LEAST.changes);
    await expect.poll(isEnough, { timeout: limit(10_000), interval: 5 }).toBe(true);
    isKilled = true;
    await server.kill();
    await writing;

    server = await start(data);
    for (const crowd of crowds) wrongs.push(...(await crowd.wrongs(server.at)));
    for (const fact of facts) wrongs.push((await fact(server.at)) ?? '');
    expect(wrongs.filter(Boolean), `round ${round}, CRASH_SEED=${SEED}`).toEqual([]);
    // Some are looked for after further crashes, too.
    facts = facts.filter((_, n) => n % 4 === 0).slice(-10);
  }
  process.stdout.write(`crash test: looked for again after ${KILLS} kills: ${JSON.stringify(counts)}\n`);
  const rare = Object.keys(CHANGES).filter((kind) => (counts[kind] ?? 0) < KILLS);
  if (KILLS >= 20) expect(rare).toEqual([]);
});
