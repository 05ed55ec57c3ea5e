/** The watch modes of real test runners: each rerun is a run of its own, compared with the one before. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const clock = heldClock(Date.UTC(2026, 2, 2, 9, 30));
const server = await startTestServer({ clock });

const testOf = (framework: string, limit: number) => `
import { test } from '${framework}';
test('lists pets', async () => {
  const headers = { Authorization: \`Bearer \${process.env.SANDBOX_KEY}\` };
  await fetch(\`\${process.env.SANDBOX_URL}/pets?limit=${limit}\`, { headers });
});
`;

async function endOf(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

it.each([
  ['vitest', [join(process.cwd(), 'node_modules/vitest/vitest.mjs'), '--watch', '--dir', '.']],
  ['node:test', ['--test', '--watch', 'list.test.mjs']],
])('a rerun in the watch mode of %s says what it fixed', { timeout: limit(60_000) }, async (framework, args) => {
  const client = await server.sandbox();
  const folder = await newFolder({ 'list.test.mjs': testOf(framework, 500) });
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  const { id } = (await client.get('/_sandbox')).json;
  const { PATH = '' } = process.env;
  const env = { PATH, SANDBOX_URL: `${server.url}/${id}/v1`, SANDBOX_KEY: client.key ?? '' };
  const runner = spawn(process.execPath, args, { cwd: folder, env });
  onTestFinished(() => endOf(runner));
  const runs = async () => (await client.get('/_sandbox/runs')).json.runs;
  const wait = { timeout: limit(20_000) };
  await expect.poll(runs, wait).toMatchObject([{ verdict: 'fail', failing: 1 }]);
  clock.time += 5_000;
  await writeFile(join(folder, 'list.test.mjs'), testOf(framework, 100));
  await expect.poll(runs, wait).toMatchObject([{ verdict: 'pass', fixed: 1, new: 0 }, { verdict: 'fail' }]);
});
