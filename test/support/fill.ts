/** Fills a server until it refuses more, in several ways. */
import { type Client, type Reply, send } from './client.ts';

/** A way to fill a server: how many clients at once, and what each of them sends next. */
export interface Filling {
  readonly clients: number;
  /** @returns the reply to the last request of step number `n` */
  next(client: Client, n: number): Promise<Reply>;
  /** Pets that one step adds. */
  readonly pets: number;
}

const create = (name: string) => (client: Client, n: number) =>
  client.post('/v1/pets', { name: `${name}${n}`, categoryId: 1 });

export const FILLINGS = {
  'pets made up, 10,000 at once': {
    clients: 2,
    pets: 10_000,
    next: (client) => client.post('/_sandbox/pets', { count: 10_000 }),
  },
  'names of 900 KB': { clients: 16, pets: 1, next: create('n'.repeat(900_000)) },
  'names of 900 KB with a wide character': { clients: 8, pets: 1, next: create(`€${'n'.repeat(900_000)}`) },
  'names of 60 KB': { clients: 48, pets: 1, next: create('n'.repeat(60_000)) },
  sandboxes: {
    clients: 16,
    pets: 0,
    next: (client) => send(client.url, { method: 'POST', path: '/_sandbox/keys' }),
  },
} as const satisfies Record<string, Filling>;

export interface Filled {
  /** Steps that were acknowledged, with the numbers they had, and what was answered. */
  readonly done: readonly { readonly n: number; readonly text: string }[];
  /** The first reply that was no 201. */
  readonly refusal: Reply;
}

/** Goes on until the server refuses, at most `most` steps. @throws {Error} when a connection breaks */
export async function fill(client: Client, { clients, next }: Filling, most = 100_000): Promise<Filled | undefined> {
  const done: { n: number; text: string }[] = [];
  let refusal: Reply | undefined;
  let n = 0;
  const one = async (): Promise<void> => {
    while (!refusal && n < most) {
      const mine = n++;
      const reply = await next(client, mine);
      if (reply.status === 201) done.push({ n: mine, text: reply.text.slice(0, 64) });
      else refusal ??= reply;
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
  return refusal && { done, refusal };
}
