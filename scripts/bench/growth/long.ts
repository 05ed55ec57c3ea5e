/** Whether memory grows: in a run of all loads ten times over, and with a million creates. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generator } from '../load/generator.ts';
import { type OwnServer, startOwnServer } from '../own-server.ts';
import { FEW, LOADS, MANY } from '../pets.ts';
import { newKey, type Row, SETTLE_MS, say, sayJudged } from './common.ts';

const LONG_RUNS = 10;
const MILLION = 1_000_000;

const BODIES = LOADS.flatMap(({ name, asks }) =>
  name === 'create' ? asks.flatMap((ask) => (ask.kind === 'create' ? [{ path: '/v1/pets', body: ask.body }] : [])) : [],
);

/** Memory after a million creates in one sandbox, and after a reset. */
export async function measureMillion(generator: Generator): Promise<Row[]> {
  const server = await startOwnServer({ flags: ['--max-pets', '10000000'] });
  const row = async (what: string): Promise<Row> => {
    await sleep(SETTLE_MS);
    const { now, peak } = memoryOf(server);
    say(`million: ${what}, ${now.toFixed(0)} MiB, ${peak.toFixed(0)} MiB at most`);
    return [what, now.toFixed(0), peak.toFixed(0)];
  };
  try {
    const rows = [await row('idle')];
    let created = 0;
    while (created < MILLION) {
      const { requests, failures } = await generator.run({
        url: server.url,
        method: 'POST',
        headers: { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' },
        requests: BODIES,
        connections: 32,
        seconds: 10,
      });
      if (failures > 0) throw new Error(`${failures} creates failed`);
      created += requests;
    }
    rows.push(await row(`${created.toLocaleString('en')} creates`));
    await server.call('POST', '/_sandbox/reset', {});
    rows.push(await row('a reset'));
    await sayJudged(server);
    return rows;
  } finally {
    await server.end();
  }
}

const memoryOf = ({ running }: OwnServer) => running.memory() ?? { now: Number.NaN, peak: Number.NaN };

/** Memory after each tenth of a long run of all loads at 32 connections; creates are reset after each tenth. */
export async function measureLong(generator: Generator, seconds: number): Promise<Row[]> {
  const server = await startOwnServer({ fixtures: { few: FEW, many: MANY }, fixture: 'few' });
  const rows: Row[] = [];
  try {
    const keyOfMany = await newKey(server, 'many');
    for (let run = 1; run <= LONG_RUNS; run++) {
      for (const { name, asks, allNew } of LOADS) {
        const headers = { Authorization: `Bearer ${allNew ? keyOfMany : server.key}` };
        await generator.run({
          url: server.url,
          method: name.startsWith('create') ? 'POST' : 'GET',
          headers: name.startsWith('create') ? { ...headers, 'Content-Type': 'application/json' } : headers,
          requests: asks.map((request) => {
            if (request.kind === 'create') return { path: '/v1/pets', body: request.body };
            return { path: request.kind === 'get' ? `/v1/pets/${request.id}` : `/v1/pets?${request.query}` };
          }),
          connections: 32,
          seconds: Math.max(1, Math.round(seconds / LOADS.length)),
        });
        if (name.startsWith('create')) await server.call('POST', '/_sandbox/reset', {});
      }
      await sleep(SETTLE_MS);
      const { now, peak } = memoryOf(server);
      rows.push([`${run} × ${seconds} s`, now.toFixed(0), peak.toFixed(0)]);
      say(`long: after ${run} × ${seconds} s ${now.toFixed(0)} MiB, ${peak.toFixed(0)} MiB at most`);
    }
    await sayJudged(server);
    return rows;
  } finally {
    await server.end();
  }
}
