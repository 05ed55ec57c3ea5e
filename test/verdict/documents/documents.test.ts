/** The thread that reads HARs and drafts: its bounds, what follows them, and whose turn it is. */
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Exchange } from '../../../src/base/api/exchange.ts';
import today from '../../../src/base/generated/petstore.json' with { type: 'json' };
import { planMemory } from '../../../src/base/memory.ts';
import { Documents } from '../../../src/verdict/documents/documents.ts';
import { mostOfHar } from '../../../src/verdict/documents/har-source.ts';
import { createPet } from '../../support/exchanges.ts';
import { harEntry, harOf } from '../../support/har.ts';
import { startTestServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';

const MIB = 2 ** 20;
const HEAP = 64 * MIB;
const MS = { draft: limit(30_000), har: limit(30_000) };
const HAR = Buffer.from(harOf('https://api.example.com/v1/pets?limit=5'));
const DRAFT = JSON.stringify(today);
/** It takes more memory than `SMALL` to read, and far less than others have. */
const LARGE = `openapi: 3.1.0\npaths: {}\nx:\n${'  - {a: b}\n'.repeat(5_000)}`;
const SMALL = 24 * MIB;

function documentsWith(options: Partial<ConstructorParameters<typeof Documents>[0]> = {}): Documents {
  const documents = new Documents({ heap: HEAP, ms: MS, ...options });
  onTestFinished(() => documents.close());
  return documents;
}

const examine = (documents: Documents, draft: string, exchanges: readonly Exchange[] = []) =>
  documents.previewDraft(async () => ({
    ...{ draft, at: undefined },
    requests: { exchanges, dropped: 0, source: 'sbx_a', now: 0, countedFrom: 0 },
  }));

const reportOf = (documents: Documents) => documents.report({ har: HAR, bases: [], source: 'sbx_a', strict: false });

/** Backtracks for longer than any test. */
const slowDraft = (documents: Documents) => {
  const draft = structuredClone(today);
  Object.assign(draft.components.schemas.NewPet.properties.name, { pattern: '^(a+)+$' });
  const sent = { name: `${'a'.repeat(60)}!`, categoryId: 1 };
  const request = createPet(sent, { verdict: { violations: [], warnings: [] } });
  return examine(documents, JSON.stringify(draft), [request]);
};

/** The threads that are started from now on. */
function startedThreads(): Worker[] {
  const threads: Worker[] = [];
  const add = (thread: Worker): void => void threads.push(thread);
  process.on('worker', add);
  onTestFinished(() => void process.off('worker', add));
  return threads;
}

describe('the thread for documents', () => {
  it('reads one after the other in one thread while four wait, and says to the next when to try again', async () => {
    const threads = startedThreads();
    const documents = documentsWith();
    expect((await examine(documents, DRAFT)).draft).not.toBeNull();
    const five = Array.from({ length: 5 }, () => reportOf(documents));
    await expect(reportOf(documents)).rejects.toMatchObject({ status: 503, headers: ['Retry-After', '5'] });
    expect((await Promise.all(five)).map(({ verdict }) => verdict)).toEqual(Array(5).fill('pass'));
    expect((await reportOf(documents)).verdict).toBe('pass');
    expect(threads).toHaveLength(1);
  });

  it('previews what a HAR has with a draft in which nothing changes', async () => {
    const source = { bases: [], source: 'traffic.har', at: undefined, draft: DRAFT };
    expect(await documentsWith().preview({ har: HAR, ...source })).toMatchObject({ verdict: 'pass', reasons: [] });
  });

  it.each([48, 64, 128, 1024])('reads a HAR up to the limit that it says for its heap of %i MiB', async (mib) => {
    const most = mostOfHar(mib * MIB);
    // Of all entries, small ones have the most objects for their size.
    const entry = JSON.stringify(harEntry());
    const har = Buffer.from(`{"log":{"entries":[${`${entry},`.repeat((most - 2_000) / (entry.length + 1))}${entry}]}}`);
    const source = { bases: [], source: 'traffic.har', strict: false };
    const documents = documentsWith({ heap: mib * MIB, ms: { ...MS, har: limit(60_000) } });
    expect((await documents.report({ har, ...source })).verdict).toBe('pass');
    const larger = Buffer.concat([har, Buffer.alloc(most + 1 - har.length, ' ')]);
    await expect(documents.report({ har: larger, ...source })).rejects.toThrow(`at most ${most / MIB} MiB`);
  });

  it('leaves a preview incomplete where a HAR has more requests than are kept', async () => {
    const har = Buffer.from(harOf(...Array(10_001).fill('https://api.example.com/v1/pets')));
    const preview = await documentsWith().preview({ har, bases: [], source: 'a.har', at: undefined, draft: undefined });
    expect(preview).toMatchObject({ verdict: 'incomplete', reasons: [expect.stringContaining('this one has 1 more')] });
  });

  it('begins a document that takes too much memory again where others may have filled it, once, and says so', async () => {
    const threads = startedThreads();
    const documents = documentsWith({ heap: SMALL });
    await examine(documents, DRAFT);
    await expect(examine(documents, LARGE)).rejects.toThrow('it takes too much memory; leave out');
    expect(threads).toHaveLength(2);
    expect((await examine(documents, DRAFT)).draft).not.toBeNull();
    expect(threads).toHaveLength(3);
  });

  it('ends with a document that takes too long, and says so; the next one is read in another', async () => {
    const threads = startedThreads();
    const documents = documentsWith({ ms: { ...MS, draft: 500 } });
    const slow = slowDraft(documents);
    const next = reportOf(documents);
    await expect(slow).rejects.toThrow('it took longer than 0.5 seconds; leave out');
    expect((await next).verdict).toBe('pass');
    expect(threads).toHaveLength(2);
  });

  it('ends while it is busy, and rejects what it reads, what waits, and what comes later', async () => {
    const documents = documentsWith();
    await reportOf(documents);
    const outcomes = Promise.allSettled([slowDraft(documents), reportOf(documents)]);
    await documents.close();
    await expect(reportOf(documents)).rejects.toMatchObject({ code: 'shutting_down' });
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: 'shutting_down' } });
  });

  it.each([128, 192, 256, 383])('is not started in %i MiB, and the server says what it needs', async (mib) => {
    const memory = planMemory({ limit: { bytes: mib * MIB, from: 'container' }, heap: 512 * MIB });
    const server = await startTestServer({ memory });
    const threads = startedThreads();
    const client = await server.sandbox();
    await client.get('/v1/pets');
    const message = expect.stringContaining('for which it needs 384 MiB');
    for (const { json } of [
      await client.post('/_sandbox/report', HAR.toString()),
      await client.post('/_sandbox/preview', DRAFT, { 'Content-Type': 'application/yaml' }),
    ])
      expect(json).toEqual({ status: 409, code: 'limit_reached', message });
    expect(threads.filter(({ resourceLimits }) => resourceLimits?.stackSizeMb === 4)).toEqual([]);
  });
});
