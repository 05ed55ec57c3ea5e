/** Two servers that share a store, as one test server. */
import { Redis } from 'iovalkey';
import { inject } from 'vitest';
import { addPeers } from './peers.ts';
import type { TestServer, TestServerOptions } from './server.ts';

const ADMIN = 'the-admin-token-of-both-servers';

/** @param start starts one server */
export async function startPair(
  { settings, ...options }: TestServerOptions,
  start: (options: TestServerOptions) => Promise<TestServer>,
): Promise<TestServer> {
  const { memory: _, ...others } = settings ?? {};
  const store = others.store ?? (await unusedStore());
  const shared = { ...options, settings: { adminToken: ADMIN, ...others, store } };
  const [first, second] = [await start(shared), await start(shared)];
  addPeers([first.url, second.url]);
  const both = [first, second];
  return {
    ...first,
    urls: [first.url, second.url],
    validator: {
      ...first.validator,
      settled: async (sandbox) => {
        await Promise.all(both.map(({ validator }) => validator.settled(sandbox)));
      },
    },
    close: async () => {
      await Promise.all(both.map((server) => server.close()));
    },
    end: async () => {
      await Promise.all(both.map((server) => server.end()));
    },
    expectTrouble: (pattern) => {
      for (const server of both) server.expectTrouble(pattern);
    },
    allowTrouble: (pattern) => {
      for (const server of both) server.allowTrouble(pattern);
    },
  };
}

/** A database that no other test uses. */
export async function unusedStore(): Promise<string> {
  const engine = inject('sharedStore') as string;
  const client = new Redis({ port: Number(new URL(engine).port) });
  const database = await client.incr('databases');
  client.disconnect();
  return `${engine}/${database}`;
}
