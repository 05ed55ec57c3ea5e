import { expect } from 'vitest';
import { type JsonObject, parseJson } from '../../src/core/int64.ts';
import type { Client } from '../support/client.ts';
import { type Cases, caseNameOf, inSandbox } from './requests.ts';

/** Sends every request of a table: each is answered with its status, and each new pet is as it was sent. */
export async function sendAll(client: Client, table: readonly Cases[]): Promise<void> {
  for (const { requests, status } of table) {
    for (const request of requests) {
      const reply = await client.send(inSandbox(request));
      const title = caseNameOf(request);
      expect([title, reply.status, reply.text]).toEqual([title, status, reply.text]);
      if (status !== 201) continue;
      const { id: _, ...pet } = parseJson(reply.text) as JsonObject;
      expect([title, pet]).toEqual([title, parseJson(request.pet ?? [request.body ?? []].flat().join(''))]);
    }
  }
}
