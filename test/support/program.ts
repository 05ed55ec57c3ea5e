/** The program as its user has it: `dist/cli.cjs` in a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { newFolder } from './folder.ts';
import { freePort } from './ports.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
  /** Another build of it. */
  readonly cli?: string;
  /** A program and its arguments, which runs the command that follows them. */
  readonly via?: readonly string[];
  /** Runs it on a pseudo-terminal, by `script` of util-linux: what it writes ends lines with CR LF. */
  readonly onTerminal?: boolean;
}

const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The program while it runs: what it writes is waited for, and how it ends is seen. */
export class Program {
  readonly process: ChildProcessWithoutNullStreams;
  /** What it printed so far. */
  stdout = '';
  stderr = '';
  readonly #ended: Promise<number | NodeJS.Signals>;

  /** Without the environment of the tests. */
  constructor(args: readonly string[], { env = {}, cwd, cli = CLI, via = [], onTerminal }: ProgramOptions = {}) {
    const command = [...via, process.execPath, cli, ...args];
    const [file = '', ...rest] = onTerminal
      ? ['script', '-qfec', command.map(inShell).join(' '), '/dev/null']
      : command;
    this.process = spawn(file, rest, { env, cwd });
    for (const stream of ['stdout', 'stderr'] as const)
      this.process[stream].setEncoding('utf8').on('data', (text: string) => (this[stream] += text));
    this.#ended = once(this.process, 'close').then(([code, signal]) => code ?? signal);
  }

  /** Resolves with the exit code, or the signal that ended it. */
  ended(): Promise<number | NodeJS.Signals> {
    return this.#ended;
  }

  /** What it wrote, once it wrote something that matches. @throws {Error} when it ended before */
  async wrote(pattern: RegExp): Promise<RegExpMatchArray> {
    for (;;) {
      const match = this.stdout.match(pattern);
      if (match) return match;
      const ended = await Promise.race([once(this.process.stdout, 'data').then(() => undefined), this.#ended]);
      if (ended !== undefined && !pattern.test(this.stdout))
        throw new Error(`it ended with ${ended}: ${this.stderr}${this.stdout}`);
    }
  }

  /** Ends it at once, when it still runs. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.#ended;
  }
}

/** A run that goes on. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly said: Program;
  readonly ended: Promise<Ran>;
}

/** Starts the program as in CI, with nothing else of this environment but the PATH; it is ended with the test at the latest. */
export function startProgram(
  args: readonly string[],
  environment: Record<string, string> = {},
  cwd?: string | undefined,
): Running {
  const program = new Program(args, { env: { PATH: process.env['PATH'], CI: 'true', ...environment }, cwd });
  onTestFinished(() => void program.process.kill('SIGKILL'));
  const ended = program.ended().then((end) => {
    const { stdout, stderr } = program;
    return { code: typeof end === 'number' ? end : null, stdout, stderr };
  });
  return { child: program.process, said: program, ended };
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
