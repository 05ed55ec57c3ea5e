/**
 * One greedy tenant beside a few modest ones. The modest ones may wait for one or two of its long requests, or for as many
 * short ones as it has connections, but not for all the work that it causes. What a request takes is measured on the spot,
 * since a busy machine is slower at everything.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Program } from '../support/program.ts';
import { limit } from '../support/slow.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
/** Requests of the modest ones in a phase, one each 6 ms. */
const MODEST = 150;
const PAUSE_MS = 6;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

const LONG_NAME = {
  method: 'POST',
  path: '/v1/pets',
  body: JSON.stringify({ name: 'x'.repeat(60_000), categoryId: 1 }),
};
const MANY_PETS = { method: 'POST', path: '/_sandbox/pets', body: '{"count":3000}' };
const LONG_LIST = { method: 'GET', path: '/v1/pets?limit=100' };
const REQUEST_LOG = { method: 'GET', path: '/_sandbox/requests?limit=1000' };
const REPORT = { method: 'GET', path: '/_sandbox/report?format=html' };

/** By an agent, of a client that did 250 things wrong. */
const VERDICT = {
  method: 'POST',
  path: '/_sandbox/mcp',
  body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"verdict","arguments":{}}}',
};
const WRONG = (n: number): Asked => ({ method: 'GET', path: `/v1/pets?${'unknown'.repeat(12)}${n}=1` });

const directory = mkdtempSync(join(tmpdir(), 'petstore-neighbors-'));
let program: Program;
let url: string;
let modest: readonly string[];
beforeAll(async () => {
  const options = '--port 0 --log-format json --max-bytes 2GiB --max-pets 9000000';
  program = new Program(['serve', ...options.split(' '), '--data', directory]);
  [url = ''] = await program.wrote(/http:\/\/127\.0\.0\.1:\d+/);
  modest = await Promise.all([newKey(), newKey(), newKey()]);
});
afterAll(async () => {
  program.process.kill('SIGTERM');
  await program.ended();
  rmSync(directory, { recursive: true, force: true });
});

/** Sends a request, and reads its response to the end. */
async function send(key: string, { method, path, body }: Asked): Promise<{ status: number; bytes: ArrayBuffer }> {
  const headers = {
    ...(key !== '' && { Authorization: `Bearer ${key}` }),
    Accept: 'application/json, text/event-stream',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
  return { status: response.status, bytes: await response.arrayBuffer() };
}
const jsonOf = async (key: string, path: string, method = 'GET') =>
  JSON.parse(Buffer.from((await send(key, { method, path })).bytes).toString());
const newKey = async (): Promise<string> => (await jsonOf('', '/_sandbox/keys', 'POST')).key;
const petsOf = async (key: string): Promise<number> => (await jsonOf(key, '/_sandbox')).pets.added;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The median and the p99 of those who send little, in milliseconds. */
async function timesOfModest(): Promise<{ median: number; p99: number }> {
  const all: Promise<number>[] = [];
  for (let index = 0; index < MODEST; index += 1) {
    const key = modest[index % modest.length] as string;
    const ask =
      index % 2 === 0
        ? { method: 'GET', path: '/v1/pets?limit=5' }
        : { method: 'POST', path: '/v1/pets', body: '{"name":"Rex","categoryId":1}' };
    all.push(
      timed(async () => {
        expect((await send(key, ask)).status).toBeLessThan(300);
      }),
    );
    await sleep(PAUSE_MS);
  }
  const sorted = (await Promise.all(all)).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] as number;
  return { median: at(0.5), p99: at(0.99) };
}

/** Sends the same request over many connections until it is told to stop. */
function greedy(key: string, ask: Asked): { stop(): Promise<number> } {
  let isOver = false;
  let answered = 0;
  const loops = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) {
      expect((await send(key, ask)).status).toBeLessThan(300);
      answered += 1;
    }
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
      return answered;
    },
  };
}

interface Round {
  readonly alone: number;
  readonly beside: number;
  /** What a short request takes beside nobody. */
  readonly short: number;
  /** What one of the greedy one's requests takes when nothing else goes on. */
  readonly one: number;
}

/** @param before what one of its requests took in the rounds before: the least counts */
async function measure(key: string, ask: Asked, before: number): Promise<Round & { answered: number }> {
  const one = Math.min(before, await timed(() => send(key, ask)));
  const { p99: alone, median: short } = await timesOfModest();
  const tenant = greedy(key, ask);
  await sleep(100);
  const { p99: beside } = await timesOfModest();
  return { alone, beside, short, one, answered: await tenant.stop() };
}

/** It takes longer where other programs run; without the lane they would wait for hundreds of its long requests. */
const isFair = ({ alone, beside, short, one }: Round): boolean =>
  beside <= Math.max(3 * alone, alone + limit(Math.max(2 * one, CONNECTIONS * short)));

describe('one greedy tenant beside modest ones', () => {
  test.each<[what: string, ask: Asked, prepared: Asked | ((n: number) => Asked), times: number]>([
    ['pets with names of 60 kB', LONG_NAME, LONG_LIST, 1],
    ['3,000 pets at once', MANY_PETS, LONG_LIST, 1],
    ['lists of 100 long names', LONG_LIST, LONG_NAME, 100],
    ['long request logs', REQUEST_LOG, LONG_LIST, 1_000],
    ['reports', REPORT, LONG_LIST, 1],
    ['verdicts over MCP', VERDICT, WRONG, 250],
  ])('that asks for %s does not make them wait for all that it asks for', async (_what, ask, prepared, times) => {
    const key = await newKey();
    for (let index = 0; index < times; index += 1)
      await send(key, typeof prepared === 'function' ? prepared(index) : prepared);
    const before = await petsOf(key);
    await send(key, ask);
    const rounds: Round[] = [];
    let asked = 1;
    // A busy machine may spoil a round. Without the queue none is fair.
    while (rounds.length < ROUNDS && !rounds.some(isFair)) {
      const round = await measure(key, ask, rounds.at(-1)?.one ?? Number.POSITIVE_INFINITY);
      rounds.push(round);
      asked += 1 + round.answered;
      expect(round.answered).toBeGreaterThan(0);
    }
    expect(rounds.some(isFair), JSON.stringify(rounds)).toBe(true);
    if (ask.method === 'POST' && ask !== VERDICT)
      expect((await petsOf(key)) - before).toBe(asked * (ask === MANY_PETS ? 3_000 : 1));
    await send(key, { method: 'POST', path: '/_sandbox/reset', body: '{}' });
    const { validator } = await jsonOf('', '/_sandbox/health');
    expect(validator).toMatchObject({ validationFailures: 0, disagreements: 0, brokenResponses: 0 });
  });
});
