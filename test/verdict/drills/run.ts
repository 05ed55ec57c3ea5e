/** Puts a client of a few lines through a drill, as a test's own client would be. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Schema } from '../../../src/client/routes.ts';
import { returnedResults } from '../../../src/client/run-drill.ts';
import type { Client } from '../../support/client.ts';
import type { TestServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';

export type DrillResult = Schema<'DrillResult'>;

/** What a client is told, and what helps it to do something about it. */
export interface Task {
  readonly secondKey: string;
  readonly task: Schema<'DrillTaskName'>;
  readonly petName: string;
  readonly petId: string;
  readonly times: number;
  /** Sends a request; the fetch of Node, which never tries again. */
  request(path: string, init?: RequestInit & { key?: string }): Promise<Response>;
  list(): Promise<Response>;
  create(): Promise<Response>;
  /** Changes the sandbox, as a test may: another delay instead of a minute. */
  readonly controls: Client;
}

/** Gives back the pet or list, or throws. */
export type DrillClient = (task: Task) => Promise<unknown>;

/** How long the server may take to see that a client has left. */
const PATIENCE_MS = limit(5_000);

/** A client that ends without a word. */
export class Crash extends Error {}

/** Starts the drill, lets the client do the task, reports the outcome and waits for what the server sees late. */
export async function runDrill(server: TestServer, drill: string, client: DrillClient): Promise<DrillResult> {
  const first = await server.sandbox();
  const started = await first.put('/_sandbox/drill', { drill });
  expect(started.status, started.text).toBe(200);
  const { task, petName, petId, times, secondKey } = started.json;
  const controls = secondKey === null ? first : server.client(secondKey);
  const request: Task['request'] = (path, { key = first.key, ...init } = {}) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    return fetch(`${server.url}/v1${path}`, { ...init, headers });
  };
  const list = () => request('/pets');
  const body = JSON.stringify({ name: petName, categoryId: 1 });
  const create = () => request('/pets', { method: 'POST', body });
  const said = await client({ secondKey, task, petName, petId, times, request, list, create, controls }).then(
    (returned) => ({ success: true, results: returnedResults(returned) }),
    (error) => ({ success: false, crashed: error instanceof Crash }),
  );
  expect((await controls.post('/_sandbox/drill/outcome', said)).status).toBe(204);
  // The server sees a little later that a client has left.
  for (let tries = 0; ; tries++) {
    const now: DrillResult = (await controls.get('/_sandbox/drill')).json;
    if (tries * 25 >= PATIENCE_MS || now.checks.every(({ status }) => status !== 'open')) return now;
    await sleep(25);
  }
}

/** The statuses of all checks, by their ids. */
export const statuses = ({ checks }: DrillResult): Record<string, string> =>
  Object.fromEntries(checks.map(({ id, status }) => [id, status]));
