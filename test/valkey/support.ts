/** What tests of a shared store have in common: two servers on one store, and clients that ask them in turn. */
import { Client } from '../support/client.ts';
import { addPeers } from '../support/peers.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

export const ADMIN = 'the-admin-token-of-these-tests';
const JSON_BODY = { 'Content-Type': 'application/json' };

/** @param store the address of an unused database */
export async function startTwo(store: string): Promise<readonly [TestServer, TestServer]> {
  const settings = { store, adminToken: ADMIN };
  const servers = await Promise.all([startTestServer({ settings }), startTestServer({ settings })]);
  addPeers(servers.map(({ url }) => url));
  return servers as [TestServer, TestServer];
}

/** A client of a new sandbox. Each of its requests goes to the next server. */
export async function newClient(url: string, body: object = {}): Promise<Client> {
  const path = '/_sandbox/keys';
  const reply = await new Client(url).send({ method: 'POST', path, headers: JSON_BODY, body: JSON.stringify(body) });
  if (reply.status !== 201) throw new Error(reply.text);
  return new Client(url, reply.json.key);
}

/** Adds a pet. */
export const create = (client: Client, name: string) =>
  client.send({
    method: 'POST',
    path: '/v1/pets',
    headers: JSON_BODY,
    body: JSON.stringify({ name, categoryId: 1 }),
  });

export const range = (first: number, count: number): number[] => Array.from({ length: count }, (_, n) => first + n);
