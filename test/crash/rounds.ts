/** Kills the server under load, again and again on the same data, and looks each time at what is left. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../support/random.ts';
import { limit } from '../support/slow.ts';
import { Program } from '../support/watched-program.ts';
import { type Ask, Facts, KINDS, someRecording } from './facts.ts';
import { newWorld, raise, sendAs } from './storm.ts';
import type { Model, SentPet } from './world.ts';

/** When a round's kill comes, after its writers began; on a slow machine, not before something was acknowledged. */
const KILL_AFTER_MS = [50, 800] as const;
const LEAST_CREATES = 20;
const LEAST_OTHERS = 24;
const PATIENCE_MS = limit(10_000);
const FIRST_WORLDS = 4;
const SHOWN_WRONGS = 30;

/** What a run saw: acknowledged and looked for again. */
export interface Seen {
  creates: number;
  resets: number;
  sandboxes: number;
  /** Of each kind of other changes. */
  others: Readonly<Record<string, number>>;
}

/**
 * Plays the rounds. The seed decides the moments and what is sent, not how the machine interleaves it.
 *
 * @throws an error that lists what is missing or wrong, with the round and the seed
 */
export async function playRounds(rounds: number, seed: number): Promise<Seen> {
  const data = await mkdtemp(join(tmpdir(), 'petstore-crash-'));
  const random = randomFrom(seed);
  const worlds: Model[] = [];
  const seen: Seen = { creates: 0, resets: 0, sandboxes: 0, others: {} };
  let program: Running | undefined;
  try {
    program = await start(data);
    const own = await newWorld(program.url);
    const facts = new Facts(await someRecording(askOf(program), own.key));
    for (let round = 1; round <= rounds; round++) {
      while (worlds.length < FIRST_WORLDS) worlds.push(await newWorld(program.url));
      const wrongs = await crash(program, { worlds, facts, own }, random, round);
      for (const { acknowledged } of worlds) {
        seen.creates += acknowledged.creates;
        seen.resets += acknowledged.resets;
      }
      program = await start(data).catch((error: Error) => {
        throw new Error(tell([...wrongs, error.message], round, seed));
      });
      // What was not written to since it was looked at is looked at once more, after the last kill.
      for (const world of worlds.filter(({ isChanged }) => isChanged || round === rounds)) {
        const { pets, wrongs: more } = await lookInto(program.url, world);
        wrongs.push(...more, ...world.wrongs(pets));
        world.settle(pets);
      }
      wrongs.push(...(await facts.wrongs(askOf(program))));
      if (wrongs.length > 0) throw new Error(tell(wrongs, round, seed));
    }
    seen.sandboxes = worlds.length;
    seen.others = Object.fromEntries(KINDS.map((kind) => [kind, facts.counts.get(kind) ?? 0]));
    return seen;
  } finally {
    await program?.kill();
    await rm(data, { recursive: true, force: true });
  }
}

interface Running {
  /** `http://127.0.0.1:4020`, without a path. */
  readonly url: string;
  kill(): Promise<void>;
}

async function start(data: string): Promise<Running> {
  const program = new Program(['--port', '0', '--data', data, '--fixture', 'empty', '--log-format', 'json']);
  const [, url = ''] = await program.wrote(/"url":"([^"]+)".*"msg":"listening"/);
  return { url, kill: () => program.kill() };
}

const askOf =
  ({ url }: Running): Ask =>
  (request, key) =>
    sendAs(url, key, request);

async function crash(
  program: Running,
  targets: Parameters<typeof raise>[1],
  random: () => number,
  round: number,
): Promise<string[]> {
  const [least, most] = KILL_AFTER_MS;
  const wait = least + random() * (most - least);
  const storm = raise(program.url, targets, random, round);
  await sleep(wait);
  const isEnough = () => storm.creates() >= LEAST_CREATES && targets.facts.acknowledged >= LEAST_OTHERS;
  for (let waited = 0; !isEnough() && waited < PATIENCE_MS; waited += 5) await sleep(5);
  storm.killing();
  await program.kill();
  await storm.over;
  return [...storm.wrongs];
}

/** Everything that was added to a sandbox: its ids begin with 1 and have no gap. */
async function lookInto(url: string, { key, sandbox }: Model) {
  const pets = new Map<number, SentPet>();
  const wrongs: string[] = [];
  const about = await sendAs(url, key, { path: '/_sandbox' });
  if (about.status !== 200) {
    wrongs.push(`${sandbox}: its key was acknowledged and opens nothing: ${about.status} ${about.text}`);
    return { pets, wrongs };
  }
  const { nextId, pets: counts } = about.json;
  if (counts.total !== nextId - 1) wrongs.push(`${sandbox}: holds ${counts.total} pets, and the next id is ${nextId}`);
  const ids = Array.from({ length: nextId - 1 }, (_, index) => index + 1);
  const look = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const reply = await sendAs(url, key, { path: `/v1/pets/${id}` });
      if (reply.status !== 200) {
        wrongs.push(`${sandbox}: pet ${id} cannot be read: ${reply.status} ${reply.text}`);
        continue;
      }
      const { id: _, ...pet } = reply.json;
      pets.set(id, pet);
    }
  };
  await Promise.all(Array.from({ length: 8 }, look));
  return { pets, wrongs };
}

function tell(wrongs: readonly string[], round: number, seed: number): string {
  const more = wrongs.length > SHOWN_WRONGS ? [`and ${wrongs.length - SHOWN_WRONGS} more`] : [];
  return [`round ${round}, CRASH_SEED=${seed}:`, ...wrongs.slice(0, SHOWN_WRONGS), ...more].join('\n  ');
}

/** The seed of this run: CRASH_SEED, to play a run again, or a new one. It is printed. */
export function chooseSeed(): number {
  const given = process.env['CRASH_SEED'];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  process.stdout.write(`crash test: CRASH_SEED=${seed}\n`);
  return seed;
}
