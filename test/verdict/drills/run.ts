/** Puts a client of a few lines through a drill, as a test's own client would be. */
import { type DrillResult, returnedResults, runDrill as runOne } from '../../../src/client/run-drill.ts';
import { connectTo } from '../../../src/client/trusting.ts';
import type { Client } from '../../support/client.ts';
import type { TestServer } from '../../support/server.ts';

/** What a client is told, and what helps it to do something about it. */
export interface Task {
  readonly secondKey: string | null;
  readonly task: DrillResult['task'];
  readonly petName: string;
  readonly petId: string | null;
  readonly times: number;
  /** Sends a request; the fetch of Node, which never tries again. */
  request(path: string, init?: RequestInit & { key?: string | null }): Promise<Response>;
  list(): Promise<Response>;
  create(): Promise<Response>;
  /** Changes the sandbox, as a test may: another delay instead of a minute. */
  readonly controls: Client;
}

/** Gives back the pet or list, or throws. */
export type DrillClient = (task: Task) => Promise<unknown>;

/** A client that ends without a word. */
export class Crash extends Error {}

/** The result of a drill that a client went through. */
export async function runDrill(server: TestServer, drill: string, client: DrillClient): Promise<DrillResult> {
  return runOne(await connectTo({ url: server.url }), drill, ({ key: first, ...told }) => {
    const request: Task['request'] = (path, { key = first, ...init } = {}) => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      return fetch(`${server.url}/v1${path}`, { ...init, headers });
    };
    const list = () => request('/pets');
    const body = JSON.stringify({ name: told.petName, categoryId: 1 });
    const create = () => request('/pets', { method: 'POST', body });
    const controls = server.client(told.secondKey ?? first);
    return client({ ...told, petName: told.petName ?? '', request, list, create, controls }).then(
      (returned) => ({ success: true, results: returnedResults(returned) }),
      (error) => ({ success: false, crashed: error instanceof Crash, results: [] }),
    );
  });
}

/** The statuses of all checks, by their ids. */
export const statuses = ({ checks }: DrillResult): Record<string, string> =>
  Object.fromEntries(checks.map(({ id, status }) => [id, status]));
