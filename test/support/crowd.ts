/** Pets that many create at once, and what must be there of them after a crash. */
import type { Client, Reply } from './client.ts';

/** A client of the server, which may have been started again. */
export type At = (key: string) => Client;

export function accepted(reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(`a change was rejected: ${reply.status} ${reply.text}`);
  return reply;
}

/** A sandbox in which many create pets at once. */
export class Crowd {
  readonly key: string;
  /** The pets by their ids, as they were sent. */
  #acknowledged = new Map<number, string>();
  /** Of creates without a response. */
  #unsure = new Set<string>();

  constructor(key: string) {
    this.key = key;
  }

  get size(): number {
    return this.#acknowledged.size;
  }

  /** @param name unlike every other */
  async create(at: At, name: string): Promise<void> {
    const pet = JSON.stringify({ name, categoryId: name.length, status: 'pending' });
    this.#unsure.add(pet);
    const { json } = accepted(await at(this.key).post('/v1/pets', pet));
    this.#acknowledged.set(json.id, pet);
    this.#unsure.delete(pet);
  }

  /** What is wrong after a crash. The next round begins with what is there. */
  async wrongs(at: At): Promise<string[]> {
    const { status, text, json } = await at(this.key).get('/_sandbox/export?format=fixture');
    if (status !== 200) return [`a key was acknowledged and opens nothing: ${status} ${text}`];
    const pets: { id: number }[] = json.pets;
    const found = new Map(pets.map(({ id, ...pet }) => [id, JSON.stringify(pet)]));
    const missing = [...this.#acknowledged].filter(([id, pet]) => found.get(id) !== pet);
    const foreign = [...found].filter(([id, pet]) => this.#acknowledged.get(id) !== pet && !this.#unsure.has(pet));
    const ids = [...found.keys()];
    const last = await at(this.key).get(`/v1/pets/${ids.at(-1) ?? 1}`);
    const isWhole = ids.every((id, n) => id === n + 1) && new Set(found.values()).size === found.size;
    const isFound = last.status === (ids.length === 0 ? 404 : 200);
    this.#acknowledged = found;
    this.#unsure = new Set();
    return [
      ...missing.map(([id, pet]) => `pet ${id} was acknowledged, and is not there: ${pet}`),
      ...foreign.map(([id, pet]) => `pet ${id} is there, and nobody sent it: ${pet}`),
      ...(isWhole && isFound ? [] : [`the ids are not 1 to ${found.size}, each of another pet: ${ids}`]),
    ];
  }
}
