/** The program while it serves: what it writes is waited for, and how it ends is seen. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { CLI } from './program.ts';

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another build of it. */
  readonly cli?: string;
  /** Runs it on a pseudo-terminal, by `script` of util-linux: what it writes ends lines with CR LF. */
  readonly onTerminal?: boolean;
}

const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export class Program {
  readonly process: ChildProcessWithoutNullStreams;
  out = '';
  err = '';
  readonly #ended: Promise<number | NodeJS.Signals>;

  /** Nothing of the tests' own environment reaches it. */
  constructor(args: readonly string[], { env = {}, cwd = process.cwd(), cli = CLI, onTerminal }: ProgramOptions = {}) {
    const command = [process.execPath, cli, ...args];
    const [file = '', ...rest] = onTerminal
      ? ['script', '-qfec', command.map(inShell).join(' '), '/dev/null']
      : command;
    this.process = spawn(file, rest, { env, cwd });
    this.process.stdout.on('data', (text) => (this.out += text));
    this.process.stderr.on('data', (text) => (this.err += text));
    this.#ended = once(this.process, 'close').then(([code, signal]) => code ?? signal);
  }

  /** Resolves with the exit code, or the signal that ended it. */
  ended(): Promise<number | NodeJS.Signals> {
    return this.#ended;
  }

  /** What it wrote, once it wrote something that matches. @throws {Error} when it ended before */
  async wrote(pattern: RegExp): Promise<RegExpMatchArray> {
    for (;;) {
      const match = this.out.match(pattern);
      if (match) return match;
      const ended = await Promise.race([once(this.process.stdout, 'data').then(() => undefined), this.#ended]);
      if (ended !== undefined && !pattern.test(this.out))
        throw new Error(`it ended with ${ended}: ${this.err}${this.out}`);
    }
  }

  /** Ends it at once, when it still runs. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.#ended;
  }
}
