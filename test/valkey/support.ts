/** What tests of a shared store have in common: engines and servers that end with the test, and clients. */
import { expect, onTestFinished } from 'vitest';
import type { Level } from '../../src/settings/config.ts';
import { Client } from '../support/client.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { type Forwarder, startForwarder } from '../support/forwarder.ts';
import { addPeers } from '../support/peers.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { Program } from '../support/watched-program.ts';

export const ADMIN = 'the-admin-token-of-these-tests';

/** @param args settings of the engine */
export async function engineWith(...args: string[]): Promise<TestEngine> {
  const engine = await startEngine(args);
  onTestFinished(() => engine.close());
  return engine;
}

/** @param primary it, or a port that leads to it */
export async function replicaOf({ port }: { readonly port: number }): Promise<TestEngine> {
  const replica = await engineWith('--replicaof', '127.0.0.1', String(port));
  await expect
    .poll(() => replica.client.info('replication'), { timeout: limit(20_000) })
    .toContain('master_link_status:up');
  return replica;
}

/** The address of an engine behind a port whose connections can be broken. */
export async function forwardTo({ port }: TestEngine): Promise<Forwarder & { readonly store: string }> {
  const forwarder = await startForwarder(port);
  onTestFinished(() => forwarder.close());
  return { ...forwarder, store: `valkey://127.0.0.1:${forwarder.port}/0` };
}

/** A server whose store may fail. */
export async function startOn(store: string, settings: Level = {}): Promise<TestServer> {
  const server = await startTestServer({ settings: { store, adminToken: ADMIN, ...settings } });
  server.allowTrouble(/a request failed|the sweep could not|an exchange is lost/);
  return server;
}

/** @param store the address of an unused database */
export async function startTwo(store: string): Promise<readonly [TestServer, TestServer]> {
  const servers = await Promise.all([startOn(store), startOn(store)]);
  addPeers(servers.map(({ url }) => url));
  return servers;
}

/** A client of each of two servers, for one new sandbox. */
export async function twoClients(store: string, other = store): Promise<readonly [Client, Client]> {
  const servers = [await startOn(store), await startOn(other)] as const;
  const client = await newClient(servers[0].url);
  return [client, new Client(servers[1].url, client.key)];
}

/** The program in a process of its own. */
export function startProcess(store: string, ...flags: string[]): Program {
  const args = ['serve', '--port', '0', '--store', store, '--log-format', 'json', ...flags];
  const program = new Program(args, { env: { SANDBOX_ADMIN_TOKEN: ADMIN, PATH: process.env['PATH'] ?? '' } });
  onTestFinished(() => program.kill());
  return program;
}

/** A client of a new sandbox. Each of its requests goes to the next server. */
export async function newClient(url: string, body: object = {}): Promise<Client> {
  const reply = await new Client(url).post('/_sandbox/keys', body);
  if (reply.status !== 201) throw new Error(reply.text);
  return new Client(url, reply.json.key);
}

/** Adds a pet. */
export const create = (client: Client, name: string) => client.post('/v1/pets', { name, categoryId: 1 });

export const range = (first: number, count: number): number[] => Array.from({ length: count }, (_, n) => first + n);
