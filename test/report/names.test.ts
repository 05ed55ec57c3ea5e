/** The same client twice, a day apart: what CI systems recognize a test case or an alert by is the same. */
import { expect, test } from 'vitest';
import { runDrill } from '../../src/client/run-drill.ts';
import { connectTo } from '../../src/client/trusting.ts';
import { conformResults } from '../../src/conform/conform-results.ts';
import { drillsReportOf } from '../../src/drills/drills-report.ts';
import { drillsResults } from '../../src/drills/drills-results.ts';
import { readRecording } from '../../src/recording/read.ts';
import { replay } from '../../src/recording/replay.ts';
import { replayResults } from '../../src/recording/replay-results.ts';
import { inFormat } from '../../src/report/formats/formats.ts';
import { previewResults } from '../../src/report/preview-results.ts';
import { reportResults } from '../../src/report/report-results.ts';
import type { Results } from '../../src/report/results.ts';
import { startTarget } from '../../src/server/replay-target.ts';
import { run as conformWith } from '../conform/run.ts';
import { startWrongServer } from '../conform/wrong-server.ts';
import type { Client } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { KINDS, revokedKey } from './clients.ts';

const DAY = 86_400_000;
/** A test in which each run has another time, other ids of requests, and another User-Agent. */
const runs = await Promise.all([0, 1].map((run) => startTestServer({ clock: { now: () => Date.now() + run * DAY } })));

/** One of everything that a report finds. */
async function useAll(client: Client, run: number): Promise<void> {
  for (const use of Object.values(KINDS)) await use(client);
  await client.get('/v1/pets/1', { 'User-Agent': `client/${run}.0` });
  await client.get('/v1/pet/1');
  await client.get('/v1/pets', { Authorization: `Bearer ${await revokedKey(client)}` });
  await client.get('/v1/pets', { 'Sandbox-Expect': 'invalid' });
  await client.post('/v1/pets', '{"name":"Lost","categoryId":1}', { 'Sandbox-Fault': 'status=503; when=after' });
  // Otherwise a note says that nobody looked for it, unless the list before it was a moment ago.
  await client.get('/v1/pets');
}

const RESULTS: Readonly<Record<string, (server: TestServer, run: number) => Promise<Results>>> = {
  report: async (server, run) => {
    const client = await server.sandbox();
    await useAll(client, run);
    return reportResults((await client.get('/_sandbox/report')).json);
  },
  preview: async (server, run) => {
    const client = await server.sandbox();
    await useAll(client, run);
    return previewResults((await client.get('/_sandbox/preview')).json);
  },
  drills: async (server) => {
    const anyone = await connectTo({ url: server.url });
    const results = [];
    for (const drill of ['lost-create', 'create-503', 'retry-after-seconds', 'long-ids']) {
      const result = await runDrill(anyone, drill, async ({ url, key, petName }) => {
        const pet = JSON.stringify({ name: petName, categoryId: 1 });
        for (let i = 0; i < 2; i++) {
          const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
          await fetch(`${url}/pets`, { method: 'POST', headers, body: pet }).catch(() => undefined);
          await fetch(`${url}/pets`, { headers }).catch(() => undefined);
        }
        return { success: true, results: [] };
      });
      results.push(result);
    }
    return drillsResults(drillsReportOf(results, { strict: false, createdAt: results[0]?.startedAt ?? '' }));
  },
  conform: async (server) => {
    const { secret: key } = await server.sandboxes.create({});
    const url = await startWrongServer(server.url, key, 'name changed');
    return conformResults(await conformWith(url, key));
  },
  replay: async (server) => {
    const client = await server.sandbox();
    for (let i = 0; i < 2; i++) await client.get('/v1/pets?limit=1');
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const { text } = await client.get('/_sandbox/export?format=recording');
    const found = await readRecording(Buffer.from(text.replaceAll('Biscuit', 'Crumb')));
    const { target, close } = await startTarget(found);
    try {
      return replayResults(await replay(found, target), new Date().toISOString());
    } finally {
      await close();
    }
  },
};

/** What a CI system recognizes. */
async function identityOf(results: Results): Promise<string[]> {
  const junit = await inFormat('junit', results);
  const cases = [...junit.matchAll(/<testcase name="([^"]*)" classname="([^"]*)"/g)].map(
    ([, name, of]) => `${of} ${name}`,
  );
  const [run] = JSON.parse(await inFormat('sarif', results)).runs;
  const alerts = run.results.map(({ ruleId, message, partialFingerprints }: Record<string, object>) =>
    JSON.stringify({ ruleId, message, partialFingerprints }),
  );
  for (const identities of [cases, alerts]) expect(identities).toEqual([...new Set(identities)]);
  return [...cases, ...alerts];
}

test.each(Object.entries(RESULTS))(
  '%s: names and alerts are the same a day later, and each is there once',
  async (_kind, resultsOf) => {
    const [first = [], second] = await Promise.all(
      runs.map(async (server, run) => identityOf(await resultsOf(server, run))),
    );
    expect(first.length).toBeGreaterThanOrEqual(3);
    expect(second).toEqual(first);
    for (const each of first) expect(each).not.toMatch(/req_|\d{4}-\d\d-\d\dT|days? |client\/|undici|node/i);
  },
);
