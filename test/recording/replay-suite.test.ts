/** The black-box suite of the API, recorded against a sandbox, replays the same: in memory and from files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRecording } from '../../src/recording/read.ts';
import { replay } from '../../src/recording/replay.ts';
import { startTarget } from '../../src/server/replay-target.ts';
import { run } from '../conform/run.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

test.each(['memory', 'files'])(
  'what conform sent to a server with %s is answered the same again',
  {
    timeout: limit(120_000),
  },
  async (kind) => {
    const data = kind === 'files' ? await mkdtemp(join(tmpdir(), 'replay-')) : undefined;
    if (data !== undefined) onTestFinished(() => rm(data, { recursive: true, force: true }));
    const server = await startTestServer({ settings: data === undefined ? {} : { data } });
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
  },
);
