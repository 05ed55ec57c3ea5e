/** A low limit of open files: connections without a key take none of those that the store and the validator need. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { CLI } from '../support/program.ts';
import { limit } from '../support/slow.ts';

const KEY = 'an-example-key-of-the-tests';
const PATIENCE = { timeout: limit(30_000) };

/** The program with at most so many open files; resolves once it listens. */
async function startWithin(files: number): Promise<{ url: string; said: () => string }> {
  const data = await newFolder();
  const line = `ulimit -n ${files} && exec "$0" "$@"`;
  const flags = ['--port', '0', '--data', data, '--log-format', 'json'];
  const child = spawn('sh', ['-c', line, process.execPath, CLI, ...flags], { env: { SANDBOX_API_KEYS: KEY } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await expect.poll(() => said, PATIENCE).toContain('"url":"');
  return { url: /"url":"([^"]+)"/.exec(said)?.[1] as string, said: () => said };
}

test.runIf(process.platform === 'linux')(
  'many connections without a key neither end the server nor keep it from writing and validating',
  { timeout: limit(60_000) },
  async () => {
    const { url, said } = await startWithin(256);
    const { port } = new URL(url);
    const sockets = Array.from({ length: 400 }, (): Socket => connect(Number(port), '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined);
    // Those beyond the limit are closed.
    const isFull = () => sockets.filter(({ closed }) => closed).length >= 400 - 256 + 64;
    await expect.poll(isFull, PATIENCE).toBe(true);
    for (const socket of sockets) socket.destroy();
    const client = new Client(url, KEY);
    const create = () => client.post('/v1/pets', { name: 'Rex', categoryId: 1 }).catch(() => ({ status: 0 }));
    await expect.poll(async () => (await create()).status, PATIENCE).toBe(201);
    expect(said()).toContain('limit of open files');
    expect((await client.post('/_sandbox/snapshots', { name: 'after' })).status).toBe(201);
    const validator = async () => (await client.get('/_sandbox/health')).json.validator;
    await expect.poll(async () => (await validator()).validated, PATIENCE).toBeGreaterThan(0);
    expect(await validator()).toMatchObject({ ready: true, validationFailures: 0 });
  },
);
