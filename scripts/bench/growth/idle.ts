/** What ten thousand idle sandboxes take. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../measurements.ts';
import { startOwnServer } from '../own-server.ts';
import { temporaryDirectory } from '../temporary.ts';
import { newKey, ROUNDS, type Row, SETTLE_MS, say } from './common.ts';

export const SANDBOXES = 10_000;

/** Memory, and time at the start, without them and with them. */
export async function measureIdle(): Promise<Row[]> {
  const home = temporaryDirectory();
  const key = 'a-fixed-key-of-the-benchmark';
  const flags = ['--max-sandboxes', '20000'];
  const begin = async () => {
    const server = await startOwnServer({ home, key, flags });
    await sleep(SETTLE_MS);
    return { server, startMs: server.running.startMs, memory: server.running.memory()?.now ?? Number.NaN };
  };
  const starts = async () => {
    const all = [];
    for (let start = 0; start < ROUNDS; start++) {
      const begun = await begin();
      await begun.server.end();
      all.push(begun);
    }
    return { ms: median(all.map(({ startMs }) => startMs)), memory: median(all.map(({ memory }) => memory)) };
  };
  try {
    const before = await starts();
    say(`idle: without sandboxes ready in ${before.ms.toFixed(0)} ms, ${before.memory.toFixed(0)} MiB`);
    const { server, memory } = await begin();
    await many(SANDBOXES, () => newKey(server, 'default'));
    await sleep(SETTLE_MS);
    const made = server.running.memory()?.now ?? Number.NaN;
    say(`idle: ${SANDBOXES} sandboxes made, ${made.toFixed(0)} MiB`);
    await server.end();
    const after = await starts();
    say(`idle: with ${SANDBOXES} on disk ready in ${after.ms.toFixed(0)} ms, ${after.memory.toFixed(0)} MiB`);
    const row = (what: string, less: number, more: number): Row => [
      what,
      less.toFixed(0),
      more.toFixed(0),
      (more - less).toFixed(0),
    ];
    return [
      row('memory after a start, MiB', before.memory, after.memory),
      row('memory just after making them (with what the requests left behind), MiB', memory, made),
      row('spawn to first 200, ms', before.ms, after.ms),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Does `work` for 0 to below `count`, several at a time. */
async function many(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
