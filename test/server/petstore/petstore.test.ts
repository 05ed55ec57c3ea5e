import { describe, expect, test } from 'vitest';
import { sharedServer } from '../../support/server.ts';
import { cases, expectResponse } from './cases.ts';

const server = await sharedServer();

for (const [part, rows] of Object.entries(cases)) {
  describe(part, () => {
    for (const { title, request, expected } of rows) {
      test(title, async () => {
        const client = await server.sandbox();
        expectResponse(await client.send(request), expected);
        // What was rejected left nothing behind.
        if (expected.status >= 400) expect((await client.get('/v1/pets?limit=100')).json).toHaveLength(12);
      });
    }
  });
}
