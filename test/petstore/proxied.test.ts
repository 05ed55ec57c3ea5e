/**
 * The table of the API once more, with Prism's own proxy in between: the outside validator. What it lets through is
 * answered as without it; so no response of the service breaks the specification in its eyes. What it rejects, it rejects where
 * the table says so.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { send } from '../support/client.ts';
import { startPrismProxy } from '../support/prism-proxy.ts';
import { sharedServer } from '../support/server.ts';
import { cases, expectResponse } from './cases.ts';

const server = await sharedServer();
const proxy = await startPrismProxy(server.url);
afterAll(() => proxy.close());

for (const [part, all] of Object.entries(cases)) {
  const rows = all.filter(({ proxied }) => proxied !== 'no');
  // A suite without tests would fail: no path that there is not is any matter of Prism's.
  if (rows.length === 0) continue;
  describe(`${part}, through prism proxy`, () => {
    for (const { title, request, expected, proxied } of rows) {
      test(title, async () => {
        const { key } = await server.sandbox();
        const headers = { ...request.headers, Authorization: `Bearer ${key}` };
        const reply = await send(proxy.url, { ...request, path: request.path.replace('/v1', ''), headers });
        if (proxied === undefined) expectResponse(reply, expected);
        else expect(reply).toMatchObject({ status: proxied, headers: { 'content-type': 'application/problem+json' } });
      });
    }
  });
}
