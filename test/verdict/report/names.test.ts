/** The same client twice, a day apart: what CI systems recognize a test case or an alert by is the same. */
import { expect, test } from 'vitest';
import { previewResults } from '../../../src/verdict/drafts/preview.ts';
import { inFormat } from '../../../src/verdict/report/formats/formats.ts';
import { reportResults } from '../../../src/verdict/report/report-results.ts';
import type { Results } from '../../../src/verdict/report/results.ts';
import type { Client } from '../../support/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { KINDS, revokedKey } from './clients.ts';
import { DRILLS_RESULTS } from './each.ts';

const DAY = 86_400_000;
/** A test in which each run has another time, other ids of requests, and another User-Agent. */
const runs = await Promise.all([0, 1].map((run) => startTestServer({ clock: { now: () => Date.now() + run * DAY } })));

/** A client that has done one of everything that a report finds. */
async function busyClient(server: TestServer, run: number): Promise<Client> {
  const client = await server.sandbox();
  for (const use of Object.values(KINDS)) await use(client);
  await client.get('/v1/pets/1', { 'User-Agent': `client/${run}.0` });
  await client.get('/v1/pet/1');
  await client.get('/v1/pets', { Authorization: `Bearer ${await revokedKey(client)}` });
  await client.get('/v1/pets', { 'Sandbox-Expect': 'invalid' });
  return client;
}

const RESULTS: Readonly<Record<string, (server: TestServer, run: number) => Promise<Results>>> = {
  report: async (...run) => reportResults((await (await busyClient(...run)).get('/_sandbox/report')).json),
  preview: async (...run) => previewResults((await (await busyClient(...run)).get('/_sandbox/preview')).json),
};

/** What a CI system recognizes. */
async function identityOf(results: Results): Promise<string[]> {
  const junit = await inFormat('junit', results);
  const cases = [...junit.matchAll(/<testcase name="([^"]*)" classname="([^"]*)"/g)].map(
    ([, name, of]) => `${of} ${name}`,
  );
  expect(cases).toEqual([...new Set(cases)]);
  // Their order is that of the verdicts on requests, of which several are on their way.
  return cases.sort();
}

/** What does not last from run to run. */
const OF_A_RUN = /req_|\d{4}-\d\d-\d\dT|days? |client\/|undici|node/i;

test.each(Object.entries(RESULTS))(
  '%s: names and alerts are the same a day later, and each is there once',
  async (_kind, resultsOf) => {
    const [first = [], second] = await Promise.all(
      runs.map(async (server, run) => identityOf(await resultsOf(server, run))),
    );
    expect(first.length).toBeGreaterThanOrEqual(3);
    expect(second).toEqual(first);
    for (const each of first) expect(each).not.toMatch(OF_A_RUN);
  },
);

test('drills: names and alerts are there once, and have nothing of a run', async () => {
  for (const each of await identityOf(DRILLS_RESULTS)) expect(each).not.toMatch(OF_A_RUN);
});
