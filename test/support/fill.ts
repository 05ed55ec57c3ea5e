/** Fills a server until it rejects more, in several ways. */
import { type Client, type Reply, send } from './client.ts';

/** A way to fill a server: how many clients at once, and what each of them sends next. */
export interface Filling {
  readonly clients: number;
  /** @returns what all steps send */
  prepare?(client: Client): Promise<string>;
  /** @returns the reply to the last request of step number `n` */
  next(client: Client, n: number, prepared: string): Promise<Reply>;
  /** Pets that one step adds. */
  readonly pets: number;
}

const create = (name: string) => (client: Client, n: number) =>
  client.post('/v1/pets', { name: `${name}${n}`, categoryId: 1 });

/** @returns a recording of almost 1 MB, whose snapshots are logs that continue each other */
async function recording(client: Client): Promise<string> {
  for (let n = 0; n < 30; n += 1) {
    await create('n'.repeat(12_000))(client, n);
    await client.post('/_sandbox/snapshots', { name: `s${n}` });
    await client.post('/_sandbox/reset', { snapshot: `s${Math.max(n - 3, 0)}` });
  }
  const { text } = await client.get('/_sandbox/export?format=recording');
  await client.post('/_sandbox/reset', {});
  return text;
}

export const FILLINGS = {
  'pets made up, 10,000 at once': {
    clients: 2,
    pets: 10_000,
    next: (client) => client.post('/_sandbox/pets', { count: 10_000 }),
  },
  'names of 90 KB with a wide character': { clients: 48, pets: 1, next: create(`€${'n'.repeat(90_000)}`) },
  'names of 60 KB': { clients: 48, pets: 1, next: create('n'.repeat(60_000)) },
  recordings: {
    clients: 2,
    pets: 0,
    prepare: recording,
    next: (client, _, body) =>
      send(client.url, {
        method: 'POST',
        path: '/_sandbox/import',
        headers: { 'Content-Type': 'application/jsonl' },
        body,
      }),
  },
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
  readonly rejection: Reply;
}

/** Goes on until the server rejects, at most `most` steps. @throws {Error} when a connection breaks */
export async function fill(
  client: Client,
  { clients, prepare, next }: Filling,
  most = 100_000,
): Promise<Filled | undefined> {
  const prepared = (await prepare?.(client)) ?? '';
  const done: { n: number; text: string }[] = [];
  let rejection: Reply | undefined;
  let n = 0;
  const one = async (): Promise<void> => {
    while (!rejection && n < most) {
      const mine = n++;
      const reply = await next(client, mine, prepared);
      if (reply.status === 201) done.push({ n: mine, text: reply.text.slice(0, 64) });
      else rejection ??= reply;
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
  return rejection && { done, rejection };
}
