/** Many writers at once: creates in several sandboxes, with every other change among them, until the server is gone. */
import { type Reply, send, type TestRequest } from '../support/client.ts';
import { type Ask, type Facts, KINDS } from './facts.ts';
import { Model } from './world.ts';

const WRITERS = 16;
/** Of a hundred requests. */
const RESETS = 1;
const NEW_KEYS = 1;
const OTHERS = 30;
/** How many sandboxes are written to at a time: the newest ones. */
const BUSY = 6;
const STATUSES = [undefined, 'available', 'pending', 'sold'];

export interface Storm {
  /** Told that the server is killed now: from here on, connections may break. */
  killing(): void;
  /** How many creates were acknowledged so far. */
  creates(): number;
  /** Resolves when every writer has lost its connection. */
  over: Promise<unknown>;
  /** What should not have happened. */
  readonly wrongs: readonly string[];
}

/** Sends a request as the holder of a key. */
export const sendAs = (url: string, key: string, { headers, ...request }: TestRequest): Promise<Reply> =>
  send(url, { ...request, headers: { Authorization: `Bearer ${key}`, ...headers } });

/** A new sandbox of the server. @throws when it is rejected */
export async function newWorld(url: string): Promise<Model> {
  const reply = await send(url, { method: 'POST', path: '/_sandbox/keys' });
  if (reply.status !== 201) throw new Error(`a new key was rejected: ${reply.status} ${reply.text}`);
  return new Model(reply.json.sandbox, reply.json.key);
}

/**
 * Lets the writers loose.
 *
 * @param worlds what is written to; new sandboxes are added as their keys come
 * @param facts what else is changed; in `own`, which nobody else writes to, where it would be in the way of the others
 * @param random numbers from 0 to below 1
 * @param round is part of the pets' names, so that none comes twice
 */
export function raise(
  url: string,
  { worlds, facts, own }: { readonly worlds: Model[]; readonly facts: Facts; readonly own: Model },
  random: () => number,
  round: number,
): Storm {
  const ask: Ask = (request, key) => sendAs(url, key, request);
  let moment = 0;
  let killed = false;
  let sent = 0;
  let created = 0;
  const wrongs: string[] = [];
  const now = (): number => ++moment;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

  const createIn = async (world: Model): Promise<void> => {
    const status = pick(STATUSES);
    const pet = {
      name: `round ${round}, pet ${++sent}`,
      categoryId: Math.floor(random() * 1000),
      ...(status && { status }),
    };
    const acknowledge = world.create(pet, now);
    const headers = { 'Content-Type': 'application/json' };
    const request = { method: 'POST', path: '/v1/pets', headers, body: JSON.stringify(pet) };
    const reply = await sendAs(url, world.key, request);
    if (reply.status === 201) {
      acknowledge(reply.json.id);
      created += 1;
    } else wrongs.push(`a create was rejected: ${reply.status} ${reply.text}`);
  };

  const reset = async (world: Model): Promise<void> => {
    const acknowledge = world.reset(now);
    const reply = await sendAs(url, world.key, { method: 'POST', path: '/_sandbox/reset' });
    if (reply.status === 200) acknowledge();
    else wrongs.push(`a reset was rejected: ${reply.status} ${reply.text}`);
  };

  const write = async (): Promise<void> => {
    try {
      while (!killed) {
        const chance = random() * 100;
        const world = pick(worlds.slice(-BUSY));
        if (chance < RESETS) await reset(world);
        else if (chance < RESETS + NEW_KEYS) worlds.push(await newWorld(url));
        else if (chance < RESETS + NEW_KEYS + OTHERS) await facts.make(pick(KINDS), ask, world, own);
        else await createIn(world);
      }
    } catch (error) {
      if (!killed) wrongs.push(`before it was killed: ${(error as Error).message}`);
    }
  };

  return {
    killing: () => {
      killed = true;
    },
    creates: () => created,
    over: Promise.all(Array.from({ length: WRITERS }, write)),
    wrongs,
  };
}
