/** The program as its user has it: `dist/cli.cjs` in a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { newFolder } from './folder.ts';
import { freePort } from './free-port.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** A run that goes on. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** What it printed so far. */
  readonly said: { stdout: string; stderr: string };
  readonly ended: Promise<Ran>;
}

/** Starts the program as in CI, with nothing else of this environment but the PATH; it is ended with the test at the latest. */
export function startProgram(
  args: readonly string[],
  environment: Record<string, string> = {},
  cwd?: string | undefined,
): Running {
  const env = { PATH: process.env['PATH'], CI: 'true', ...environment };
  const child = spawn(process.execPath, [CLI, ...args], { env, cwd });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  return { child, said, ended };
}

/** Runs the program to its end. */
export const runProgram = (
  args: readonly string[],
  environment: Record<string, string> = {},
  cwd?: string | undefined,
): Promise<Ran> => startProgram(args, environment, cwd).ended;

/** The environment of a program that takes its machine for Windows, where `npm` is `npm.cmd`. @param shell of cmd.exe */
export async function asOnWindows(shell: string): Promise<Record<string, string>> {
  const folder = await newFolder();
  const [cmd, platform] = [join(folder, 'cmd.exe'), join(folder, 'platform.mjs')];
  await writeFile(cmd, `#!/bin/sh\n${shell}\n`, { mode: 0o755 });
  await writeFile(join(folder, 'npm.CMD'), '', { mode: 0o755 });
  await writeFile(platform, "Object.defineProperty(process, 'platform', { value: 'win32' });");
  return { PATH: folder, PATHEXT: '.CMD', comspec: cmd, NODE_OPTIONS: `--import=${platform}` };
}

/** An address where nothing listens. */
export const unusedAddress = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;
