/** The program ends when it is told to, whatever the disk does and however early it is told. */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { CLI, startProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';
import { dial } from '../support/wire.ts';

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
  execFileSync('mkfifo', [join(directory, 'fifo')]);
});

/** `NODE_OPTIONS` under which the program runs this first. Reading a FIFO that nobody writes is a disk that hangs. */
function withFirst(code: string): Record<string, string> {
  const file = join(directory, `first-${randomUUID()}.mjs`);
  writeFileSync(
    file,
    `import fs from 'node:fs';\nimport { syncBuiltinESMExports } from 'node:module';\n` +
      `const fifo = ${JSON.stringify(join(directory, 'fifo'))};\n${code}`,
  );
  return { NODE_OPTIONS: `--import=${file}` };
}

test('a disk that hangs does not hold up the end, whether it holds a thread that the exit waits for or the main thread', async () => {
  const mark = join(directory, 'hang');
  const hung = [
    'fs.promises.readFile(fifo);',
    `setInterval(() => fs.existsSync(${JSON.stringify(mark)}) && fs.readFileSync(fifo), 10).unref();`,
  ].map((code) => startProgram(['--port', '0', '--memory', '--log-format', 'json'], withFirst(code)));
  const patience = { interval: 10, timeout: limit(30_000) };
  for (const { said } of hung) await expect.poll(() => said.stdout, patience).toMatch(/"msg":"listening"/);
  // It gives the program a second in which it hangs.
  const idle = await dial(/"url":"([^"]+)"/.exec(hung[1]?.said.stdout ?? '')?.[1] as string);
  idle.on('error', () => idle.destroy());
  for (const { child } of hung) child.kill('SIGTERM');
  await expect.poll(() => hung[1]?.said.stdout, patience).toContain('stopping on SIGTERM');
  writeFileSync(mark, '');
  for (const { child, said, ended } of hung) {
    await ended;
    expect(said.stderr).toContain('it did not end within 5000 ms, and is killed');
    expect(child.signalCode).toBe('SIGKILL');
  }
  idle.destroy();
});

const mayUnshare = (): boolean => {
  try {
    execFileSync('unshare', ['--pid', '--fork', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('SIGTERM while the program starts', () => {
  /** The start never ends; `begun` is written when it has come so far that it reads its fixtures. */
  const endless = (): { env: Record<string, string>; begun: string } => {
    const begun = join(directory, 'begun');
    const hang = 'return new Promise(() => setInterval(() => undefined, 1000));';
    const env = withFirst(
      `fs.promises.readdir = () => { fs.writeFileSync(${JSON.stringify(begun)}, ''); ${hang} };\nsyncBuiltinESMExports();`,
    );
    return { env, begun };
  };

  test('ends it', async () => {
    const { env, begun } = endless();
    const { child, said, ended } = startProgram(['--port', '0', '--memory'], env);
    await expect.poll(() => existsSync(begun), { timeout: limit(30_000) }).toBe(true);
    child.kill('SIGTERM');
    await ended;
    expect([child.signalCode, said.stdout]).toEqual(['SIGTERM', '']);
  });

  const isSkipped = !mayUnshare();
  if (isSkipped) process.stderr.write('skipped: process 1 needs a namespace, and that the right to `unshare --pid`\n');
  test.skipIf(isSkipped)('ends it where it is process 1, as in a container', async () => {
    const { env, begun } = endless();
    const args = ['--pid', '--fork', process.execPath, CLI, '--port', '0', '--memory'];
    const outer = spawn('unshare', args, { env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' });
    const ended = once(outer, 'exit');
    await expect.poll(() => existsSync(begun), { timeout: limit(30_000) }).toBe(true);
    const inner = Number(readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8'));
    onTestFinished(() => {
      if (outer.exitCode === null) process.kill(inner, 'SIGKILL');
    });
    process.kill(inner, 'SIGTERM');
    expect(await ended).toEqual([143, null]);
  });
});
