/** Prism's own proxy as a process of its own: the outside validator, which turns every violation into an error. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { limit } from './slow.ts';

const spec = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));

export interface PrismProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Stands in front of a server; its paths begin without `/v1`. @param base `http://127.0.0.1:4020` */
export async function startPrismProxy(base: string): Promise<PrismProxy> {
  const tries = 5;
  for (let count = 1; ; count += 1) {
    try {
      return await startOnce(base);
    } catch (error) {
      // Another test may take the port before the proxy does.
      if (count === tries) throw error;
    }
  }
}

async function startOnce(base: string): Promise<PrismProxy> {
  const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli');
  const port = await freePort();
  const args = [prism, 'proxy', spec, `${base}/v1`, '--errors', '--no-multiprocess', '-v', 'error', '-p', String(port)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)));
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilListening(url, child);
  } catch (cause) {
    await end(child);
    throw new Error(`prism proxy did not start: ${said}`, { cause });
  }
  return { url, close: () => end(child) };
}

async function untilListening(url: string, child: ChildProcess): Promise<void> {
  const tries = limit(15_000) / 50;
  for (let count = 0; count < tries; count += 1) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
    if (await isProxy(url)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('it does not listen in time');
}

/** Whether Prism responds there: it describes a path that it does not know as a problem, and our servers do not. */
async function isProxy(url: string): Promise<boolean> {
  try {
    const { headers } = await fetch(url);
    return headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
