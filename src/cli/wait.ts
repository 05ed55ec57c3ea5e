/**
 * `petstore-sandbox wait`: waits until a server is healthy. The image's health check runs it every half second while a
 * container starts, so it does not load the server.
 */

import type { IncomingMessage } from 'node:http';
import { stopwatch } from '../base/clock.ts';
import { AbortSignal, sleep } from '../base/real-globals.ts';
import type { Schema } from '../client/routes.ts';
import { isLoopbackAddress } from '../server/http/listening.ts';
import type { LocalCall } from './command.ts';
import { serverAddress, trusted, unreachedHint } from './connection.ts';
import type { WAIT } from './flags.ts';
import { complain, EXIT, output } from './terminal.ts';

/** The result of one health request; the reason is that of a server that is not healthy. */
interface Health {
  readonly state: 'healthy' | 'unhealthy' | 'unreached';
  readonly reason?: string;
}

const ASK_EVERY_MS = 100;
/** The timeout of one response. */
const PATIENCE_MS = 2_000;
/** A health response is far smaller; anything larger is another program's. */
const MAX_HEALTH_BYTES = 64 * 1024;

/**
 * Waits until the server reports that it is healthy, and prints the outcome; returns the exit code.
 * @throws {SettingsError} for invalid flags or environment variables
 */
export async function wait({ flags, environment }: LocalCall<typeof WAIT>): Promise<number> {
  const { timeout: seconds, json = false } = flags;
  const url = serverAddress(flags.url, environment);
  const server = { url, ca: trusted(flags, environment)?.ca };
  const began = stopwatch();
  const left = (): number => seconds * 1000 - (stopwatch() - began);
  let health = await request(server, PATIENCE_MS);
  while (health.state !== 'healthy' && left() > 0) {
    await sleep(Math.min(ASK_EVERY_MS, left()));
    health = await request(server, Math.min(PATIENCE_MS, Math.max(ASK_EVERY_MS, Math.ceil(left()))));
  }
  const { state, reason = '' } = health;
  const outcome = { state, url, waitedMs: Math.round(stopwatch() - began), reason: health.reason };
  if (json || state === 'healthy') output({ json }).show(outcome, () => [`${url} is healthy`]);
  else {
    const [what, hint] =
      state === 'unreached' ? ['cannot be reached', `; ${unreachedHint(reason)}`] : ['is not healthy', ''];
    complain(`${url} ${what} after ${seconds} s (${reason})${hint}`);
  }
  return { healthy: EXIT.done, unhealthy: EXIT.failed, unreached: EXIT.notReached }[state];
}

/** Asks once. */
async function request({ url, ca }: { url: string; ca: string | undefined }, timeoutMs: number): Promise<Health> {
  const { get } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  // The certificate of a server may be for its public name. On this machine nothing comes in between, and the request
  // holds no secret.
  const rejectUnauthorized = ca !== undefined || !isLoopbackAddress(new URL(url).hostname.replace(/^\[|\]$/g, ''));
  const tls = { rejectUnauthorized, ...(ca !== undefined && { ca }) };
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((learned) => {
    get(`${url}/_sandbox/health`, { agent: false, signal, ...tls }, (response) => {
      readResponse(response).then(learned, ({ message }: Error) => learned({ state: 'unhealthy', reason: message }));
    }).once('error', (error: NodeJS.ErrnoException) => {
      const reason = signal.aborted ? `no response within ${Math.round(timeoutMs)} ms` : (error.code ?? error.message);
      learned({ state: 'unreached', reason });
    });
  });
}

/** A 200 alone proves nothing: some servers send a page for every path. */
async function readResponse(response: IncomingMessage): Promise<Health> {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) {
    text += piece;
    if (text.length > MAX_HEALTH_BYTES) break;
  }
  if (response.statusCode === 200 && isHealthy(text)) return { state: 'healthy' };
  return {
    state: 'unhealthy',
    reason: `/_sandbox/health returned ${response.statusCode}, not the health of a petstore sandbox`,
  };
}

function isHealthy(text: string): boolean {
  try {
    const health = JSON.parse(text) as Partial<Schema<'Health'>> | null;
    // Many programs have a health of this form: only a sandbox has a validator.
    return health?.status === 'ok' && typeof health.validator?.ready === 'boolean';
  } catch {
    return false;
  }
}
