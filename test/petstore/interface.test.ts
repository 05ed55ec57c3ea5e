import { beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { cases, type Want } from './cases.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});

for (const [part, rows] of Object.entries(cases)) {
  describe(part, () => {
    for (const { title, ask, want } of rows) {
      test(title, async () => {
        const client = await server.sandbox();
        expectAnswer(await client.send(ask), want);
        // What was refused left nothing behind.
        if (want.status >= 400) expect((await client.get('/v1/pets?limit=100')).json).toHaveLength(12);
      });
    }
  });
}

function expectAnswer(reply: Reply, { status, code, says = [], text, headers = {} }: Want): void {
  expect(reply, reply.text).toMatchObject({ status });
  if (text !== undefined) expect(reply.text).toBe(text);
  if (code !== undefined) expect(reply.json.code).toBe(code);
  for (const part of says) expect(reply.json.message).toContain(part);
  for (const [name, value] of Object.entries(headers)) expect(reply.headers[name] ?? null).toBe(value);
}
