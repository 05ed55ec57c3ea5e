/** Runs programs as a user of the package would: in another folder, with nothing of this environment but the PATH. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program is run. */
export interface RunOptions {
  readonly cwd: string;
  /** The Node that comes first on the PATH; by default this one. */
  readonly node?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What it reads. */
  readonly input?: string;
}

function start(program: string, args: readonly string[], { cwd, node = process.execPath, environment }: RunOptions) {
  const { HOME = '', PATH = '' } = process.env;
  const env = { HOME, PATH: [dirname(node), PATH].join(delimiter), NO_COLOR: '1', CI: 'true', ...environment };
  const child = spawn(program, args, { cwd, env, shell: process.platform === 'win32' });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  return { child, said, closed: once(child, 'close') as Promise<[number | null]> };
}

/** Runs a program to its end. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const { child, said, closed } = start(program, args, options);
  child.stdin.end(options.input);
  const [code] = await closed;
  return { code, ...said };
}

/** Starts a server; resolves with what it prints, once that matches. `stop` ends it, and waits until it is gone. */
export async function serve(program: string, args: readonly string[], printed: RegExp, options: RunOptions) {
  const { child, said, closed } = start(program, args, options);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await closed;
  };
  for (;;) {
    const match = printed.exec(said.stdout);
    if (match) return { match, stop };
    const [ended] = await Promise.race([closed.then(() => [true]), once(child.stdout, 'data').then(() => [false])]);
    if (ended && !printed.test(said.stdout)) throw new Error(`${program} ended:\n${said.stdout}${said.stderr}`);
  }
}

/** Runs npm, which has to succeed, with all of this environment: how the registry is reached may stand there. */
export const npm = (args: readonly string[], cwd: string): Promise<string> =>
  succeed('npm', args, { cwd, environment: process.env as Record<string, string> });

/** Runs a program that has to succeed; returns what it printed. @throws {Error} with its output */
export async function succeed(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: exit code ${code}\n${stdout}\n${stderr}`);
  return stdout;
}
