import { expect } from 'vitest';
import { type JsonObject, type JsonValue, parseJson } from '../../../src/base/int64.ts';
import { Client, type Reply, type TestRequest } from '../../support/client.ts';
import { type Cases, caseNameOf, inSandbox } from './requests.ts';

/**
 * Sends every request of a table: each is answered with its status, each new pet is as it was sent, lists are in order, and
 * HEAD and OPTIONS fit.
 */
export async function sendAll(client: Client, table: readonly Cases[]): Promise<void> {
  for (const { requests, status } of table) {
    for (const request of requests) {
      const sent = inSandbox(request);
      const reply = await client.send(sent);
      const title = caseNameOf(request);
      expect([title, reply.status, reply.text]).toEqual([title, status, reply.text]);
      if (sent.method === undefined) await expectSameHead(client, sent, reply);
      if (status === 200 || status === 201) await expectOptions(client, sent);
      if (status === 200) expectOrder(title, parseJson(reply.text));
      if (status !== 201) continue;
      const { id: _, ...pet } = parseJson(reply.text) as JsonObject;
      expect([title, pet]).toEqual([title, parseJson(request.pet ?? [request.body ?? []].flat().join(''))]);
    }
  }
}

/** HEAD is answered as GET was, without the body. */
async function expectSameHead(client: Client, sent: TestRequest, { status, headers }: Reply): Promise<void> {
  const head = await client.send({ ...sent, method: 'HEAD' });
  expect([sent.path, head.status, head.headers['content-length'], head.text]).toEqual([
    ...[sent.path, status, headers['content-length'], ''],
  ]);
}

/** OPTIONS names the method that was accepted, to anyone. */
async function expectOptions({ url }: Client, { method = 'GET', path }: TestRequest): Promise<void> {
  const { status, headers } = await new Client(url).send({ method: 'OPTIONS', path });
  expect([path, status, headers.allow?.split(', ')]).toEqual([path, 204, expect.arrayContaining([method, 'OPTIONS'])]);
}

/** The pets of a list ascend by their ids. */
function expectOrder(title: string, pets: JsonValue): void {
  const ids = (pets as JsonObject[]).map(({ id }) => id as bigint);
  expect([title, ids]).toEqual([title, ids.toSorted((a, b) => (a < b ? -1 : 1))]);
  expect([title, new Set(ids).size]).toEqual([title, ids.length]);
}
