/** A low limit of open files: connections without a key take none of those that the store and the validator need. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../support/client.ts';
import { CLI } from '../support/program.ts';
import { limit } from '../support/slow.ts';

const KEY = 'an-example-key-of-the-tests';

/** The program with at most so many open files; resolves once it listens. */
async function startWithin(files: number): Promise<{ url: string; errors: () => string }> {
  const data = await mkdtemp(join(tmpdir(), 'petstore-files-'));
  const line = `ulimit -n ${files} && exec "$0" "$@"`;
  const flags = ['--port', '0', '--data', data, '--log-format', 'json'];
  const child = spawn('sh', ['-c', line, process.execPath, CLI, ...flags], { env: { SANDBOX_API_KEYS: KEY } });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(data, { recursive: true, force: true });
  });
  for (;;) {
    const [, url] = /"url":"([^"]+)"/.exec(said.stdout) ?? [];
    if (url !== undefined) return { url, errors: () => said.stdout + said.stderr };
    if (child.exitCode !== null) throw new Error(said.stderr);
    await after(20);
  }
}

test.runIf(process.platform === 'linux')(
  'many connections without a key neither end the server nor keep it from writing and validating',
  { timeout: limit(60_000) },
  async () => {
    const { url, errors } = await startWithin(256);
    const { port } = new URL(url);
    const sockets = Array.from({ length: 400 }, (): Socket => connect(Number(port), '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined);
    // Those beyond the limit are closed.
    while (sockets.filter(({ closed }) => closed).length < 400 - 256 + 64) await after(20);
    for (const socket of sockets) socket.destroy();
    const client = new Client(url, KEY);
    let created = await client.post('/v1/pets', { name: 'Rex', categoryId: 1 }).catch(() => undefined);
    while (created === undefined) {
      await after(20);
      created = await client.post('/v1/pets', { name: 'Rex', categoryId: 1 }).catch(() => undefined);
    }
    expect([created.status, errors()]).toEqual([201, expect.stringContaining('limit of open files')]);
    const reset = await client.post('/_sandbox/snapshots', { name: 'after' });
    expect(reset.status).toBe(201);
    let health = (await client.get('/_sandbox/health')).json;
    while (!health.validator.ready || health.validator.validated === 0) {
      await after(20);
      health = (await client.get('/_sandbox/health')).json;
    }
    expect(health.validator).toMatchObject({ validationFailures: 0 });
  },
);
