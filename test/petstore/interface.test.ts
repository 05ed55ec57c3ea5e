import { beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { cases } from './cases.ts';
import { expectAnswer } from './expect-answer.ts';

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
