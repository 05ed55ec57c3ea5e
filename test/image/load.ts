/** A bounded load: some connections, each asking again as soon as it was answered. */
import { Agent, request } from 'node:http';
import { KEY, type RunningSandbox } from './container.ts';

/** Failures that are told. */
const MAX_WORDS = 5;

export interface Load {
  readonly answered: number;
  /** Ids of what was created. */
  readonly ids: readonly number[];
  readonly created: number;
  /** What went wrong, in words; the first few. */
  readonly failed: readonly string[];
}

/** How much, and for how long. */
export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  /** Only creates, instead of one in four. */
  readonly onlyCreates?: boolean;
  /** Once this is aborted the server may go away: a request that fails then ends its connection, and is no failure. */
  readonly stopping?: AbortSignal;
}

/** What one in four asks for: a create, lists, and a single pet. */
const TURNS = ['/v1/pets', '/v1/pets?limit=100', '/v1/pets/1', '/v1/pets?status=sold'] as const;

/** Runs the load with the preconfigured key. */
export async function load(sandbox: RunningSandbox, options: LoadOptions): Promise<Load> {
  const { connections, seconds, onlyCreates = false, stopping } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1000;
  const ids: number[] = [];
  const failed: string[] = [];
  let answered = 0;
  const askOnce = async (path: string, pet: string | undefined): Promise<void> => {
    const { status, body } = await send(sandbox.url + path, agent, pet);
    answered += 1;
    if (status !== (pet === undefined ? 200 : 201)) throw new Error(`${status} ${body.slice(0, 200)}`);
    if (pet !== undefined) ids.push((JSON.parse(body) as { id: number }).id);
  };
  /** False when this connection has to end: the server is going away, as it was told to. */
  const goOn = (path: string, error: Error): boolean => {
    if (stopping?.aborted) return false;
    if (failed.length < MAX_WORDS) failed.push(`${path}: ${error.message}`);
    return true;
  };
  const keepAsking = async (n: number): Promise<void> => {
    for (let turn = n, on = true; on && performance.now() < end; turn++) {
      const path = TURNS[onlyCreates ? 0 : turn % TURNS.length] as string;
      const pet = path === '/v1/pets' ? JSON.stringify({ name: `Pet ${n}/${turn}`, categoryId: turn }) : undefined;
      on = await askOnce(path, pet).then(
        () => true,
        (error: Error) => goOn(path, error),
      );
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, n) => keepAsking(n)));
  agent.destroy();
  return { answered, ids, created: ids.length, failed };
}

function send(url: string, agent: Agent, body: string | undefined): Promise<{ status: number; body: string }> {
  return new Promise((done, failed) => {
    const headers = {
      Authorization: `Bearer ${KEY}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const sent = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.once('error', failed);
      response.once('end', () => done({ status: response.statusCode ?? 0, body: text }));
    });
    sent.once('error', failed);
    sent.end(body);
  });
}
