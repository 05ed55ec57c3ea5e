/** The black-box suite of the API, recorded against a sandbox, replays the same. */
import { expect, test } from 'vitest';
import { readRecording } from '../../src/recording/read.ts';
import { replay } from '../../src/recording/replay.ts';
import { startTarget } from '../../src/server/replay-target.ts';
import { run } from '../conform/run.ts';
import { newFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

test('what conform sent to a server with files is answered the same again', { timeout: limit(120_000) }, async () => {
  const server = await startTestServer({ settings: { data: await newFolder() } });
  const client = await server.sandbox();
  // Requests with a broken key belong to no sandbox, and are in no recording.
  expect((await run(`${server.url}/v1`, client.key as string)).verdict).toBe('conforms');
  const found = await readRecording(Buffer.from((await client.get('/_sandbox/export?format=recording')).text));
  const { target, close } = await startTarget(found);
  try {
    const { results, counts } = await replay(found, target);
    const others = results.filter(({ outcome }) => outcome !== 'same');
    // What the suite sends at once, or too long for a request log, cannot be compared for certain.
    expect(others.filter(({ outcome }) => outcome !== 'incomplete')).toEqual([]);
    expect(counts.same).toBeGreaterThan(100);
    for (const { reason } of others) expect(reason).toMatch(/not in the recording|is cut|overlapped/);
  } finally {
    await close();
    await server.end();
  }
});
